/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf.c - writes a timeline in the Common Trace Format 1.8, for babeltrace2 and Trace Compass. The
 * output is a directory with a file `metadata` that describes the streams (ctf_metadata.c). Each PE
 * has one stream for events and one for tasks.
 *
 * A stream is a sequence of packets of up to PACKET_SIZE bytes: header, context, then events
 * without padding, all little-endian. Since the context of a packet contains the size and times of
 * the packet, a packet is built in memory and written when it is full.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/viewers/ctf.h"
#include "export/viewers/timeline.h"
#include "text/text_new.h"

#define PACKET_SIZE ((size_t)64 << 10)
#define EVENT_MAX   128u /* maximum size of an event in bytes, without its strings */

struct state {
    struct ws_timeline_state base;
    char *folder;
    struct ws_out *stream;
    uint8_t uuid[CTF_UUID_SIZE];
    uint8_t *packet; /* owned; the packet that is being built */
    size_t used, size;
    uint64_t first, last; /* time of the first and of the last event in the packet */
    bool any;             /* true if the packet has an event */
    uint32_t pe;          /* number of the process to which the current stream belongs */
};

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void put(struct state *s, uint64_t v, size_t size)
{
    assert(s->used + size <= s->size);
    for (size_t i = 0; i < size; i++) {
        s->packet[s->used++] = (uint8_t)(v >> 8 * i);
    }
}

static void put_f64(struct state *s, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put(s, bits, 8);
}

static void put_text(struct state *s, const char *text)
{
    size_t size = strlen(text);
    assert(s->used + ctf_text_max(size) <= s->size);
    s->used = (size_t)(ctf_text_put(s->packet + s->used, text, size) - s->packet);
}

/* Returns the maximum number of bytes that put_text() writes. */
static size_t text_max(const char *text)
{
    return ctf_text_max(strlen(text));
}

/* ---- Packets --------------------------------------------------------------------------------- */

static void packet_begin(struct state *s)
{
    s->used = 0;
    s->any = false;
    put(s, CTF_MAGIC, 4);
    memcpy(s->packet + s->used, s->uuid, CTF_UUID_SIZE);
    s->used += CTF_UUID_SIZE;
    put(s, 0, 4); /* stream_id: the same for all streams, since all have the same kinds of events */
    for (int i = 0; i < 4; i++) {
        put(s, 0, 8); /* space for times and sizes, which packet_end() sets */
    }
    uint32_t n_pes = s->base.timeline->n_pes;
    put(s, s->pe < n_pes ? s->pe : s->pe - n_pes, 4);
}

static bool packet_end(struct state *s)
{
    size_t size = s->used;
    if (!s->any) {
        return true;
    }
    s->used = 4 + CTF_UUID_SIZE + 4;
    put(s, s->first, 8);
    put(s, s->last, 8);
    /* Size of the contents in bits, then size of the whole packet in bits. */
    put(s, (uint64_t)size * 8, 8);
    put(s, (uint64_t)size * 8, 8);
    return ws_out_write(s->stream, s->packet, size);
}

/* Makes space in the packet for an event whose strings take `text` bytes. If the packet is full,
 * writes it first. Returns false after an error message. */
