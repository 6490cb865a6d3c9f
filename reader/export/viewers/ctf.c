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
#include "format/bytes.h"
#include "text/text_new.h"
#include "text/utf8.h"

#define MAGIC       0xc1fc1fc1u
#define PACKET_SIZE ((size_t)64 << 10)
#define EVENT_MAX   128u /* maximum size of an event in bytes, without its strings */
#define SPARE       8u   /* bytes of memory behind a packet, see put() */

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

/* Appends the lower `size` bytes of v. Stores all eight; the next call overwrites the others. */
static inline void put(struct state *s, uint64_t v, size_t size)
{
    assert(size <= SPARE && s->used + size <= s->size);
    fmt_put_u64(s->packet + s->used, v);
    s->used += size;
}

static void put_f64(struct state *s, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put(s, bits, 8);
}

/* Returns the maximum number of bytes that a text of size bytes takes in a packet. */
static size_t text_max(size_t size)
{
    return utf8_repair_max(size) + 1;
}

/* Writes a text of size bytes with a terminating zero. U+FFFD replaces bytes that are not UTF-8. An
 * empty text becomes "-", since babeltrace2 2.0 would show the previous value of the field
 * instead. */
static void put_text(struct state *s, const void *text, size_t size)
{
    assert(s->used + text_max(size) <= s->size);
    char *to = (char *)s->packet + s->used;
    char *end = size == 0 ? utf8_repair(to, "-", 1) : utf8_repair(to, text, size);
    *end = '\0';
    s->used += (size_t)(end + 1 - to);
}

static void put_string(struct state *s, const char *text)
{
    put_text(s, text, strlen(text));
}

/* ---- Packets --------------------------------------------------------------------------------- */

static void packet_begin(struct state *s)
{
    s->used = 0;
    s->any = false;
    put(s, MAGIC, 4);
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
    uint8_t *packet = realloc(s->packet, s->used + EVENT_MAX + text + SPARE);
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

/* Returns the id of the event that represents a moment, if the event shows no model values. */
static enum ctf_event event_of(const struct ws_moment *m)
{
    /* [kind of moment]: for events, rollbacks and tasks. */
    static const enum ctf_event ids[][3] = {
        [WS_MOMENT_BEGIN] = {CTF_EVENT_BEGIN, CTF_ROLLBACK_BEGIN, CTF_TASK_BEGIN},
        [WS_MOMENT_FLOW_OUT] = {CTF_SEND, CTF_SEND, CTF_CHILD_FROM},
        [WS_MOMENT_FLOW_IN] = {CTF_RECEIVE, CTF_RECEIVE, CTF_CHILD_TO},
        [WS_MOMENT_END] = {CTF_EVENT_END, CTF_ROLLBACK_END, CTF_TASK_END},
        [WS_MOMENT_COUNTER] = {CTF_COUNTER, CTF_COUNTER, CTF_COUNTER},
        [WS_MOMENT_STEP] = {CTF_TASK_STEP, CTF_TASK_STEP, CTF_TASK_STEP}};
    return ids[m->kind][(m->flags & WS_MOMENT_TASK) != 0       ? 2
                        : (m->flags & WS_MOMENT_ROLLBACK) != 0 ? 1
                                                               : 0];
}

/* Returns the id of the event that begins the slice of a moment and shows its model values. Returns
 * 0 if the slice has no values, or if there are too many payload descriptions. */
static uint32_t values_event_of(const struct ws_timeline *t, const struct ws_moment *m)
{
    size_t d = m->desc == NULL ? CTF_EVENTS_MAX : (size_t)(m->desc - t->evtrace->descs.descs);
    return d + CTF_EVENT_VALUES < CTF_EVENTS_MAX && m->desc->kind == FMT_PAYLOAD_EV
               ? (uint32_t)d + CTF_EVENT_VALUES
               : 0;
}

static size_t size_of(const struct fmt_payload_field *field)
{
    return (size_t)field->count * fmt_type_size(field->type);
}

/* Returns the maximum number of bytes that the values in a payload take. */
static size_t values_max(const struct fmt_payload_desc *desc)
{
    size_t size = 0;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        size_t of_field = size_of(&desc->fields[f]);
        size += desc->fields[f].type == FMT_CHAR ? text_max(of_field) : of_field;
    }
    return size;
}

