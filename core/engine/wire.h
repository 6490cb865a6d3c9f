/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire.h - the format of events and anti-messages between ranks, for wire_out.c and wire_in.c.
 *
 * An event consists of struct wire_event, the lineage (as doubles, without its first number) and
 * the payload. Each part is a multiple of 8 bytes, in the byte order that all ranks of a run share.
 * An anti-message consists only of struct wire_anti, 24 bytes. While rollbacks are observed, a
 * struct wire_stamp follows each event and each anti-message.
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
    uint8_t lineage_len; /* length of the event's lineage; not used in an anti-message */
    uint8_t reserved;
    /* send_order of the event, see probe_number_sends(); not used in an anti-message */
    int32_t send_order;
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
    int64_t sent_ns; /* wall-clock time of sending, see struct message_clock */
    /* number of the rollback in which an anti-message was sent; 0: none */
    uint64_t rollback;
};

/* Returns the number of bytes that the payload of a message takes on the wire. */
static inline size_t engine_wire_payload_bytes(size_t msg_size)
{
    return (msg_size + 7) & ~(size_t)7;
}

#endif
