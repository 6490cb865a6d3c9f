/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire.h - the format of events and anti-messages between ranks, for wire_out.c and wire_in.c.
 *
 * All parts are multiples of 8 bytes, in the byte order that all ranks of a run share: struct
 * wire_event, lineage[1..] as doubles, payload. An anti-message consists of the first 24 bytes.
 */
#ifndef WARPSCOPE_ENGINE_WIRE_H
#define WARPSCOPE_ENGINE_WIRE_H

#include <stdint.h>

enum wire_kind { WIRE_EVENT = 1, WIRE_ANTI = 2 };

struct wire_anti {
    double recv_ts;
    uint32_t handle;
    uint32_t seq;
    uint32_t kind;
    uint32_t lineage_len; /* length of the lineage; only in an event, not in an anti-message */
};

struct wire_event {
    struct wire_anti head;
    double send_ts;
    double prio;
    double tie;
    uint64_t src;
    uint64_t dest;
};

#endif
