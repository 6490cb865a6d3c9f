/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causal_trace.h - traces of committed events that name the cause of each event, made by a small
 * sequential simulator, for tests and measurements of warpscope analyze.
 */
#ifndef WARPSCOPE_TESTS_CAUSAL_TRACE_H
#define WARPSCOPE_TESTS_CAUSAL_TRACE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/format.h"
#include "support/random_bits.h"

enum causal_shape {
    CAUSAL_RANDOM,      /* offsets from a few values, ties, 0 to 2 events per event */
    CAUSAL_ZERO,        /* the same; half of the offsets are 0 */
    CAUSAL_RING,        /* one event goes round all LPs */
    CAUSAL_INDEPENDENT, /* each LP sends one event to itself */
    CAUSAL_PHOLD        /* random LPs, exponential offsets */
};

struct causal_options {
    enum causal_shape shape;
    uint32_t lps, pes;
    uint64_t events; /* number of events */
    uint64_t seed;
    uint32_t self;    /* per cent of events from an LP to itself; 0: 33 */
    uint32_t timed;   /* one of so many handlers has a time; 0: none */
    uint32_t marked;  /* one of so many times is marked, half of these are long; 0: none */
    bool old;         /* true to leave out the fields of causes and times */
    bool payload;     /* true for payloads of two LP types */
    bool round_robin; /* LPs on PEs by turns instead of in blocks */
};

struct causal_row {
    uint64_t src_lp, dest_lp;
    double send_ts, recv_ts, prio, real_time;
    uint32_t pe, kp, payload_type, payload_size;
    int32_t send_order;
    uint32_t sent;
    int64_t handler_time;
};

#define CAUSAL_FIELD(type_, name_, role_, member_, measure_)                                       \
    {                                                                                              \
        .name = name_, .unit = "", .text = "a field", .type = FMT_##type_,                         \
        .role = FMT_ROLE_##role_, .offset = offsetof(struct causal_row, member_),                  \
        .measure = measure_                                                                        \
    }
static const struct fmt_field causal_fields[] = {
    CAUSAL_FIELD(U64, "src_lp", NONE, src_lp, FMT_IDENTITY),
    CAUSAL_FIELD(U64, "dest_lp", NONE, dest_lp, FMT_IDENTITY),
    CAUSAL_FIELD(F64, "send_ts", NONE, send_ts, 0),
    CAUSAL_FIELD(F64, "recv_ts", VIRTUAL_TIME, recv_ts, 0),
    CAUSAL_FIELD(F64, "prio", NONE, prio, 0),
    CAUSAL_FIELD(F64, "real_time", REAL_TIME, real_time, 0),
    CAUSAL_FIELD(U32, "pe", PE, pe, 0),
    CAUSAL_FIELD(U32, "kp", NONE, kp, FMT_IDENTITY),
    CAUSAL_FIELD(U32, "payload_type", PAYLOAD_TYPE, payload_type, 0),
    CAUSAL_FIELD(U32, "payload_size", PAYLOAD_SIZE, payload_size, 0),
    CAUSAL_FIELD(I32, "send_order", NONE, send_order, FMT_IDENTITY),
    CAUSAL_FIELD(U32, "sent", NONE, sent, 0),
    {.name = "handler_time",
     .unit = "ns",
     .text = "below -1: perhaps interrupted",
     .type = FMT_I64,
     .role = FMT_ROLE_NONE,
     .offset = offsetof(struct causal_row, handler_time)},
};
static const struct fmt_schema causal_schema = {.id = FMT_RECORD_EVENT,
                                                .n_fields = 13,
                                                .row_size = sizeof(struct causal_row),
                                                .role_field = {-1, 6, 3, 5, 8, 9, -1, -1},
                                                .name = "event",
                                                .text = "an event",
                                                .fields = causal_fields};

