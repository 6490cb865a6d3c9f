/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire.h - the format of events and anti-messages between ranks, for wire_out.c and wire_in.c.
 *
 * All parts are multiples of 8 bytes, in the byte order that all ranks of a run share: struct
 * wire_event, lineage[1..] as doubles, payload. An anti-message consists of the first 24 bytes.
 * While rollbacks are observed, a struct wire_stamp follows each event and each anti-message.
 */
#ifndef WARPSCOPE_ENGINE_WIRE_H
#define WARPSCOPE_ENGINE_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum wire_kind { WIRE_EVENT = 1, WIRE_ANTI = 2 };

struct wire_anti {
    double recv_ts;
    uint32_t handle;
    uint32_t seq;
    uint8_t kind;
    uint8_t is_stamped;  /* true if a struct wire_stamp follows the message */
    uint8_t lineage_len; /* length of the lineage; only in an event, not in an anti-message */
    uint8_t reserved;
    int32_t send_order; /* only in an event, see probe_number_sends() */
};

struct wire_event {
    struct wire_anti head;
    double send_ts;
    double prio;
    double tie;
    uint64_t src;
    uint64_t dest;
};

struct wire_stamp {
    int64_t sent_ns;   /* wall-clock time of sending, see struct message_clock */
    uint64_t rollback; /* anti-message: number of the sender's rollback that sent it; 0: none */
};

/* Returns the bytes of a message's payload on the wire. */
static inline size_t engine_wire_payload_bytes(size_t msg_size)
{
    return (msg_size + 7) & ~(size_t)7;
}

#endif