/* Returns the maximum number of bytes that the strings and model values of a moment take. */
static size_t texts_size(const struct ws_timeline *t, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    if (task != NULL) {
        return text_max(strlen(task->kind)) + text_max(strlen(task->what)) +
               text_max(strlen(task->where));
    }
    return m->kind == WS_MOMENT_BEGIN
               ? text_max(strlen(t->names[m->name])) + (m->desc == NULL ? 0 : values_max(m->desc))
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
        put_string(s, task->what);
        return;
    }
    id_put(s, task->parent);
    put_f64(s, task->start);
    put_f64(s, task->end);
    put(s, task->is_open, 1);
    put_string(s, task->kind);
    put_string(s, task->what);
    put_string(s, task->where);
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
    put_string(s, s->base.timeline->names[m->name]);
}

static void values_put(struct state *s, const struct ws_moment *m)
{
    for (uint32_t f = 0; f < m->desc->n_fields; f++) {
        const struct fmt_payload_field *field = &m->desc->fields[f];
        const uint8_t *from = m->payload + field->offset;
        size_t size = size_of(field);
        if (field->type == FMT_CHAR) {
            put_text(s, from, strnlen((const char *)from, size));
        } else {
            memcpy(s->packet + s->used, from, size);
            s->used += size;
        }
    }
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
    if (!event_room(x, text_max(strlen(m->task->detail)))) {
        return false;
    }
    header_put(s, CTF_TASK_DETAIL, m);
    put(s, m->kp, 4);
    put(s, m->id, 8);
    put_string(s, m->task->detail);
    return true;
}

static bool event_write(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    if (!event_room(x, texts_size(s->base.timeline, m))) {
        return false;
    }
    uint32_t values = m->kind == WS_MOMENT_BEGIN ? values_event_of(s->base.timeline, m) : 0;
    header_put(s, values > 0 ? values : event_of(m), m);
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
            values_put(s, m);
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
    s->folder = ws_export_path(x, "ctf", "");
    return s->folder != NULL;
}

/* Computes a UUID of CTF_UUID_SIZE bytes from the facts of the run, so that all exports of a run have
 * the same UUID. */
static void uuid_make(const struct ws_timeline *t, uint8_t *uuid)
{
    const struct fmt_superblock *sb = t->base->sb;
    uint64_t hash[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
    for (uint32_t i = 0; i < sb->n_run; i++) {
        const char *texts[2] = {sb->run[i].key, sb->run[i].value};
        for (int k = 0; k < 2; k++) {
            for (const char *c = texts[k]; *c != '\0'; c++) {
                hash[0] = (hash[0] ^ (uint8_t)*c) * 0x100000001b3u;
                hash[1] = (hash[1] + (uint8_t)*c) * 0x9e3779b97f4a7c15u;
                hash[1] ^= hash[1] >> 31;
            }
        }
    }
    memcpy(uuid, hash, CTF_UUID_SIZE);
    uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x80); /* version 8: vendor-specific UUID */
    uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
}

static bool begin(struct ws_export *x)
{
    struct state *s = x->state;
    const struct ws_timeline *timeline = s->base.timeline;
    s->size = PACKET_SIZE;
    s->packet = malloc(s->size + SPARE);
    if (s->packet == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    if (!folder_name(x, s) || !ws_outs_folder(&x->outs, s->folder)) {
        return false;
    }
    uuid_make(timeline, s->uuid);
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
    .state_size = sizeof(struct state),
    .timeline = ws_export_timeline,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
