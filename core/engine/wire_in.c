/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_in.c - events and anti-messages that arrive from other ranks, in the format of wire.h. */
#include <assert.h>

#include "engine/engine.h"
#include "engine/wire.h"

static void note_received(struct pe *pe, tw_lp *dest, bool anti)
{
    if (PROBE_IS_WANTED(&pe->probes, message_received)) {
        PROBE_CALL(&pe->probes, message_received, dest, anti);
    }
}

/* Creates an event from its wire format, as received from rank `from`. */
static tw_event *event_from_wire(struct pe *pe, int from, const struct wire_event *wire)
{
    assert(wire->head.kind == WIRE_EVENT);
    assert(wire->head.lineage_len >= 1 && wire->head.lineage_len <= MAX_TIE_CHAIN);
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
    event->state.lineage_len = wire->head.lineage_len & 0x7fu;
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

static void take_in(struct pe *pe, int from, const void *bytes)
{
    assert(from >= 0 && from < pe->comm.n_ranks && from != pe->comm.rank);
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
        event_pool_put(&pe->pool, event); /* dropped, because its anti-message arrived first */
        return;
    }
    /* overwrites event_id, which is no longer needed */
    event->send_order = wire->head.send_order;
    engine_enqueue_received(pe, event);
}

static void deliver(void *ctx, int from, const void *bytes)
{
    struct pe *pe = ctx;
    pe->arriving = bytes;
    take_in(pe, from, bytes);
    pe->arriving = NULL;
}

bool engine_receive(struct pe *pe)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_network_read);
    bool any = transport_poll(pe->transport, deliver, pe);
    phase_enter(&pe->phases, before);
    return any;
}
