/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c - reads the committed events of a trace; see trace.h.
 *
 * A stream has the events of a PE. Streams are in a heap, ordered by the time of their next event,
 * then by PE. Streams whose next event waits for its cause are in a list instead. Once an event has
 * been taken, the waiting streams return to the heap. If no event in the heap has the time of the
 * waiting events, a cause is missing from the trace. The first waiting event is then taken without
 * its cause.
 */
#include "analyze/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/load.h"
#include "access/select.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "format/bytes.h"
#include "store/heap.h"

/* The stream of events of a PE. */
struct stream {
    struct ws_blocks blocks;
    struct fmt_columns columns;   /* owned */
    struct analyze_event *events; /* owned; ANALYZE_AHEAD elements; NULL before the first event */
    uint32_t at, n;               /* index of the next event in `events`; number of events there */
    /* First row of the decoded block that has not been read into `events`. */
    uint32_t row;
    uint64_t number; /* number of the event in the block's first row */
    uint32_t pe;
};

/* State of a walk through all events. */
struct walk {
    struct analyze_trace *trace;
    struct fmt_wanted wanted;
    /* Indices of the fields that the walk reads; -1: not read. */
    struct analyze_fields fields;
    /* Owned. streams: one element per PE; heap: the streams in the heap; waiting: the streams that
     * wait. */
    struct stream *streams, **heap, **waiting;
    uint32_t n_heap, n_waiting;
    bool no_memory;
    struct ws_progress progress;
};

/* ---- Preparation ----------------------------------------------------------------------------- */

#define FIELD(member, name, type, needed)                                                          \
    {                                                                                              \
        offsetof(struct analyze_fields, member), name, type, needed                                \
    }
static const struct ws_binding bindings[] = {FIELD(lp, "dest_lp", FMT_U64, true),
                                             FIELD(src, "src_lp", FMT_U64, true),
                                             FIELD(ts, "recv_ts", FMT_F64, true),
                                             FIELD(send_ts, "send_ts", FMT_F64, true),
                                             FIELD(real_time, "real_time", FMT_F64, true),
                                             FIELD(send_order, "send_order", FMT_I32, false),
                                             FIELD(sent, "sent", FMT_U32, false),
                                             FIELD(handler_time, "handler_time", FMT_I64, false),
                                             FIELD(type, "payload_type", FMT_U32, false),
                                             {0, NULL, 0, false}};

static bool lps_count(struct analyze_trace *t)
{
    uint64_t n = ws_fact_u64(t->file->sb, "total_lps");
    if (ws_lps_have_holes(t->file->sb)) {
        if (!ws_lps_read(&t->lps, t->file)) {
            return ws_refuse(t->file->path,
                             "its records name more LPs than the run had, or memory is exhausted",
                             "record again, warpscope verify shows damage");
        }
    } else if (n > 0) {
        t->lps.n = n;
    } else {
        /* The recording does not state the number of LPs. The limit is proportional to the number
         * of events, so that a damaged file cannot make the program request too much memory. */
        n = 64 * t->n_events + 65536;
        t->lps.n = n < ANALYZE_LPS_MAX ? n : ANALYZE_LPS_MAX;
    }
    return t->lps.n <= ANALYZE_LPS_MAX ||
           ws_refuse(t->file->path, "the run has more than 268,435,456 LPs",
                     "analyze a smaller run of the model");
}

bool analyze_trace_init(struct analyze_trace *t, struct ws_file *file, unsigned needs, bool typical,
                        bool pe_costs)
{
    *t = (struct analyze_trace){.file = file, .n_pes = file->sb->layout.n_pes};
    if (!ws_trace_require(file, needs)) {
        return false;
    }
    t->schema = ws_file_kind(file, FMT_RECORD_EVENT, &t->n_events);
    if (t->schema == NULL) {
        return ws_refuse(file->path, "there are no events in it",
                         "record a run that commits events, with --event-trace=3");
    }
    if (!ws_bind(bindings, t->schema, &t->fields)) {
        return ws_refuse(file->path, "events lack LPs or times, or have them in an unknown form",
                         "record with this version of Warpscope");
    }
    t->is_exact = t->fields.send_order >= 0 && t->fields.sent >= 0;
    if (!t->is_exact && (needs & WS_TRACE_COMMITTED) != 0) {
        return ws_refuse(file->path, "events do not name their causes",
                         "record with this version of Warpscope");
    }
    t->bases = calloc((size_t)t->n_pes + 1, sizeof *t->bases);
    if (t->bases == NULL) {
        return ws_no_memory(NULL);
    }
    for (uint32_t pe = 0; pe < t->n_pes; pe++) {
        t->bases[pe + 1] = t->bases[pe] + file->pes[pe].records;
    }
    if (!analyze_times_find(&t->times, file, t->schema, t->fields.handler_time, t->fields.type,
                            typical, pe_costs)) {
        return ws_no_memory(NULL);
    }
    return lps_count(t);
}

