/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perfetto.c - writes a timeline as a trace of Perfetto: Protocol Buffers of its published schema
 * (protos/perfetto/trace/trace.proto and the files that it includes).
 *
 * A trace consists of packets. The packets of a PE form a sequence, which begins with a clock and
 * with the names to which later packets refer by number (interned names). A time is the difference
 * to the previous time on that clock. A slice has one packet for its beginning, with the ids of its
 * flows, and one for its end. The packet for the beginning stays open until all flows have come.
 *
 * Perfetto identifies threads by a system-wide number, and process 0 is its idle process. PE p is
 * therefore process p + 1, and processes with tasks follow. Tracks (threads, counters) have numbers
 * from 2 n_pes + 1 on. Names of tasks are strings in the packets, because there may be many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/viewers/protobuf.h"
#include "export/viewers/timeline.h"
#include "store/array.h"

/* Numbers of the fields in the messages of the schema, and values of enums in it. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60
};
enum { SNAPSHOT_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2, CLOCK_INCREMENTAL = 3 };
enum { DEFAULTS_CLOCK = 58 };
enum { INTERNED_CATEGORIES = 1, INTERNED_NAMES = 2, INTERNED_ARGS = 3, IID = 1, IID_NAME = 2 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8
};
/* TRACK_PID: in the messages of processes and of threads. */
enum { TRACK_PID = 1, PROCESS_NAME = 6, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
    EVENT_CATEGORY = 3,
    EVENT_ARG = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORY_TEXT = 22,
    EVENT_NAME_TEXT = 23,
    EVENT_COUNTER = 44, /* number of the field double_counter_value */
    EVENT_FLOW = 47,
    EVENT_FLOW_ENDS = 48
};
enum { ARG_NAME = 1, ARG_U64 = 3, ARG_I64 = 4, ARG_F64 = 5, ARG_TEXT = 6 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };
enum { CLOCK_BOOTTIME = 6, CLOCK_OWN = 64 };

#define FLUSH_SIZE ((size_t)64 << 10)

struct state {
    struct ws_timeline_state base;
    struct ws_protobuf p;
    bool is_open;         /* true while flows can be added to the packet of a slice */
    size_t packet, event; /* offsets in `p` of the open packet and of the event in it */
    int64_t time;         /* time of the last packet in the sequence */
    uint64_t tracks;      /* largest number of a track so far */
    uint64_t *kp_track;   /* owned; [KP of the current PE]: number of its track */
    size_t n_kp_track;
    /* [counter of the current PE]: number of its track; 0: none yet. */
    uint64_t counter_track[WS_COUNTERS_MAX];
};

static bool begin(struct ws_export *x)
{
    struct state *s = x->state;
    s->tracks = 2 * (uint64_t)s->base.timeline->n_pes;
    return true;
}

/* ---- Packets --------------------------------------------------------------------------------- */

static size_t packet_begin(struct state *s, uint32_t pe, uint64_t flags)
{
    size_t at = ws_protobuf_begin(&s->p, TRACE_PACKET);
    ws_protobuf_u64(&s->p, PACKET_SEQUENCE, (uint64_t)pe + 1);
    ws_protobuf_u64(&s->p, PACKET_FLAGS, flags);
    return at;
}

static bool packet_end(struct ws_export *x, size_t at)
{
    struct state *s = x->state;
    ws_protobuf_end(&s->p, at);
    if (s->p.failed) {
        return ws_no_memory(&x->outs.failed);
    }
    if (s->p.used < FLUSH_SIZE) {
        return true;
    }
    bool good = ws_out_write(s->base.out, s->p.data, s->p.used);
    s->p.used = 0;
    return good;
}

static void clock_write(struct ws_protobuf *p, uint64_t id, bool incremental)
{
    size_t at = ws_protobuf_begin(p, SNAPSHOT_CLOCK);
    ws_protobuf_u64(p, CLOCK_ID, id);
    ws_protobuf_u64(p, CLOCK_TIMESTAMP, 0);
    if (incremental) {
        ws_protobuf_u64(p, CLOCK_INCREMENTAL, 1);
    }
    ws_protobuf_end(p, at);
}

static void interned_write(struct ws_protobuf *p, uint32_t field, const char *const *names,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = ws_protobuf_begin(p, field);
        ws_protobuf_u64(p, IID, i + 1);
        ws_protobuf_text(p, IID_NAME, names[i]);
        ws_protobuf_end(p, at);
    }
}

