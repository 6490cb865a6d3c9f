/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memsim_bench.h - hand-made states of memsim's slices and SMs, of a very small model. For tests
 * without an engine.
 *
 * Each state is followed by space for one more place or slot, which no code may use.
 */
#ifndef WARPSCOPE_TESTS_MEMSIM_BENCH_H
#define WARPSCOPE_TESTS_MEMSIM_BENCH_H

#include "slice.h"

enum { SMS = 3, OUTSTANDING = 5, PLACES = SMS * OUTSTANDING, MSHRS = 4, LISTS = MSHRS + 1 };

static const struct ms_model model = {.sms = SMS,
                                      .n_streams = 2,
                                      .outstanding = OUTSTANDING,
                                      .mshrs = MSHRS,
                                      .sets = 2,
                                      .ways = 2,
                                      .slices = 2,
                                      .slice_bits = 1,
                                      .line = 128,
                                      .line_bits = 7};

/* Makes a slice with all places free. */
static inline struct ms_slice *slice_new(void)
{
    size_t size = sizeof(struct ms_slice) + 4 * sizeof(struct ms_way) +
                  MSHRS * sizeof(struct ms_mshr) + (PLACES + 1) * sizeof(struct ms_request);
    struct ms_slice *s = calloc(1, size);
    s->held = PLACES;
    for (uint32_t place = PLACES; place > 0; place--) {
        ms_place_give_back(&model, s, place);
    }
    return s;
}

/* List 0: stalled; then those of the MSHRs. */
static inline struct ms_list *list_of(struct ms_slice *s, unsigned list)
{
    return list == 0 ? &s->stalled : &ms_mshrs(&model, s)[list - 1].waiting;
}

/* Handlers keep this relation: an MSHR is in use while a request waits for it. */
static inline void mshrs_follow(struct ms_slice *s)
{
    s->mshrs_used = 0;
    for (unsigned i = 0; i < MSHRS; i++) {
        struct ms_mshr *mshr = &ms_mshrs(&model, s)[i];
        mshr->line = mshr->waiting.first != 0 ? i + 1 : 0;
        s->mshrs_used += mshr->line != 0;
    }
    s->retrying = s->stalled.first != 0;
}

/* Makes an SM with all slots free. */
static inline struct ms_sm *sm_new(void)
{
    unsigned n = ms_n_slots(&model);
    struct ms_sm *sm =
        calloc(1, sizeof *sm + 2 * sizeof(struct ms_task) + (n + 1) * sizeof(struct ms_slot));
    for (unsigned i = 0; i < n; i++) {
        ms_slots(&model, sm)[i].next = i + 1 < n ? i + 2 : 0;
    }
    sm->free = 1;
    return sm;
}

/* Returns the top of the stack of free slots: 0 for a new SM. */
static inline struct ms_slot *slot_pop(struct ms_sm *sm)
{
    struct ms_slot *slot = &ms_slots(&model, sm)[sm->free - 1];
    sm->free = slot->next;
    *slot = (struct ms_slot){.used = 1};
    return slot;
}

#endif