void analyze_trace_free(struct analyze_trace *t)
{
    free(t->bases);
    analyze_times_free(&t->times);
    id_set_free(&t->lps);
}

/* ---- Events of a PE -------------------------------------------------------------------------- */

static bool block_next(struct walk *w, struct stream *s)
{
    struct ws_part part;
    s->number += s->columns.n_records;
    bool found = ws_blocks_next(&s->blocks, &part);
    s->row = 0;
    s->columns.n_records = found ? s->columns.n_records : 0;
    ws_progress_add(&w->progress, s->columns.n_records);
    return found;
}

/* Returns the values of a field in the decoded block; NULL if the field is not read. */
static inline const uint8_t *column(const struct fmt_columns *c, int32_t field)
{
    return field < 0 ? NULL : c->values[field];
}

static inline uint64_t raw_u64(const uint8_t *column, uint32_t row)
{
    return fmt_get_u64(column + 8 * (size_t)row);
}

static inline double raw_f64(const uint8_t *column, uint32_t row)
{
    return fmt_get_f64(column + 8 * (size_t)row) + 0.0; /* -0 becomes 0 */
}

static inline uint32_t raw_u32(const uint8_t *column, uint32_t row)
{
    return fmt_get_u32(column + 4 * (size_t)row);
}

/* Reads up to ANALYZE_AHEAD events from row s->row of the decoded block on into s->events, but those
 * whose LPs or times are not valid. */
static void events_read(struct walk *w, struct stream *s)
{
    const struct analyze_fields *f = &w->fields;
    const struct fmt_columns *c = &s->columns;
    const uint8_t *lps = column(c, f->lp), *srcs = column(c, f->src), *ts = column(c, f->ts);
    const uint8_t *send_ts = column(c, f->send_ts), *real = column(c, f->real_time);
    const uint8_t *orders = column(c, f->send_order), *sent = column(c, f->sent);
    const uint8_t *handlers = column(c, f->handler_time), *types = column(c, f->type);
    const uint64_t *payloads = w->wanted.payload ? c->payload_offset : NULL;
    const uint32_t first = s->row;
    const uint32_t end =
        c->n_records - first < ANALYZE_AHEAD ? c->n_records : first + ANALYZE_AHEAD;
    struct analyze_event *e = s->events;
    for (uint32_t row = first; row < end; row++) {
        const size_t lp = id_set_place(&w->trace->lps, raw_u64(lps, row));
        const size_t src = id_set_place(&w->trace->lps, raw_u64(srcs, row));
        e->number = s->number + row;
        e->lp = (uint32_t)lp;
        e->src = (uint32_t)src;
        e->pe = s->pe;
        if (types != NULL) {
            e->type = raw_u32(types, row);
        }
        if (ts != NULL) {
            e->ts = raw_f64(ts, row);
            e->send_ts = raw_f64(send_ts, row);
        }
        if (orders != NULL) {
            e->real_time = raw_f64(real, row);
            e->send_order = (int32_t)raw_u32(orders, row);
            e->sent = raw_u32(sent, row);
        }
        if (payloads != NULL) {
            e->payload = c->payload + payloads[row];
            e->payload_size = (uint32_t)(payloads[row + 1] - payloads[row]);
        }
        if (handlers != NULL) {
            e->handler_time = analyze_event_time(&w->trace->times, (int64_t)raw_u64(handlers, row),
                                                 e->type, e->payload, e->payload_size);
        }
        e += lp != ID_SET_NONE && src != ID_SET_NONE && isfinite(e->ts) && isfinite(e->send_ts);
    }
    s->row = end;
    s->n = (uint32_t)(e - s->events);
    w->trace->left_out += end - first - s->n;
}

/* Reads the next events of a stream into s->events. Returns false if there are none, or if out of
 * memory. */
static bool stream_fill(struct walk *w, struct stream *s)
{
    s->at = s->n = 0;
    if (s->events == NULL && (s->events = calloc(ANALYZE_AHEAD, sizeof *s->events)) == NULL) {
        w->no_memory = true;
        return false;
    }
    while (s->n == 0) {
        if (s->row == s->columns.n_records && !block_next(w, s)) {
            return false;
        }
        events_read(w, s);
    }
    return true;
}

/* ---- Walk ------------------------------------------------------------------------------------ */

static inline bool is_before(const struct stream *a, const struct stream *b)
{
    double x = a->events[a->at].ts, y = b->events[b->at].ts;
    return x < y || (x <= y && a->pe < b->pe);
}

