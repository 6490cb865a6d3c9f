/*
 * export_ctf.c - a timeline in the Common Trace Format 1.8, for babeltrace2 and Trace Compass: a
 * folder with a file `metadata` that describes the rest (ctf_metadata.c), and a stream per PE.
 *
 * A stream is a sequence of packets of up to PACKET_SIZE bytes: header, context, events one after
 * another without padding, all little-endian. A packet's context tells its size and times, so it is
 * put together in memory and written when it is full.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf_metadata.h"
#include "export_timeline.h"

#define PACKET_SIZE ((size_t)64 << 10)
#define EVENT_MAX   128u /* bytes of an event without its name */

struct state {
    char *folder;
    struct ws_out *stream;
    const struct ws_timeline *timeline;
    uint8_t uuid[CTF_UUID_SIZE];
    struct ws_seen seen;
    uint8_t *packet; /* owned */
    size_t used, size;
    uint64_t first, last; /* times in the packet */
    bool any;             /* an event in it? */
    uint32_t pe;
    uint8_t *written; /* owned; by PE: has it a stream? */
    uint32_t n_pes;
};

/* ---- Bytes ------------------------------------------------------------------------------------
 */

static void put(struct state *s, uint64_t v, size_t size)
{
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

/* ---- Packets ----------------------------------------------------------------------------------
 */

static void packet_begin(struct state *s)
{
    s->used = 0;
    s->any = false;
    put(s, CTF_MAGIC, 4);
    memcpy(s->packet + s->used, s->uuid, CTF_UUID_SIZE);
    s->used += CTF_UUID_SIZE;
    put(s, 0, 4); /* number of the kind of stream */
    for (int i = 0; i < 4; i++) {
        put(s, 0, 8); /* times and sizes, see packet_end() */
    }
    put(s, s->pe, 4);
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
    put(s, (uint64_t)size * 8, 8); /* bits with contents, and in all */
    put(s, (uint64_t)size * 8, 8);
    return ws_out_write(s->stream, s->packet, size);
}

/* Room for an event with so many bytes of text. */
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
        return ws_export_no_memory(x);
    }
    s->packet = packet;
    s->size = s->used + EVENT_MAX + text;
    return true;
}

/* ---- Streams ----------------------------------------------------------------------------------
 */

static struct ws_out *file_begin(struct ws_export *x, const char *name)
{
    struct state *s = x->state;
    size_t size = strlen(s->folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) {
        ws_export_no_memory(x);
        return NULL;
    }
    snprintf(path, size, "%s/%s", s->folder, name);
    struct ws_out *out = ws_out_begin(&x->outs, path);
    free(path);
    return out;
}

static bool stream_end(struct state *s)
{
    struct ws_out *stream = s->stream;
    s->stream = NULL;
    if (stream == NULL) {
        return true;
    }
    s->stream = stream;
    bool good = packet_end(s) && ws_out_end(stream);
    s->stream = NULL;
    return good;
}

static bool stream_begin(struct ws_export *x, uint32_t pe)
{
    struct state *s = x->state;
    char name[32];
    snprintf(name, sizeof name, "pe_%u", pe);
    if (!stream_end(s)) {
        return false;
    }
    s->stream = file_begin(x, name);
    s->pe = pe;
    if (pe < s->n_pes) {
        s->written[pe] = 1;
    }
    packet_begin(s);
    return s->stream != NULL;
}

/* ---- Events -----------------------------------------------------------------------------------
 */

