/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire_in.c - events and anti-messages on the wire, in both directions.
 *
 * Wire format, multiples of 8 bytes, in the byte order that all ranks of a run share: struct
 * wire_event, lineage[1..] as doubles, payload. An anti-message consists of the first 24 bytes.
 */
#include "engine/engine.h"

enum wire_kind { WIRE_EVENT = 1, WIRE_ANTI = 2 };

struct wire_anti {
    double recv_ts;
    uint32_t handle;
    uint32_t seq;
    uint32_t kind;
    uint32_t lineage_len; /* of an event only */
};

struct wire_event {
    struct wire_anti head;
    double send_ts;
    double prio;
    double tie;
    uint64_t src;
    uint64_t dest;
};

static size_t payload_wire_bytes(size_t msg_size)
{
    return (msg_size + 7) & ~(size_t)7;
}

size_t engine_wire_max_bytes(size_t msg_size)
{
    return sizeof(struct wire_event) + (MAX_TIE_CHAIN - 1) * sizeof(double) +
           payload_wire_bytes(msg_size);
}

/* Updates GVT data and counters for an event or anti-message sent to another rank. */
static void note_sent(struct pe *pe, const tw_event *event, bool anti)
{
    struct event_key key = event_key(event);
    pe->counters.network_sends++;
    if (event_key_before(&key, &pe->gvt.least_sent)) {
        pe->gvt.least_sent = key;
    }
    if (PROBE_IS_WANTED(&pe->probes, message_sent)) {
        tw_lp *source = mapping_arrived(&pe->mapping, &pe->lps, event->send_lp);
        PROBE_CALL(&pe->probes, message_sent, source, anti);
    }
}

static void note_received(struct pe *pe, tw_lp *dest, bool anti)
{
    if (PROBE_IS_WANTED(&pe->probes, message_received)) {
        PROBE_CALL(&pe->probes, message_received, dest, anti);
    }
}

void engine_send_remote(struct pe *pe, tw_event *event)
{
    size_t rest_bytes = (event->state.lineage_len - 1u) * sizeof(double);
    size_t size = sizeof(struct wire_event) + rest_bytes + payload_wire_bytes(pe->msg_bytes);
    struct wire_event *wire = transport_reserve(pe->transport, (int)event->send_pe, size);
    *wire = (struct wire_event){.head = {.recv_ts = event->recv_ts,
                                         .handle = event->handle,
                                         .seq = event->event_id,
                                         .kind = WIRE_EVENT,
                                         .lineage_len = event->state.lineage_len},
                                .send_ts = event->send_ts,
                                .prio = event->prio,
                                .tie = event->tie,
                                .src = event->send_lp,
                                .dest = event->dest_lpid};
    unsigned char *at = (unsigned char *)(wire + 1);
    if (rest_bytes > 0) {
        event_copy_lineage(event, at);
    }
    memcpy(at + rest_bytes, event_payload(event), pe->msg_bytes);
    pe->counters.remote_events++;
    note_sent(pe, event, false);
}

void engine_send_anti(struct pe *pe, tw_event *event)
{
    struct wire_anti *wire = transport_reserve(pe->transport, (int)event->send_pe, sizeof *wire);
    *wire = (struct wire_anti){.recv_ts = event->recv_ts,
                               .handle = event->handle,
                               .seq = event->event_id,
                               .kind = WIRE_ANTI};
    pe->counters.anti_sends++;
    note_sent(pe, event, true);
    remote_table_give_handle(&pe->remotes, event);
    event_pool_put(&pe->pool, event);
}

/* Creates an event from its wire format. */
static tw_event *event_from_wire(struct pe *pe, int from, const struct wire_event *wire)
{
    tw_event *event = event_pool_get(&pe->pool);
    if (event == NULL) {
        tw_error(TW_LOC, "out of event memory (%" PRIu64 " events alive); raise --max-memory",
                 pe->pool.in_use);
    }
    event->recv_ts = wire->head.recv_ts;
    event->prio = wire->prio;
    event->tie = wire->tie;
    event_clear_effects(event);
    event->send_ts = wire->send_ts;
    event->send_lp = wire->src;
    event->dest_lpid = wire->dest;
    event->send_pe = (uint32_t)from;
    event->handle = wire->head.handle;
    event->event_id = wire->head.seq;
    event->state.remote = 1;
    event->state.lineage_len = wire->head.lineage_len & 0x7f;
    const unsigned char *at = (const unsigned char *)(wire + 1);
    size_t rest_bytes = (event->state.lineage_len - 1u) * sizeof(double);
    if (rest_bytes > 0) {
        if (!event_pool_add_lineage(&pe->pool, event, at, event->state.lineage_len - 1u)) {
            tw_error(TW_LOC, "out of event memory; raise --max-memory");
        }
    }
    memcpy(event_payload(event), at + rest_bytes, pe->msg_bytes);
    event->dest_lp = mapping_arrived(&pe->mapping, &pe->lps, wire->dest);
    if (event->dest_lp == NULL) {
        tw_error(TW_LOC, "rank %d sent an event for LP %" PRIu64 ", which is not on this rank",
                 from, wire->dest);
    }
    return event;
}

/* Conservative: a rank executes a window without receiving messages. An event with an offset below
 * the lookahead may belong to a window that the receiver has executed. The order is lost if the
 * receiving LP has executed a later event. */
static void check_lookahead(const struct pe *pe, const tw_event *event)
{
    const double last = pe->lp_times[event->dest_lp->id];
    if (event->recv_ts <= last) {
        tw_error(TW_LOC,
                 "lookahead violation: an event from LP %" PRIu64
                 " at time %.17g, offset %g, comes "
                 "too late for LP %" PRIu64
                 ", which has executed events up to time %.17g; the lookahead is %g: lower "
                 "g_tw_lookahead (--cons-lookahead) or use --synch=3",
                 event->send_lp, event->send_ts, event->recv_ts - event->send_ts, event->dest_lpid,
                 last, pe->lookahead);
    }
}

static void deliver(void *ctx, int from, const void *bytes)
{
    struct pe *pe = ctx;
    const struct wire_event *wire = bytes;
    pe->counters.network_recvs++;
    if (wire->head.kind == WIRE_ANTI) {
        enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_event_lookup);
        tw_event *event =
            remote_table_cancel(&pe->remotes, (unsigned)from, wire->head.handle, wire->head.seq);
        phase_enter(&pe->phases, before);
        if (event != NULL) {
            note_received(pe, event->dest_lp, true);
            engine_cancel(pe, event);
        }
        return;
    }
    tw_event *event = event_from_wire(pe, from, wire);
    note_received(pe, event->dest_lp, false);
    if (event->handle != EVENT_HANDLE_NONE && !remote_table_arrive(&pe->remotes, event)) {
        note_received(pe, event->dest_lp, true);
        event_pool_put(&pe->pool, event); /* its anti-message arrived first */
        return;
    }
    if (pe->lp_times != NULL) {
        check_lookahead(pe, event);
    }
    engine_enqueue(pe, event);
}

bool engine_receive(struct pe *pe)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_network_read);
    bool any = transport_poll(pe->transport, deliver, pe);
    phase_enter(&pe->phases, before);
    return any;
}