/* Begins the packet sequence of a PE: writes the data to which its later packets refer. */
static bool sequence_begin(struct ws_export *x, uint32_t pe)
{
    struct state *s = x->state;
    struct ws_protobuf *p = &s->p;
    size_t packet = packet_begin(s, pe, FLAG_CLEARED), at;
    at = ws_protobuf_begin(p, PACKET_CLOCK_SNAPSHOT);
    clock_write(p, CLOCK_BOOTTIME, false);
    clock_write(p, CLOCK_OWN, true);
    ws_protobuf_end(p, at);
    at = ws_protobuf_begin(p, PACKET_DEFAULTS);
    ws_protobuf_u64(p, DEFAULTS_CLOCK, CLOCK_OWN);
    ws_protobuf_end(p, at);
    at = ws_protobuf_begin(p, PACKET_INTERNED);
    interned_write(p, INTERNED_CATEGORIES, ws_category_names, WS_CATEGORIES);
    interned_write(p, INTERNED_NAMES, s->base.timeline->names, s->base.timeline->n_names);
    interned_write(p, INTERNED_ARGS, (const char *const *)s->base.names.names, s->base.names.n);
    ws_protobuf_end(p, at);
    s->time = 0;
    return packet_end(x, packet);
}

/* ---- Tracks ---------------------------------------------------------------------------------- */

/* Describes track `number` of a PE. kind: TRACK_PROCESS, TRACK_THREAD or TRACK_COUNTER. */
static bool track_write(struct ws_export *x, uint32_t pe, uint64_t number, uint32_t kind,
                        const char *name)
{
    struct state *s = x->state;
    struct ws_protobuf *p = &s->p;
    size_t packet = packet_begin(s, pe, FLAG_NEEDS), track = ws_protobuf_begin(p, PACKET_TRACK);
    ws_protobuf_u64(p, TRACK_UUID, number);
    if (kind == TRACK_COUNTER) {
        ws_protobuf_text(p, TRACK_NAME, name);
    }
    if (kind != TRACK_PROCESS) {
        ws_protobuf_u64(p, TRACK_PARENT, (uint64_t)pe + 1);
    }
    size_t at = ws_protobuf_begin(p, kind);
    if (kind != TRACK_COUNTER) {
        ws_protobuf_u64(p, TRACK_PID, (uint64_t)pe + 1);
    }
    if (kind == TRACK_PROCESS) {
        ws_protobuf_text(p, PROCESS_NAME, name);
    } else if (kind == TRACK_THREAD) {
        ws_protobuf_u64(p, THREAD_TID, number);
        ws_protobuf_text(p, THREAD_NAME, name);
    }
    ws_protobuf_end(p, at);
    ws_protobuf_end(p, track);
    return packet_end(x, packet);
}

/* Writes descriptions of the tracks that a moment needs, unless they have been written. Returns
 * false after an error message. */
