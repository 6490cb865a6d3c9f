/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A slot: the ring of records that the kernels of one stream fill, and that the host drains while
 * they run.
 *
 * Rewritten kernels have one more parameter, the last one, of 8 bytes: the device address of a
 * slot, or 0 for a launch that is not traced. The host adds this argument to each launch. Kernels
 * of a stream run one after the other, so that the records of a launch are together in the stream's
 * ring.
 *
 * For each traced instruction, the active threads of a warp reserve places in the ring by one
 * atomic addition to `reserved`. They wait until the ring has room, that is until reserved -
 * drained <= capacity. Each thread then writes words 1 and 2 of its record, and after them word 0,
 * by a release store (st.release.sys). Word 0 is never 0 and marks the record as committed. The
 * host takes the record at `drained` once its word 0 is not 0, sets the word to 0, and increments
 * `drained`. No record is overwritten, records are in the order of reservation, and no warp waits
 * for the commit of another.
 *
 * The slot is in device memory, so that reservation is fast. `control` is the device address of a
 * struct ws_slot_control in host memory. The host writes to that structure without a call of the
 * driver: a program may hold locks of the driver while it waits for a kernel, which may wait for
 * the drain. `drained` in the slot is a copy of control->drained that may be older. A warp reads
 * the copy first (ld.relaxed.gpu). If the copy shows no room, the lowest active thread reads
 * control->drained (ld.acquire.sys) and control->stop (ld.relaxed.sys) until there is room. It then
 * raises the copy (red.max.u64).
 *
 * A thread gives up if it waits for longer than `patience` nanoseconds, or reads a non-zero `stop`.
 * It adds the number of its warp's records to `lost`, and the warp continues. If the host stops
 * draining, records are lost and reported, but the kernel never hangs. The places of lost records
 * stay empty, so that the host stops at the first of them until the launch ends. A waiting thread
 * therefore also gives up if lost != control->forgiven: only the first thread waits for `patience`.
 */
#ifndef WARPSCOPE_CUDA_SLOT_H
#define WARPSCOPE_CUDA_SLOT_H

#include <stdint.h>

/* Offsets in bytes in struct ws_slot. Each group of members has a cache line of its own. */
enum {
    WS_SLOT_RESERVED = 0,
    WS_SLOT_LOST = 8,
    /* begins the second group: a copy of control->drained, which kernels raise */
    WS_SLOT_DRAINED = 128,
    WS_SLOT_RECORDS = 256, /* begins the third group, which is constant during a launch */
    WS_SLOT_MASK = 264,
    WS_SLOT_PATIENCE = 272,
    WS_SLOT_CONTROL = 280
};

/* Offsets in bytes in struct ws_slot_control. */
enum { WS_CONTROL_DRAINED = 0, WS_CONTROL_STOP = 8, WS_CONTROL_FORGIVEN = 16 };

/* A record, in the layout of version 1 of memory traces: three little-endian 64-bit words. */
struct ws_slot_record {
    uint64_t what; /* SM << 32 | type << 28 | size; not 0 */
    uint64_t address;
    uint64_t cta; /* x << 32 | y << 16 | z */
};

/* Control words in host memory, which the device can read. They have a cache line of their own, and
 * only the host writes them. */
struct ws_slot_control {
    uint64_t drained;
    uint64_t stop;     /* not 0: kernels must not wait */
    uint64_t forgiven; /* value of `lost` in the slot at the time when the current launch began */
};

struct ws_slot {
    uint64_t reserved; /* number of places reserved since the slot was created */
    uint64_t lost;
    uint64_t pad0[14];
    uint64_t drained;
    uint64_t pad1[15];
    uint64_t records;  /* device address of the ring */
    uint64_t mask;     /* capacity - 1; the capacity is a power of two, at least 64 records */
    uint64_t patience; /* maximum time for which a thread waits, in nanoseconds of %globaltimer */
    uint64_t control;  /* device address of a struct ws_slot_control */
    uint64_t pad2[12];
};

/* End of the hidden parameter's name. A kernel with a parameter of this name was rewritten
 * before. */
#define WS_HIDDEN_PARAMETER "_warpscope_slot"

#endif
