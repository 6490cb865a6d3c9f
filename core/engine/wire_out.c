/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_out.c - events and anti-messages that leave for other ranks, in the format of wire.h. */
#include <assert.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/wire.h"

size_t engine_wire_max_bytes(size_t msg_size)
{
    return sizeof(struct wire_event) + (MAX_TIE_CHAIN - 1) * sizeof(double) +
           engine_wire_payload_bytes(msg_size) + sizeof(struct wire_stamp);
}

/* Writes the stamp behind a message: the time of sending, and the rollback in progress. */
static __attribute__((noinline)) void write_stamp(const struct pe *pe, unsigned char *at)
{
    struct wire_stamp stamp = {.sent_ns =
                                   (int64_t)clock_monotonic_ns() + pe->message_clock.offset_ns,
                               .rollback = pe->rollback};
    memcpy(at, &stamp, sizeof stamp);
}

/* Updates GVT data and counters for an event or anti-message sent to another rank. */
static void note_sent(struct pe *pe, const tw_event *event, bool anti)
{
    assert(event->recv_ts >= pe->head.GVT); /* invariant G3 of gvt.h: no message precedes GVT */
    struct event_key key = event_key(event);
    pe->counters.network_sends++;
    if (event_key_before(&key, &pe->gvt.least_sent)) {
        pe->gvt.least_sent = key;
    }
    if (event->recv_ts < pe->gvt.clocks_least) {
        pe->gvt.clocks_least = event->recv_ts; /* the receiver does not know it yet */
    }
    if (PROBE_IS_WANTED(&pe->probes, message_sent)) {
        tw_lp *source = mapping_arrived(&pe->mapping, &pe->lps, event->send_lp);
        PROBE_CALL(&pe->probes, message_sent, source, anti);
    }
}

void engine_send_remote(struct pe *pe, tw_event *event, int32_t send_order)
{
    assert(event->dest_lp == NULL && event->state.lineage_len >= 1);
    size_t rest_bytes = (event->state.lineage_len - 1u) * sizeof(double);
    size_t size = sizeof(struct wire_event) + rest_bytes + engine_wire_payload_bytes(pe->msg_bytes);
    const bool is_stamped = pe->message_clock.stamps;
    struct wire_event *wire = transport_reserve(
        pe->transport, (int)event->send_pe, size + (is_stamped ? sizeof(struct wire_stamp) : 0));
    *wire = (struct wire_event){.head = {.recv_ts = event->recv_ts,
                                         .handle = event->handle,
                                         .seq = event->event_id,
                                         .kind = WIRE_EVENT,
                                         .is_stamped = is_stamped,
                                         .lineage_len = event->state.lineage_len,
                                         .send_order = send_order},
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
    if (is_stamped) {
        write_stamp(pe, (unsigned char *)wire + size);
    }
    pe->counters.remote_events++;
    /* An offset that is the lookahead may be shorter by a rounding error. */
    pe->lookahead_kept += event->recv_ts >= event->send_ts + pe->lookahead || pe->initialising;
    note_sent(pe, event, false);
}

void engine_send_anti(struct pe *pe, tw_event *event)
{
    assert(event->handle != EVENT_HANDLE_NONE && event->event_id != 0);
    const bool is_stamped = pe->message_clock.stamps;
    struct wire_anti *wire =
        transport_reserve(pe->transport, (int)event->send_pe,
                          sizeof *wire + (is_stamped ? sizeof(struct wire_stamp) : 0));
    *wire = (struct wire_anti){.recv_ts = event->recv_ts,
                               .handle = event->handle,
                               .seq = event->event_id,
                               .kind = WIRE_ANTI,
                               .is_stamped = is_stamped};
    if (is_stamped) {
        write_stamp(pe, (unsigned char *)(wire + 1));
    }
    pe->counters.anti_sends++;
    note_sent(pe, event, true);
    remote_table_give_handle(&pe->remotes, event);
    event_pool_put(&pe->pool, event);
}
