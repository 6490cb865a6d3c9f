/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback_cause.c - finds out what caused a rollback, for observers.
 *
 * A rollback that cancels a local event stores its own number in the event (undo() in rollback.c).
 * If the sender stamps its messages, an anti-message carries the number of the rollback that sent
 * it, and every message the time of sending.
 */
#include <assert.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/wire.h"

/* Returns the stamp of the message that is being received; all zeros if there is none. */
static struct wire_stamp arriving_stamp(const struct pe *pe)
{
    const struct wire_event *wire = pe->arriving;
    struct wire_stamp stamp = {0};
    if (wire == NULL || !wire->head.is_stamped) {
        return stamp;
    }
    const unsigned char *end = pe->arriving;
    if (wire->head.kind == WIRE_ANTI) {
        end += sizeof wire->head;
    } else {
        end += sizeof *wire + (wire->head.lineage_len - 1u) * sizeof(double) +
               engine_wire_payload_bytes(pe->msg_bytes);
    }
    memcpy(&stamp, end, sizeof stamp);
    return stamp;
}

struct probe_rollback_cause probe_rollback_cause(const tw_event *e)
{
    const struct pe *pe = pe_self();
    struct probe_rollback_cause cause = {
        .trigger = pe->trigger, .src_pe = pe->comm.rank, .cause_pe = -1};
    if (e->state.remote) {
        cause.src_pe = (int32_t)e->send_pe;
    }
    if (cause.trigger == PROBE_TRIGGER_LOCAL_CANCEL) {
        cause.cause_number = (uint64_t)e->send_pe << 32 | e->handle; /* set by undo() */
        cause.cause_pe = cause.cause_number != 0 ? pe->comm.rank : -1;
    } else if (pe->arriving != NULL) {
        const struct wire_stamp stamp = arriving_stamp(pe);
        const int64_t now_ns = (int64_t)clock_monotonic_ns() + pe->message_clock.offset_ns;
        cause.travel_seconds = stamp.sent_ns != 0 ? (double)(now_ns - stamp.sent_ns) * 1e-9 : 0.0;
        if (cause.trigger == PROBE_TRIGGER_ANTI_MESSAGE && stamp.rollback != 0) {
            cause.cause_pe = cause.src_pe;
            cause.cause_number = stamp.rollback;
        }
    }
    return cause;
}