static bool event_write(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    bool rollback = (m->flags & WS_MOMENT_ROLLBACK) != 0;
    const char *name = m->kind == WS_MOMENT_BEGIN ? s->timeline->names[m->name] : "";
    size_t length = strlen(name) + 1;
    if (!event_room(x, length)) {
        return false;
    }
    enum ctf_event kind = m->kind == WS_MOMENT_BEGIN
                              ? rollback ? CTF_ROLLBACK_BEGIN : CTF_EVENT_BEGIN
                          : m->kind == WS_MOMENT_END ? rollback ? CTF_ROLLBACK_END : CTF_EVENT_END
                          : m->kind == WS_MOMENT_FLOW_OUT ? CTF_SEND
                          : m->kind == WS_MOMENT_FLOW_IN  ? CTF_RECEIVE
                                                          : CTF_COUNTER;
    put(s, kind, 1);
    put(s, (uint64_t)m->time, 8);
    if (kind == CTF_COUNTER) {
        put(s, m->counter, 1);
        put_f64(s, m->value);
    } else {
        put(s, m->kp, 4);
        put(s, m->id, 8);
    }
    if (m->kind == WS_MOMENT_BEGIN) {
        put(s, m->lp, 8);
        put(s, m->src_lp, 8);
        put_f64(s, m->recv_ts);
        put_f64(s, m->send_ts);
        if (rollback) {
            put(s, m->undone, 8);
            put(s, m->cause, 1);
        } else {
            put(s, (m->flags & WS_MOMENT_UNDONE) != 0, 1);
            memcpy(s->packet + s->used, name, length);
            s->used += length;
        }
    }
    s->first = s->any ? s->first : (uint64_t)m->time;
    s->last = (uint64_t)m->time;
    s->any = true;
    return true;
}

static bool moment(const struct ws_moment *m, void *ctx)
{
    struct ws_export *x = ctx;
    struct state *s = x->state;
    if (!ws_seen_note(&s->seen, m)) {
        return ws_export_no_memory(x);
    }
    return (!s->seen.new_pe || stream_begin(x, m->pe)) && event_write(x, m);
}

/* ---- Beginning and end ------------------------------------------------------------------------
 */

static bool folder_name(struct ws_export *x, struct state *s)
{
    if (x->file != NULL) {
        fprintf(stderr,
                "warpscope: %s: a CTF trace is a folder with several files: name the folder in"
                " which to make it\n",
                x->file);
        return false;
    }
    size_t size = strlen(x->folder) + strlen(x->prefix) + 16;
    s->folder = malloc(size);
    if (s->folder == NULL) {
        return ws_export_no_memory(x);
    }
    snprintf(s->folder, size, "%s%s%s-ctf", x->folder, x->folder[0] == '\0' ? "" : "/", x->prefix);
    return true;
}

static bool begin(struct ws_export *x, const struct ws_timeline *timeline)
{
    struct state *s = calloc(1, sizeof *s);
    x->state = s;
    if (s == NULL) {
        return ws_export_no_memory(x);
    }
    s->timeline = timeline;
    s->n_pes = timeline->evtrace->sb->layout.n_pes;
    s->size = PACKET_SIZE;
    s->packet = malloc(s->size);
    s->written = calloc((size_t)s->n_pes + 1, 1);
    if (s->packet == NULL || s->written == NULL) {
        return ws_export_no_memory(x);
    }
    if (!folder_name(x, s) || !ws_outs_folder(&x->outs, s->folder)) {
        return false;
    }
    ctf_uuid(timeline, s->uuid);
    struct ws_out *metadata = file_begin(x, "metadata");
    return metadata != NULL && ctf_metadata_write(metadata, timeline, s->uuid) &&
           ws_out_end(metadata);
}

/* Streams that an earlier export left there (--force) would be read as well. */
static void rest_remove(const struct state *s)
{
    char path[4096];
    int failed = 0;
    for (uint32_t pe = 0; pe < s->n_pes || failed == 0; pe++) {
        if (pe >= s->n_pes || s->written[pe] == 0) {
            snprintf(path, sizeof path, "%s/pe_%u", s->folder, pe);
            failed = unlink(path);
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
    if (s != NULL) {
        ws_seen_free(&s->seen);
        free(s->folder);
        free(s->packet);
        free(s->written);
    }
    free(s);
}

const struct ws_export_format ws_export_ctf = {
    .name = "ctf",
    .extension = "ctf",
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
