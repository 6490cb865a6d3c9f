/*
 * export_perfetto.c - a timeline as a trace of Perfetto: Protocol Buffers, as its published schema
 * (protos/perfetto/trace/trace.proto and the files that it includes) has them.
 *
 * A trace is a sequence of packets. Those of a PE are a sequence of their own, which begins with
 * the names that later packets mention by number (interned), and a clock whose times are given as
 * differences to the one before. A slice is a packet for its beginning, with the ids of its flows,
 * and one for its end; so a beginning is held until its flows are known.
 *
 * Perfetto knows threads by their number in the whole system, and takes process 0 for the idle one:
 * PE p is process p + 1, and tracks (threads, counters) are numbered from n_pes + 1 on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export_timeline.h"
#include "protobuf.h"

/* Numbers of fields, by message. */
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
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
    EVENT_CATEGORY = 3,
    EVENT_ARG = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_COUNTER = 44, /* double_counter_value */
    EVENT_FLOW = 47,
    EVENT_FLOW_ENDS = 48
};
enum { ARG_NAME = 1, ARG_U64 = 3, ARG_F64 = 5 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };
enum { CLOCK_BOOTTIME = 6, CLOCK_OWN = 64 };

#define FLUSH_SIZE ((size_t)64 << 10)

struct state {
    struct ws_out *out;
    const struct ws_timeline *timeline;
    struct ws_seen seen;
    struct ws_protobuf p;
    struct ws_moment held; /* a beginning without its flows; kind END: none */
    uint64_t *flows; /* owned; of held: shifted left by one, the lowest bit 1 for those to it */
    size_t n_flows, flows_room;
    int64_t time;       /* of the sequence's last packet */
    uint64_t tracks;    /* numbers given so far */
    uint64_t *kp_track; /* owned; of the PE at hand */
    size_t n_kp_track;
    uint64_t counter_track[WS_COUNTERS]; /* of the PE at hand; 0: none yet */
};

static bool begin(struct ws_export *x, const struct ws_timeline *timeline)
{
    struct state *s = calloc(1, sizeof *s);
    x->state = s;
    if (s == NULL) {
        return ws_export_no_memory(x);
    }
    s->timeline = timeline;
    s->tracks = timeline->evtrace->sb->layout.n_pes;
    s->held.kind = WS_MOMENT_END;
    s->out = ws_export_out(x, NULL);
    return s->out != NULL;
}

/* ---- Packets ----------------------------------------------------------------------------------
 */

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
        return ws_export_no_memory(x);
    }
    if (s->p.used < FLUSH_SIZE) {
        return true;
    }
    bool good = ws_out_write(s->out, s->p.data, s->p.used);
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

/* What the other packets of a PE need. */
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
    interned_write(p, INTERNED_NAMES, s->timeline->names, s->timeline->n_names);
    interned_write(p, INTERNED_ARGS, ws_arg_names, WS_ARG_NAMES);
    ws_protobuf_end(p, at);
    s->time = 0;
    return packet_end(x, packet);
}

/* ---- Tracks -----------------------------------------------------------------------------------
 */

static bool process_write(struct ws_export *x, uint32_t pe)
{
    struct state *s = x->state;
    char name[32];
    size_t packet = packet_begin(s, pe, FLAG_NEEDS);
    size_t track = ws_protobuf_begin(&s->p, PACKET_TRACK);
    ws_protobuf_u64(&s->p, TRACK_UUID, (uint64_t)pe + 1);
    size_t process = ws_protobuf_begin(&s->p, TRACK_PROCESS);
    snprintf(name, sizeof name, "PE %u", pe);
    ws_protobuf_u64(&s->p, PROCESS_PID, (uint64_t)pe + 1);
    ws_protobuf_text(&s->p, PROCESS_NAME, name);
    ws_protobuf_end(&s->p, process);
    ws_protobuf_end(&s->p, track);
    return packet_end(x, packet);
}

static bool thread_write(struct ws_export *x, uint32_t pe, uint32_t kp, uint64_t number)
{
    struct state *s = x->state;
    char name[32];
    size_t packet = packet_begin(s, pe, FLAG_NEEDS);
    size_t track = ws_protobuf_begin(&s->p, PACKET_TRACK);
    ws_protobuf_u64(&s->p, TRACK_UUID, number);
    ws_protobuf_u64(&s->p, TRACK_PARENT, (uint64_t)pe + 1);
    size_t thread = ws_protobuf_begin(&s->p, TRACK_THREAD);
    snprintf(name, sizeof name, "KP %u", kp);
    ws_protobuf_u64(&s->p, THREAD_PID, (uint64_t)pe + 1);
    ws_protobuf_u64(&s->p, THREAD_TID, number);
    ws_protobuf_text(&s->p, THREAD_NAME, name);
    ws_protobuf_end(&s->p, thread);
    ws_protobuf_end(&s->p, track);
    return packet_end(x, packet);
}

static bool counter_write(struct ws_export *x, uint32_t pe, uint32_t counter, uint64_t number)
{
    struct state *s = x->state;
    size_t packet = packet_begin(s, pe, FLAG_NEEDS);
    size_t track = ws_protobuf_begin(&s->p, PACKET_TRACK);
    ws_protobuf_u64(&s->p, TRACK_UUID, number);
    ws_protobuf_text(&s->p, TRACK_NAME, ws_counter_names[counter]);
    ws_protobuf_u64(&s->p, TRACK_PARENT, (uint64_t)pe + 1);
    ws_protobuf_end(&s->p, ws_protobuf_begin(&s->p, TRACK_COUNTER));
    ws_protobuf_end(&s->p, track);
    return packet_end(x, packet);
}