static const char *const causal_names[] = {"arrive", "depart", "fail", NULL};
static const struct fmt_payload_field causal_payload_fields[2][2] = {
    {{"kind", "\"", FMT_U32, 0, 1, FMT_IDENTITY, causal_names},
     {"wait", "s", FMT_U32, 4, 1, 0, NULL}},
    {{"kind", "\"", FMT_U32, 0, 1, FMT_IDENTITY, causal_names},
     {"wait", "ms", FMT_U32, 4, 1, 0, NULL}}};
static const struct fmt_payload_desc causal_descs[] = {
    {1, FMT_PAYLOAD_EV, 8, 2, "even", causal_payload_fields[0]},
    {2, FMT_PAYLOAD_EV, 8, 2, "odd", causal_payload_fields[1]}};

/* A pending event. */
struct causal_pending {
    double ts;
    uint64_t sequence, cause; /* cause: number of the event plus 1; 0: none */
    uint32_t lp;
};

struct causal_trace {
    struct causal_options o;
    struct causal_row *rows; /* in event order */
    uint64_t n;
    struct causal_pending *heap;
    size_t n_heap, room;
    uint64_t sequence, seed;
    double *last; /* time of the last event of each LP, and its ordinal */
    uint32_t *order;
};

static inline bool causal_before(const struct causal_pending *a, const struct causal_pending *b)
{
    return a->ts < b->ts || (a->ts <= b->ts && a->sequence < b->sequence);
}

