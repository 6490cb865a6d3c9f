/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring between kernels and the host: with many warps, a ring of 64 records and a slow host, each record arrives
 * once, in the order of its warp, also where counts pass 2^32. Warps that give up are counted, and the host goes on
 * behind their places.
 *
 * test: libs=warpscope_cuda_trace
 */
#include <pthread.h>
#include <string.h>

#include "slot_device.h"
#include "support/suite.h"
#include "trace/ring.h"

enum { WARPS = 6, CAPACITY = 64, WARP_RECORDS = 20000 };

static struct ws_slot_record cells[CAPACITY];
static struct ws_slot_control control;
static struct ws_slot slot;
static struct ws_ring ring;
static uint64_t lost_of[WARPS], sent_of[WARPS];
static uint32_t records_per_warp;
static bool gone; /* true when all warps have ended; atomic */

/* Like ws_ring_check(), but also checks that all places that are not reserved are empty. reserved: number of places
 * reserved since the slot was created. No kernel may be running. */
static bool check_free(const struct ws_ring *r, uint64_t reserved)
{
    uint64_t used = reserved - r->drained;
    for (uint64_t k = used; k <= r->mask; k++) {
        if (r->records[(r->drained + k) & r->mask].what != 0) {
            return false;
        }
    }
    return ws_ring_check(r) && r->drained <= reserved;
}

static void ring_make(uint64_t first, uint64_t patience)
{
    memset(cells, 0, sizeof cells);
    control = (struct ws_slot_control){.drained = first};
    slot = (struct ws_slot){.reserved = first,
                            .drained = first,
                            .records = (uint64_t)(uintptr_t)cells,
                            .mask = CAPACITY - 1,
                            .patience = patience,
                            .control = (uint64_t)(uintptr_t)&control};
    ring = (struct ws_ring){
        .records = cells, .mask = CAPACITY - 1, .drained = first, .control = &control};
    memset(lost_of, 0, sizeof lost_of);
    memset(sent_of, 0, sizeof sent_of);
    gone = false;
}

/* A warp: records with its number as SM and a count as address. */
static void *warp_run(void *user)
{
    uint64_t warp = (uint64_t)(uintptr_t)user, seed = warp + 1, count = 0;
    while (count < records_per_warp) {
        struct ws_slot_record records[32];
        unsigned n = 1 + (unsigned)random_below(&seed, 32);
        for (unsigned i = 0; i < n; i++) {
            records[i] = (struct ws_slot_record){
                .what = warp << 32 | 4, .address = count + i, .cta = ~(count + i)};
        }
        if (device_record(&slot, records, n)) {
            sent_of[warp] += n;
        } else {
            lost_of[warp] += n;
        }
        count += n;
    }
    return NULL;
}

static void *warps_run(void *unused)
{
    pthread_t threads[WARPS];
    for (uintptr_t i = 0; i < WARPS; i++) {
        CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, warp_run, (void *)i) == 0);
    }
    for (int i = 0; i < WARPS; i++) {
        pthread_join(threads[i], NULL);
    }
    __atomic_store_n(&gone, true, __ATOMIC_RELEASE);
    return unused;
}

static uint64_t got[WARPS], next_of[WARPS];

static void records_check(const struct ws_slot_record *records, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        uint64_t warp = records[i].what >> 32;
        good = good && warp < WARPS && (uint32_t)records[i].what == 4 &&
               records[i].cta == ~records[i].address && records[i].address >= next_of[warp];
        if (good) {
            next_of[warp] = records[i].address + 1;
            got[warp]++;
        }
    }
    CU_ASSERT(good);
}

/* Drains until the warps have ended. dead_after: number of records after which the host stops. */
static void host_run(uint64_t dead_after, bool slow)
{
    struct ws_slot_record some[50];
    pthread_t device;
    uint64_t seed = 3, taken = 0;
    bool is_sound = true;
    memset(got, 0, sizeof got);
    memset(next_of, 0, sizeof next_of);
    CU_ASSERT_FATAL(pthread_create(&device, NULL, warps_run, NULL) == 0);
    for (;;) {
        bool was_gone = __atomic_load_n(&gone, __ATOMIC_ACQUIRE);
        size_t n = taken >= dead_after ? 0 : ws_ring_take(&ring, some, 1 + random_below(&seed, 50));
        is_sound = is_sound && ws_ring_check(&ring);
        records_check(some, n);
        taken += n;
        if (n == 0 && was_gone) {
            break;
        }
        if (n == 0 || (slow && random_below(&seed, 4) == 0)) {
            sched_yield();
        }
    }
    pthread_join(device, NULL);
    for (size_t n; (n = ws_ring_take_rest(&ring, slot.reserved, some, 50)) > 0;) {
        records_check(some, n);
        is_sound = is_sound && check_free(&ring, slot.reserved);
    }
    CU_ASSERT(is_sound && check_free(&ring, slot.reserved));
    CU_ASSERT_EQUAL(ring.drained, slot.reserved);
    CU_ASSERT_EQUAL(control.drained, slot.reserved);
    for (size_t i = 0; i < CAPACITY; i++) {
        CU_ASSERT_EQUAL(cells[i].what, 0);
    }
}