/* Makes the tracks that a moment needs. */
static bool tracks_make(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    if (!ws_seen_note(&s->seen, m)) {
        return ws_export_no_memory(x);
    }
    if (s->seen.new_pe) {
        memset(s->counter_track, 0, sizeof s->counter_track);
        if (!sequence_begin(x, m->pe) || !process_write(x, m->pe)) {
            return false;
        }
    }
    if (s->seen.new_kp) {
        if (m->kp >= s->n_kp_track) {
            size_t n = 2 * (size_t)m->kp + 64;
            uint64_t *tracks = realloc(s->kp_track, n * sizeof *tracks);
            if (tracks == NULL) {
                return ws_export_no_memory(x);
            }
            s->kp_track = tracks;
            s->n_kp_track = n;
        }
        s->kp_track[m->kp] = ++s->tracks;
        return thread_write(x, m->pe, m->kp, s->tracks);
    }
    if (m->kind == WS_MOMENT_COUNTER && s->counter_track[m->counter] == 0) {
        s->counter_track[m->counter] = ++s->tracks;
        return counter_write(x, m->pe, m->counter, s->tracks);
    }
    return true;
}

/* ---- Events -----------------------------------------------------------------------------------
 */

/* A packet with the beginning of its event; *event: where that began. */
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

static void args_write(struct ws_protobuf *p, const struct ws_moment *m)
{
    struct ws_moment_arg args[WS_MOMENT_ARGS_MAX];
    uint32_t n = ws_moment_args(m, args);
    for (uint32_t i = 0; i < n; i++) {
        size_t arg = ws_protobuf_begin(p, EVENT_ARG);
        ws_protobuf_u64(p, ARG_NAME, args[i].key + 1);
        if (args[i].is_time) {
            ws_protobuf_f64(p, ARG_F64, args[i].time);
        } else {
            ws_protobuf_u64(p, ARG_U64, args[i].number);
        }
        ws_protobuf_end(p, arg);
    }
}

/* The beginning that was held. */
static bool held_write(struct ws_export *x)
{
    struct state *s = x->state;
    const struct ws_moment *m = &s->held;
    size_t event, packet;
    if (m->kind != WS_MOMENT_BEGIN) {
        return true;
    }
    packet = event_begin(s, m, TYPE_BEGIN, &event);
    ws_protobuf_u64(&s->p, EVENT_NAME, (uint64_t)m->name + 1);
    ws_protobuf_u64(&s->p, EVENT_CATEGORY, (uint64_t)ws_moment_category(m) + 1);
    args_write(&s->p, m);
    for (size_t i = 0; i < s->n_flows; i++) {
        ws_protobuf_fixed64(&s->p, (s->flows[i] & 1) != 0 ? EVENT_FLOW_ENDS : EVENT_FLOW,
                            s->flows[i] >> 1);
    }
    ws_protobuf_end(&s->p, event);
    s->held.kind = WS_MOMENT_END;
    s->n_flows = 0;
    return packet_end(x, packet);
}

static bool flow_hold(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    if (s->n_flows == s->flows_room) {
        size_t room = 2 * s->flows_room + 16;
        uint64_t *flows = realloc(s->flows, room * sizeof *flows);
        if (flows == NULL) {
            return ws_export_no_memory(x);
        }
        s->flows = flows;
        s->flows_room = room;
    }
    s->flows[s->n_flows++] = m->id << 1 | (m->kind == WS_MOMENT_FLOW_IN);
    return true;
}

static bool moment(const struct ws_moment *m, void *ctx)
{
    struct ws_export *x = ctx;
    struct state *s = x->state;
    size_t event, packet;
    if (m->kind == WS_MOMENT_FLOW_OUT || m->kind == WS_MOMENT_FLOW_IN) {
        return flow_hold(x, m);
    }
    if (!held_write(x) || !tracks_make(x, m)) {
        return false;
    }
    if (m->kind == WS_MOMENT_BEGIN) {
        s->held = *m;
        return true;
    }
    packet = event_begin(s, m, m->kind == WS_MOMENT_END ? TYPE_END : TYPE_COUNTER, &event);
    if (m->kind == WS_MOMENT_COUNTER) {
        ws_protobuf_f64(&s->p, EVENT_COUNTER, m->value);
    }
    ws_protobuf_end(&s->p, event);
    return packet_end(x, packet);
}

static bool end(struct ws_export *x)
{
    struct state *s = x->state;
    return held_write(x) && ws_out_write(s->out, s->p.data, s->p.used) && ws_out_end(s->out);
}

static void fini(struct ws_export *x)
{
    struct state *s = x->state;
    if (s != NULL) {
        ws_seen_free(&s->seen);
        ws_protobuf_free(&s->p);
        free(s->flows);
        free(s->kp_track);
    }
    free(s);
}

const struct ws_export_format ws_export_perfetto = {
    .name = "perfetto",
    .extension = "pftrace",
    .to_pipe = true,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