static inline void causal_push(struct causal_trace *t, double ts, uint32_t lp, uint64_t cause)
{
    if (t->n_heap == t->room) {
        t->room = 2 * t->room + 64;
        t->heap = realloc(t->heap, t->room * sizeof *t->heap);
    }
    struct causal_pending e = {ts, t->sequence++, cause, lp};
    size_t i = t->n_heap++;
    for (; i > 0 && causal_before(&e, &t->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        t->heap[i] = t->heap[(i - 1) / 2];
    }
    t->heap[i] = e;
}

static inline struct causal_pending causal_pop(struct causal_trace *t)
{
    struct causal_pending top = t->heap[0], e = t->heap[--t->n_heap];
    size_t i = 0;
    for (size_t c; (c = 2 * i + 1) < t->n_heap; i = c) {
        c += c + 1 < t->n_heap && causal_before(&t->heap[c + 1], &t->heap[c]);
        if (!causal_before(&t->heap[c], &e)) {
            break;
        }
        t->heap[i] = t->heap[c];
    }
    t->heap[i] = e;
    return top;
}

static inline double causal_offset(struct causal_trace *t)
{
    static const double offsets[] = {0.25, 0.5, 0.5, 1.0, 3.0};
    switch (t->o.shape) {
    case CAUSAL_ZERO:
        return random_below(&t->seed, 2) == 0 ? 0.0 : offsets[random_below(&t->seed, 5)];
    case CAUSAL_PHOLD:
        return -log(1.0 - random_unit(&t->seed)) + 0.1;
    case CAUSAL_RANDOM:
        return random_below(&t->seed, 4) == 0 ? random_unit(&t->seed)
                                              : offsets[random_below(&t->seed, 5)];
    case CAUSAL_RING:
    case CAUSAL_INDEPENDENT:
    default:
        return 1.0;
    }
}

/* Sends the events of the event of an LP. */
static inline void causal_send(struct causal_trace *t, const struct causal_pending *e)
{
    uint32_t n = 1;
    if (t->o.shape == CAUSAL_RANDOM || t->o.shape == CAUSAL_ZERO) {
        n = t->n_heap < t->o.lps       ? 1 + (uint32_t)random_below(&t->seed, 2)
            : t->n_heap > 3 * t->o.lps ? 0
                                       : (uint32_t)random_below(&t->seed, 3);
    }
    for (; n > 0; n--) {
        uint32_t to = t->o.shape == CAUSAL_INDEPENDENT ? e->lp
                      : t->o.shape == CAUSAL_RING      ? (e->lp + 1) % t->o.lps
                      : random_below(&t->seed, 100) < (t->o.self == 0 ? 33 : t->o.self)
                          ? e->lp
                          : (uint32_t)random_below(&t->seed, t->o.lps);
        causal_push(t, e->ts + causal_offset(t), to, t->n);
    }
}

static inline void causal_execute(struct causal_trace *t)
{
    struct causal_pending e = causal_pop(t);
    struct causal_row *row = &t->rows[t->n++];
    bool tie = t->last[e.lp] <= e.ts && t->last[e.lp] >= e.ts;
    t->order[e.lp] = tie ? t->order[e.lp] + 1 : 0;
    t->last[e.lp] = e.ts;
    *row = (struct causal_row){.src_lp = e.lp, .dest_lp = e.lp, .recv_ts = e.ts, .send_order = -1};
    row->real_time = (double)t->n * 1e-6 + random_unit(&t->seed) * 1e-7;
    row->prio = (double)t->order[e.lp]; /* kept here until the event sends */
    row->pe = t->o.round_robin ? e.lp % t->o.pes : (uint32_t)((uint64_t)e.lp * t->o.pes / t->o.lps);
    row->handler_time = t->o.timed > 0 && random_below(&t->seed, t->o.timed) == 0
                            ? (int64_t)(100 + random_below(&t->seed, 900))
                            : -1;
    if (t->o.marked > 0 && row->handler_time > 0 && random_below(&t->seed, t->o.marked) == 0) {
        row->handler_time *= random_below(&t->seed, 2) == 0 ? -1 : -1000;
    }
    if (t->o.payload) {
        row->payload_type = 1 + e.lp % 2;
        row->payload_size = 8;
    }
    if (e.cause > 0) {
        struct causal_row *cause = &t->rows[e.cause - 1];
        row->src_lp = cause->dest_lp;
        row->send_ts = cause->recv_ts;
        row->send_order = (int32_t)cause->prio;
        cause->sent++;
    }
    causal_send(t, &e);
}

/* Makes the events. Free with causal_free(). */
static inline void causal_make(struct causal_trace *t, const struct causal_options *o)
{
    *t = (struct causal_trace){.o = *o, .seed = o->seed};
    t->rows = calloc(o->events + 1, sizeof *t->rows);
    t->last = calloc(o->lps, sizeof *t->last);
    t->order = calloc(o->lps, sizeof *t->order);
    for (uint32_t lp = 0; lp < o->lps && (lp == 0 || o->shape != CAUSAL_RING); lp++) {
        t->last[lp] = -1.0;
        causal_push(t, o->shape == CAUSAL_PHOLD ? causal_offset(t) : 1.0, lp, 0);
    }
    while (t->n < o->events && t->n_heap > 0) {
        causal_execute(t);
    }
    for (uint64_t i = 0; i < t->n; i++) {
        t->rows[i].prio = 1.0;
    }
}

/* Puts values into n fields that no run would write. */
static inline void causal_harm(struct causal_trace *t, uint64_t n)
{
    static const double times[] = {NAN, INFINITY, -INFINITY, -1e300, 1e300, 0.0, -0.0, 5e-324};
    static const uint64_t lps[] = {0, 1, UINT32_MAX, UINT64_MAX, (uint64_t)1 << 31, 12345};
    for (; n > 0 && t->n > 0; n--) {
        struct causal_row *row = &t->rows[random_below(&t->seed, t->n)];
        const struct causal_row *other = &t->rows[random_below(&t->seed, t->n)];
        double time = times[random_below(&t->seed, 8)];
        switch (random_below(&t->seed, 9)) {
        case 0:
            row->recv_ts = time;
            break;
        case 1:
            row->send_ts = time;
            break;
        case 2:
            row->real_time = time;
            break;
        case 3:
            row->dest_lp = lps[random_below(&t->seed, 6)];
            break;
        case 4:
            row->src_lp = lps[random_below(&t->seed, 6)];
            break;
        case 5:
            row->send_order = (int32_t)random_bits(&t->seed);
            break;
        case 6:
            row->sent = (uint32_t)random_bits(&t->seed);
            break;
        case 7:
            row->handler_time = random_below(&t->seed, 2) == 0 ? INT64_MAX : INT64_MIN;
            break;
        default: /* an event that sends its cause */
            row->src_lp = other->dest_lp;
            row->send_ts = other->recv_ts;
            row->send_order = 0;
            break;
        }
    }
}

static inline void causal_free(struct causal_trace *t)
{
    free(t->rows);
    free(t->last);
    free(t->order);
    free(t->heap);
}

/* ---- File ------------------------------------------------------------------------------------ */

#define CAUSAL_BATCH 4096u

static inline bool causal_pe_write(const struct causal_trace *t, struct fmt_file *file,
                                   const struct fmt_superblock *sb, uint32_t pe)
{
    struct fmt_writer w;
    struct fmt_error error = {0};
    size_t most = sizeof(struct causal_row) + 8, size = 0;
    uint8_t *rows = malloc(CAUSAL_BATCH * most);
    const struct fmt_schema *schema = sb->schemas[0];
    bool good =
        fmt_writer_init(&w, &file->io, sb->schemas, 1, &sb->layout, pe, most, &error) == FMT_OK &&
        (!t->o.payload || fmt_writer_meta(&w, causal_descs, 2, &error) == FMT_OK);
    for (uint64_t i = 0; i <= t->n && good; i++) {
        if (size + most > CAUSAL_BATCH * most || i == t->n) {
            good = fmt_writer_append(&w, schema, rows, size, 0.0, NULL, &error) == FMT_OK;
            size = 0;
        }
        if (i < t->n && t->rows[i].pe == pe) {
            uint32_t kind[2] = {(uint32_t)(t->rows[i].dest_lp % 5 % 3), 0};
            memcpy(rows + size, &t->rows[i], schema->row_size);
            size += schema->row_size;
            memcpy(rows + size, kind, t->rows[i].payload_size);
            size += t->rows[i].payload_size;
        }
    }
    good = good && fmt_writer_end(&w, &(struct fmt_end_info){.code = FMT_END_TIME, .text = ""},
                                  &error) == FMT_OK;
    if (!good) {
        fprintf(stderr, "%s\n", error.text);
    }
    fmt_writer_fini(&w);
    free(rows);
    return good;
}

/* Writes the events as an event trace. mode: of --event-trace. */
static inline bool causal_write(const struct causal_trace *t, const char *path, const char *mode)
{
    struct fmt_schema schema = causal_schema;
    const struct fmt_schema *schemas = &schema;
    char lps[32];
    struct fmt_text run[] = {{"total_lps", lps},
                             {"option_event_trace", mode},
                             {"option_event_times", t->o.timed == 1 ? "1" : "7"}};
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE,
                                .n_schemas = 1,
                                .schemas = &schemas,
                                .n_run = t->o.timed > 0 ? 3 : 2,
                                .run = run};
    struct fmt_file file;
    struct fmt_error error = {0};
    if (t->o.old) {
        schema.n_fields = 10;
        schema.row_size = offsetof(struct causal_row, send_order);
    }
    snprintf(lps, sizeof lps, "%u", t->o.lps);
    unlink(path);
    fmt_layout_init(&sb.layout, sb.stream, t->o.pes, 11, sizeof(struct causal_row) + 8);
    bool good = fmt_file_create(&file, path, &error) == FMT_OK;
    if (good) {
        good = fmt_superblock_write(&file.io, &sb, &error) == FMT_OK;
        for (uint32_t pe = 0; pe < t->o.pes && good; pe++) {
            good = causal_pe_write(t, &file, &sb, pe);
        }
        good = fmt_file_close(&file, &error) == FMT_OK && good;
    }
    if (!good) {
        fprintf(stderr, "%s: %s\n", path, error.text);
    }
    return good;
}

#endif