static bool tracks_make(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    char name[WS_TRACK_NAME_MAX];
    if (s->base.seen.new_pe) {
        memset(s->counter_track, 0, sizeof s->counter_track);
        ws_process_name(name, s->base.timeline, m->pe);
        if (!sequence_begin(x, m->pe) ||
            !track_write(x, m->pe, (uint64_t)m->pe + 1, TRACK_PROCESS, name)) {
            return false;
        }
    }
    if (s->base.seen.new_kp) {
        if (!array_reserve(&s->kp_track, &s->n_kp_track, m->kp + 1u, sizeof *s->kp_track)) {
            return ws_no_memory(&x->outs.failed);
        }
        s->kp_track[m->kp] = ++s->tracks;
        ws_track_name(name, s->base.timeline, m);
        return track_write(x, m->pe, s->tracks, TRACK_THREAD, name);
    }
    if (m->kind == WS_MOMENT_COUNTER && s->counter_track[m->counter] == 0) {
        s->counter_track[m->counter] = ++s->tracks;
        return track_write(x, m->pe, s->tracks, TRACK_COUNTER,
                           s->base.timeline->counters.names[m->counter]);
    }
    return true;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Begins a packet and the event in it. Returns the offset of the packet, and sets *event to the
 * offset of the event. type: TYPE_BEGIN etc. */
static size_t event_begin(struct state *s, const struct ws_moment *m, uint64_t type, size_t *event)
{
    size_t packet = packet_begin(s, m->pe, FLAG_NEEDS);
    ws_protobuf_u64(&s->p, PACKET_TIMESTAMP, (uint64_t)(m->time - s->time));
    s->time = m->time;
    *event = ws_protobuf_begin(&s->p, PACKET_EVENT);
    ws_protobuf_u64(&s->p, EVENT_TYPE, type);
    ws_protobuf_u64(&s->p, EVENT_TRACK,
                    m->kind == WS_MOMENT_COUNTER ? s->counter_track[m->counter]
                                                 : s->kp_track[m->kp]);
    return packet;
}

static void args_write(struct state *s, const struct ws_moment *m)
{
    struct ws_protobuf *p = &s->p;
    const struct ws_moment_args *args = ws_moment_args(&s->base, m);
    for (uint32_t i = 0; i < args->n; i++) {
        const st_log_arg *arg = &args->list[i];
        size_t at = ws_protobuf_begin(p, EVENT_ARG);
        ws_protobuf_u64(p, ARG_NAME, args->keys[i] + 1);
        if (arg->kind == ST_LOG_TEXT) {
            ws_protobuf_text(p, ARG_TEXT, arg->value.text);
        } else if (arg->kind == ST_LOG_F64) {
            ws_protobuf_f64(p, ARG_F64, arg->value.f64);
        } else if (arg->kind == ST_LOG_I64) {
            ws_protobuf_u64(p, ARG_I64, (uint64_t)arg->value.i64);
        } else {
            ws_protobuf_u64(p, ARG_U64, arg->value.u64);
        }
        ws_protobuf_end(p, at);
    }
}

static void names_write(struct state *s, const struct ws_moment *m)
{
    char name[WS_SLICE_NAME_MAX];
    if (m->task == NULL) {
        ws_protobuf_u64(&s->p, EVENT_NAME, (uint64_t)m->name + 1);
        ws_protobuf_u64(&s->p, EVENT_CATEGORY, (uint64_t)ws_moment_category(m) + 1);
        return;
    }
    ws_protobuf_text(&s->p, EVENT_NAME_TEXT, ws_slice_name(name, s->base.timeline, m));
    ws_protobuf_text(&s->p, EVENT_CATEGORY_TEXT, ws_slice_category(m));
}

/* Begins a slice. Its packet stays open, since flows can follow. */
static void slice_open(struct state *s, const struct ws_moment *m)
{
    s->packet = event_begin(s, m, TYPE_BEGIN, &s->event);
    names_write(s, m);
    args_write(s, m);
    s->is_open = true;
}

static bool slice_close(struct ws_export *x)
{
    struct state *s = x->state;
    if (!s->is_open) {
        return true;
    }
    s->is_open = false;
    ws_protobuf_end(&s->p, s->event);
    return packet_end(x, s->packet);
}

static bool moment(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    size_t event, packet;
    if (m->kind == WS_MOMENT_FLOW_OUT || m->kind == WS_MOMENT_FLOW_IN) {
        ws_protobuf_fixed64(&s->p, m->kind == WS_MOMENT_FLOW_IN ? EVENT_FLOW_ENDS : EVENT_FLOW,
                            m->id);
        return true;
    }
    if (!slice_close(x) || !tracks_make(x, m)) {
        return false;
    }
    if (m->kind == WS_MOMENT_BEGIN) {
        slice_open(s, m);
        return true;
    }
    packet = event_begin(s, m,
                         m->kind == WS_MOMENT_END    ? TYPE_END
                         : m->kind == WS_MOMENT_STEP ? TYPE_INSTANT
                                                     : TYPE_COUNTER,
                         &event);
    if (m->kind == WS_MOMENT_COUNTER) {
        ws_protobuf_f64(&s->p, EVENT_COUNTER, m->value);
    } else if (m->kind == WS_MOMENT_STEP) {
        names_write(s, m);
        args_write(s, m);
    }
    ws_protobuf_end(&s->p, event);
    return packet_end(x, packet);
}

static bool end(struct ws_export *x)
{
    struct state *s = x->state;
    return slice_close(x) && ws_out_write(s->base.out, s->p.data, s->p.used);
}

static void fini(struct ws_export *x)
{
    struct state *s = x->state;
    ws_protobuf_free(&s->p);
    free(s->kp_track);
}

const struct ws_export_format ws_export_perfetto = {
    .name = "perfetto",
    .extension = ".pftrace",
    .to_pipe = true,
    .state_size = sizeof(struct state),
    .timeline = ws_export_timeline,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