static void all_arrive(void)
{
    static const uint64_t firsts[] = {0, (UINT64_C(1) << 32) - 5000};
    records_per_warp = WARP_RECORDS;
    for (size_t k = 0; k < 2; k++) {
        ring_make(firsts[k], UINT64_MAX);
        host_run(UINT64_MAX, k == 1);
        CU_ASSERT_EQUAL(slot.lost, 0);
        for (int i = 0; i < WARPS; i++) {
            CU_ASSERT_EQUAL(got[i], sent_of[i]);
            CU_ASSERT(sent_of[i] >= WARP_RECORDS);
        }
    }
}

static void some_lost(uint64_t patience, uint64_t dead_after)
{
    uint64_t lost = 0, sent = 0;
    ring_make(0, patience);
    control.stop = patience == UINT64_MAX;
    host_run(dead_after, false);
    for (int i = 0; i < WARPS; i++) {
        CU_ASSERT_EQUAL(got[i], sent_of[i]);
        lost += lost_of[i];
        sent += sent_of[i];
    }
    CU_ASSERT_EQUAL(slot.lost, lost);
    CU_ASSERT_EQUAL(slot.reserved, lost + sent);
}

/* A host that is gone costs the first warp its patience, and no other one. */
static void dead_host(void)
{
    records_per_warp = 2000;
    some_lost(2000000, 1000);
    CU_ASSERT(slot.lost > 0);
    some_lost(2000000, 0);
    CU_ASSERT(slot.lost > 0);
}

static void stopped(void)
{
    records_per_warp = 2000;
    some_lost(UINT64_MAX, 1000);
}

/* After a launch with lost records, the next one is complete. */
static void next_launch(void)
{
    struct ws_slot_record some[CAPACITY], one = {.what = 4};
    ring_make(0, 1);
    for (int i = 0; i < 3 * CAPACITY; i++) {
        device_record(&slot, &one, 1);
    }
    CU_ASSERT_EQUAL(slot.lost, 2 * CAPACITY);
    CU_ASSERT_EQUAL(ws_ring_take_rest(&ring, slot.reserved, some, CAPACITY), CAPACITY);
    CU_ASSERT_EQUAL(ws_ring_take_rest(&ring, slot.reserved, some, CAPACITY), 0);
    CU_ASSERT_EQUAL(ring.drained, 3 * CAPACITY);
    control.forgiven = slot.lost;
    for (int i = 0; i < CAPACITY; i++) {
        CU_ASSERT(device_record(&slot, &one, 1));
    }
    CU_ASSERT(check_free(&ring, slot.reserved));
    CU_ASSERT_EQUAL(ws_ring_take(&ring, some, CAPACITY), CAPACITY);
    CU_ASSERT(check_free(&ring, slot.reserved));
}

/* The checks find a count that was not published, a capacity that is no power of two, and records in free
 * places. */
static void checks(void)
{
    ring_make(5, 1);
    CU_ASSERT(ws_ring_check(&ring) && check_free(&ring, 5));
    ring.drained = 6;
    CU_ASSERT_FALSE(ws_ring_check(&ring));
    ring.drained = 5;
    ring.mask = CAPACITY - 2;
    CU_ASSERT_FALSE(ws_ring_check(&ring));
    ring.mask = CAPACITY - 1;
    cells[6].what = 4;
    CU_ASSERT(check_free(&ring, 7));
    CU_ASSERT_FALSE(check_free(&ring, 6));
    CU_ASSERT_FALSE(check_free(&ring, 4));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"all records arrive", all_arrive},
                                        {"a dead host", dead_host},
                                        {"a host that stops", stopped},
                                        {"the next launch", next_launch},
                                        {"checks", checks}};
    return suite_run("cuda ring", tests, sizeof tests / sizeof tests[0]);
}
