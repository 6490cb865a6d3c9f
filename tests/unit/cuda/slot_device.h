/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slot_device.h - threads of the host that fill a slot as the device's function does, see slot.h.
 */
#ifndef WARPSCOPE_TESTS_SLOT_DEVICE_H
#define WARPSCOPE_TESTS_SLOT_DEVICE_H

#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "trace/slot.h"

static inline uint64_t device_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Waits until the ring has room for the places before `end`. Returns false to give up. */
static inline bool device_wait(struct ws_slot *slot, uint64_t end)
{
    struct ws_slot_control *control = (void *)(uintptr_t)slot->control;
    uint64_t begin = device_now(), capacity = slot->mask + 1;
    /* Acquire only for ThreadSanitizer: a GPU issues no store before the branch that it depends on. */
    if (end - __atomic_load_n(&slot->drained, __ATOMIC_ACQUIRE) <= capacity) {
        return true;
    }
    for (;;) {
        uint64_t drained = __atomic_load_n(&control->drained, __ATOMIC_ACQUIRE);
        if (end - drained <= capacity) {
            uint64_t seen = __atomic_load_n(&slot->drained, __ATOMIC_RELAXED);
            while (seen < drained &&
                   !__atomic_compare_exchange_n(&slot->drained, &seen, drained, false,
                                                __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
            }
            return true;
        }
        if (__atomic_load_n(&control->stop, __ATOMIC_ACQUIRE) != 0 ||
            __atomic_load_n(&slot->lost, __ATOMIC_RELAXED) !=
                __atomic_load_n(&control->forgiven, __ATOMIC_ACQUIRE) ||
            device_now() - begin > slot->patience) {
            return false;
        }
        sched_yield();
    }
}

/* Records the accesses of the active threads of a warp. Returns false if they are lost. */
static inline bool device_record(struct ws_slot *slot, const struct ws_slot_record *records,
                                 unsigned n)
{
    uint64_t at = __atomic_fetch_add(&slot->reserved, n, __ATOMIC_RELAXED);
    if (!device_wait(slot, at + n)) {
        __atomic_fetch_add(&slot->lost, n, __ATOMIC_RELAXED);
        return false;
    }
    struct ws_slot_record *ring = (void *)(uintptr_t)slot->records;
    for (unsigned i = 0; i < n; i++) {
        struct ws_slot_record *to = &ring[(at + i) & slot->mask];
        to->address = records[i].address;
        to->cta = records[i].cta;
        __atomic_store_n(&to->what, records[i].what, __ATOMIC_RELEASE);
    }
    return true;
}

#endif