static bool event_room(struct ws_export *x, size_t text)
{
    struct state *s = x->state;
    if (s->used + EVENT_MAX + text <= s->size) {
        return true;
    }
    if (!packet_end(s)) {
        return false;
    }
    packet_begin(s);
    if (s->used + EVENT_MAX + text <= s->size) {
        return true;
    }
    uint8_t *packet = realloc(s->packet, s->used + EVENT_MAX + text);
    if (packet == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    s->packet = packet;
    s->size = s->used + EVENT_MAX + text;
    return true;
}

/* ---- Streams --------------------------------------------------------------------------------- */

static struct ws_out *file_begin(struct ws_export *x, const char *name)
{
    const struct state *s = x->state;
    char *path = text_new("%s/%s", s->folder, name);
    if (path == NULL) {
        ws_no_memory(&x->outs.failed);
        return NULL;
    }
    struct ws_out *out = ws_out_begin(&x->outs, path);
    free(path);
    return out;
}

static bool stream_end(struct state *s)
{
    bool good = s->stream == NULL || (packet_end(s) && ws_out_end(s->stream));
    s->stream = NULL;
    return good;
}

/* Names of streams: of the events of a PE, and of its tasks. */
static const char *const stream_names[] = {"pe", "tasks"};

static bool stream_begin(struct ws_export *x, uint32_t process)
{
    struct state *s = x->state;
    char name[32];
    uint32_t n_pes = s->base.timeline->n_pes;
    bool of_tasks = process >= n_pes;
    snprintf(name, sizeof name, "%s_%u", stream_names[of_tasks],
             of_tasks ? process - n_pes : process);
    if (!stream_end(s)) {
        return false;
    }
    s->stream = file_begin(x, name);
    s->pe = process;
    packet_begin(s);
    return s->stream != NULL;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Returns the maximum number of bytes that the strings and model values of a moment take. */
static size_t texts_size(const struct ws_timeline *t, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    if (task != NULL) {
        return text_max(task->kind) + text_max(task->what) + text_max(task->where);
    }
    return m->kind == WS_MOMENT_BEGIN
               ? text_max(t->names[m->name]) + (m->desc == NULL ? 0 : ctf_values_max(m->desc))
               : 0;
}

static void id_put(struct state *s, struct ws_task_id id)
{
    put(s, (uint64_t)id.lp, 8);
    put(s, id.number, 8);
    put(s, (uint64_t)id.from, 8);
}

static void task_put(struct state *s, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    id_put(s, task->id);
    if (m->kind == WS_MOMENT_STEP) {
        put_text(s, task->what);
        return;
    }
    id_put(s, task->parent);
    put_f64(s, task->start);
    put_f64(s, task->end);
    put(s, task->is_open, 1);
    put_text(s, task->kind);
    put_text(s, task->what);
    put_text(s, task->where);
}

static void slice_put(struct state *s, const struct ws_moment *m)
{
    put(s, m->lp, 8);
    put(s, m->src_lp, 8);
    put_f64(s, m->recv_ts);
    put_f64(s, m->send_ts);
    if ((m->flags & WS_MOMENT_ROLLBACK) != 0) {
        put(s, m->undone, 8);
        put(s, m->cause, 1);
    } else {
        put(s, (m->flags & WS_MOMENT_UNDONE) != 0, 1);
    }
    put_text(s, s->base.timeline->names[m->name]);
}

/* Writes the header of an event to the packet, and updates the times of the packet. kind: id of the
 * event, enum ctf_event. */
static void header_put(struct state *s, uint32_t kind, const struct ws_moment *m)
{
    put(s, kind, 1);
    put(s, (uint64_t)m->time, 8);
    s->first = s->any ? s->first : (uint64_t)m->time;
    s->last = (uint64_t)m->time;
    s->any = true;
}

static bool detail_write(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    if (!event_room(x, text_max(m->task->detail))) {
        return false;
    }
    header_put(s, CTF_TASK_DETAIL, m);
    put(s, m->kp, 4);
    put(s, m->id, 8);
    put_text(s, m->task->detail);
    return true;
}

static bool event_write(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    if (!event_room(x, texts_size(s->base.timeline, m))) {
        return false;
    }
    uint32_t values = m->kind == WS_MOMENT_BEGIN ? ctf_values_event(s->base.timeline, m) : 0;
    header_put(s, values > 0 ? values : ctf_event_of(m), m);
    if (m->kind == WS_MOMENT_COUNTER) {
        put(s, m->counter, 1);
        put_f64(s, m->value);
    } else {
        put(s, m->kp, 4);
    }
    if (m->kind != WS_MOMENT_COUNTER && m->kind != WS_MOMENT_STEP) {
        put(s, m->id, 8);
    }
    if (m->task != NULL) {
        task_put(s, m);
    } else if (m->kind == WS_MOMENT_BEGIN) {
        slice_put(s, m);
        if (values > 0) {
            s->used =
                (size_t)(ctf_values_put(s->packet + s->used, m->desc, m->payload) - s->packet);
        }
    }
    return m->task == NULL || m->task->detail[0] == '\0' || detail_write(x, m);
}

static bool moment(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    return (!s->base.seen.new_pe || stream_begin(x, m->pe)) && event_write(x, m);
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

static bool folder_name(struct ws_export *x, struct state *s)
{
    if (x->file != NULL) {
        return ws_refuse(x->file, "a CTF trace is a directory with several files",
                         "name the directory in which to make it");
    }
    s->folder = text_new("%s%s%s-ctf", x->folder, x->folder[0] == '\0' ? "" : "/", x->prefix);
    return s->folder != NULL || ws_no_memory(&x->outs.failed);
}

static bool begin(struct ws_export *x)
{
    struct state *s = x->state;
    const struct ws_timeline *timeline = s->base.timeline;
    s->size = PACKET_SIZE;
    s->packet = malloc(s->size);
    if (s->packet == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    if (!folder_name(x, s) || !ws_outs_folder(&x->outs, s->folder)) {
        return false;
    }
    ctf_uuid(timeline, s->uuid);
    struct ws_out *metadata = file_begin(x, "metadata");
    FILE *out = metadata == NULL ? NULL : ws_out_stream(metadata);
    if (out != NULL) {
        ctf_metadata_write(out, timeline, s->uuid);
    }
    return ws_out_stream_end(metadata, out);
}

/* Removes the streams that an earlier export has left in the directory, since viewers would read
 * them as well; also those of PEs that this run does not have. The files of this export do not have
 * their final names yet. Only --force permits an export to a directory with files of an earlier
 * one. */
static void rest_remove(const struct state *s)
{
    char path[4096];
    for (int kind = 0; kind < 2; kind++) {
        bool found = true;
        for (uint32_t pe = 0; pe <= s->base.timeline->n_pes || found; pe++) {
            snprintf(path, sizeof path, "%s/%s_%u", s->folder, stream_names[kind], pe);
            found = unlink(path) == 0;
        }
    }
}

static bool end(struct ws_export *x)
{
    struct state *s = x->state;
    if (!stream_end(s)) {
        return false;
    }
    if (x->outs.force) {
        rest_remove(s);
    }
    return true;
}

static void fini(struct ws_export *x)
{
    struct state *s = x->state;
    free(s->folder);
    free(s->packet);
}

const struct ws_export_format ws_export_ctf = {
    .name = "ctf",
    .extension = "ctf",
    .state_size = sizeof(struct state),
    .timeline = ws_export_timeline,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