/* Moves the stream at the top of the heap down to its place. */
static void heap_sink(struct walk *w)
{
    struct stream **h = w->heap, *moved;
    uint32_t down, i = 0, n = w->n_heap;
    if (n < 2) {
        return;
    }
    moved = h[0];
    HEAP_DOWN(i, n, down, is_before(h[down + 1], h[down]), is_before(h[down], moved),
              h[i] = h[down]);
    h[i] = moved;
}

static void heap_push(struct walk *w, struct stream *s)
{
    uint32_t up, i = w->n_heap++;
    HEAP_UP(i, up, is_before(s, w->heap[up]), w->heap[i] = w->heap[up]);
    w->heap[i] = s;
}

static struct stream *heap_pop(struct walk *w)
{
    assert(w->n_heap > 0);
    struct stream *top = w->heap[0];
    w->heap[0] = w->heap[--w->n_heap];
    heap_sink(w);
    return top;
}

static void waiting_end(struct walk *w)
{
    while (w->n_waiting > 0) {
        heap_push(w, w->waiting[--w->n_waiting]);
    }
}

/* Advances stream s, which is at the top of the heap, to its next event. If s has no further event,
 * removes s from the heap. */
static void stream_advance(struct walk *w, struct stream *s)
{
    assert(w->heap[0] == s);
    if (++s->at < s->n || stream_fill(w, s)) {
        heap_sink(w);
    } else {
        heap_pop(w);
    }
}

static bool events_take(struct walk *w, analyze_take_f take, void *ctx)
{
    while (w->n_heap + w->n_waiting > 0) {
        bool must =
            w->n_waiting > 0 && (w->n_heap == 0 || w->heap[0]->events[w->heap[0]->at].ts >
                                                       w->waiting[0]->events[w->waiting[0]->at].ts);
        if (must) {
            waiting_end(w);
        }
        struct stream *s = w->heap[0];
        enum analyze_taken taken = take(
            &s->events[s->at], must,
            s->at + ANALYZE_PREFETCH < s->n ? &s->events[s->at + ANALYZE_PREFETCH] : NULL, ctx);
        if (taken == ANALYZE_STOP) {
            return false;
        }
        if (taken == ANALYZE_WAITS) {
            assert(!must);
            w->waiting[w->n_waiting++] = heap_pop(w);
            continue;
        }
        stream_advance(w, s);
        if (w->n_waiting > 0) {
            waiting_end(w);
        }
        if (w->no_memory) {
            return false;
        }
    }
    return true;
}

static void wanted_fill(struct walk *w, unsigned read)
{
    struct analyze_fields *f = &w->fields;
    *f = w->trace->fields;
    if ((read & ANALYZE_READ_TIMES) == 0) {
        f->ts = f->send_ts = -1;
    }
    if (!w->trace->times.is_timed) {
        f->handler_time = -1;
    }
    if ((read & ANALYZE_READ_CAUSES) == 0) {
        f->real_time = f->send_order = f->sent = -1;
    }
    ws_bind_want(bindings, f, &w->wanted);
    w->wanted.payload = (read & ANALYZE_READ_PAYLOADS) != 0 || w->trace->times.has_kinds;
}

bool analyze_trace_walk(struct analyze_trace *t, unsigned read, analyze_take_f take, void *ctx)
{
    struct walk w = {.trace = t};
    w.streams = calloc(t->n_pes, sizeof *w.streams);
    w.heap = calloc(t->n_pes, sizeof(struct stream *));
    w.waiting = calloc(t->n_pes, sizeof(struct stream *));
    w.no_memory = w.streams == NULL || w.heap == NULL || w.waiting == NULL;
    t->left_out = t->times.interrupted = 0;
    wanted_fill(&w, read);
    ws_progress_begin(&w.progress, "analyzing", t->n_events);
    bool good = true;
    for (uint32_t pe = 0; pe < t->n_pes && !w.no_memory && good; pe++) {
        struct stream *s = &w.streams[pe];
        s->blocks = (struct ws_blocks){
            .file = t->file, .schema = t->schema, .wanted = &w.wanted, .columns = &s->columns};
        ws_walk_init(&s->blocks.walk, t->file, pe);
        s->pe = pe;
        s->number = t->bases[pe];
        if (stream_fill(&w, s)) {
            heap_push(&w, s);
        }
        good = (read & ANALYZE_READ_TIMES) != 0 || events_take(&w, take, ctx);
    }
    good = good && !w.no_memory && events_take(&w, take, ctx);
    ws_progress_hide(&w.progress);
    if (w.no_memory) {
        ws_no_memory(NULL);
    }
    free(w.heap);
    free(w.waiting);
    for (uint32_t pe = 0; w.streams != NULL && pe < t->n_pes; pe++) {
        fmt_columns_free(&w.streams[pe].columns);
        free(w.streams[pe].events);
    }
    free(w.streams);
    return good;
}
