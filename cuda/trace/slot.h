/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A slot: the ring of records that the kernels of one stream fill and the host drains while they run.
 *
 * Rewritten kernels have one more parameter, the last one, of 8 bytes: the device's address of a slot, or 0 for a
 * launch that is not traced. The host adds it to the arguments of each launch. Kernels of a stream run one after the
 * other, so records of one launch are together in its ring.
 *
 * For each traced instruction, the active threads of a warp reserve places by one atomic addition to `reserved`, and
 * wait until reserved - drained <= capacity (the ring has room). Each thread then writes words 1 and 2 of its record,
 * a fence for the system, and word 0, which is never 0: it is the record's own commit mark. The host takes the record
 * at `drained` once its word 0 is not 0, sets the word to 0, and adds to `drained`. So nothing is overwritten and
 * nothing lost, the order is that of reservation, and no warp waits for another one's commit.
 *
 * The slot itself lies in the device's memory, so that reservation is fast. `control` is the device's address of a
 * struct ws_slot_control in the host's memory, which the host writes without any call of the driver (a program may
 * hold the driver's locks while it waits for a kernel that waits for the drain). `drained` in the slot is a copy that
 * may lag behind: a warp reads it first (ld.relaxed.gpu). If it shows no room, the warp reads control->drained and
 * control->stop (ld.acquire.sys) until there is room, and raises the copy (red.max.u64).
 *
 * A thread that waits for longer than `patience` nanoseconds, or sees `stop`, adds its records to `lost` and goes on:
 * a dead host costs records, which the host's library reports, and never hangs the kernel. The places of lost records
 * stay empty, so the host stops at the first of them until the launch ends. Therefore a waiting thread also gives up
 * when lost != control->forgiven: only the first thread waits for `patience`.
 */
#ifndef WARPSCOPE_CUDA_SLOT_H
#define WARPSCOPE_CUDA_SLOT_H

#include <stdint.h>

enum {
    WS_SLOT_RESERVED = 0, /* offsets in bytes; each group on a cache line of its own */
    WS_SLOT_LOST = 8,
    WS_SLOT_DRAINED = 128, /* a copy of control->drained, raised by kernels */
    WS_SLOT_RECORDS = 256, /* constant during a launch */
    WS_SLOT_MASK = 264,
    WS_SLOT_PATIENCE = 272,
    WS_SLOT_CONTROL = 280
};

/* In struct ws_slot_control. */
enum { WS_CONTROL_DRAINED = 0, WS_CONTROL_STOP = 8, WS_CONTROL_FORGIVEN = 16 };

/* The record is that of memory traces, version 1: three little-endian words of 64 bits. */
struct ws_slot_record {
    uint64_t what; /* SM << 32 | type << 28 | size; not 0 */
    uint64_t address;
    uint64_t cta; /* x << 32 | y << 16 | z */
};

/* In the host's memory, mapped for the device, on a cache line of its own; only the host writes it. */
struct ws_slot_control {
    uint64_t drained;
    uint64_t stop;     /* not 0: give up waiting */
    uint64_t forgiven; /* slot.lost when the present launch began */
};

struct ws_slot {
    uint64_t reserved; /* places, since the slot was made */
    uint64_t lost;
    uint64_t pad0[14];
    uint64_t drained;
    uint64_t pad1[15];
    uint64_t records;  /* the device's address of the ring */
    uint64_t mask;     /* capacity - 1; the capacity is a power of two, at least 64 records */
    uint64_t patience; /* nanoseconds of %globaltimer */
    uint64_t control;  /* the device's address of a struct ws_slot_control */
    uint64_t pad2[12];
};

/* The name of the hidden parameter ends with this; a kernel that has it is rewritten already. */
#define WS_HIDDEN_PARAMETER "_warpscope_slot"

#endif
