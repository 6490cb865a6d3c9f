/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * open_events.h - open events, found, by LP, time and ordinal.
 *
 * A hash table with linear probing; removal moves later entries back, so that there are no gaps.
 * Invariants O1 n_slots is 0 or a power of two; at most three quarters of the slots are in use. O2
 * Between the home of an entry and its slot no slot is free. O3 Two entries differ in LP, time or
 * ordinal. Cost: 96 bytes per slot, one or two cache misses per search.
 */
#ifndef WARPSCOPE_READER_ANALYZE_OPEN_EVENTS_H
#define WARPSCOPE_READER_ANALYZE_OPEN_EVENTS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ANALYZE_LENGTHS 6u /* most lengths of paths that are computed at a time */

struct analyze_open {
    double ts; /* time of the event */
    /* LP of the event, and ordinal of the event among those of the LP at that time */
    uint32_t lp, order;
    /* Number of events that it sent and that the walk has not reached; 0: free slot. */
    uint32_t left;
    uint32_t pe, type; /* PE and LP type of its LP */
    double real_time;
    uint64_t number;
    uint64_t lengths[ANALYZE_LENGTHS]; /* lengths of the longest paths that end with the event */
};

struct analyze_opens {
    struct analyze_open *slots; /* owned */
    size_t n_slots, n;
    size_t most; /* greatest number of open events so far */
};

static inline size_t analyze_open_hash(uint32_t lp, double ts, uint32_t order)
{
    uint64_t bits;
    memcpy(&bits, &ts, sizeof bits);
    uint64_t h = (bits ^ (uint64_t)lp << 32 ^ lp) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ order) * 0xbf58476d1ce4e5b9u;
    return (size_t)(h ^ h >> 32);
}

/* Returns the open event with this LP, time and ordinal; NULL if there is none. */
struct analyze_open *analyze_open_find(const struct analyze_opens *opens, uint32_t lp, double ts,
                                       uint32_t order);
/* Adds an event that must not be there. left must be at least 1. Returns false if out of memory. */
bool analyze_open_add(struct analyze_opens *opens, const struct analyze_open *event);
void analyze_open_remove(struct analyze_opens *opens, struct analyze_open *event);
static inline __attribute__((always_inline)) void
analyze_open_prefetch(const struct analyze_opens *opens, uint32_t lp, double ts, uint32_t order)
{
    if (opens->n_slots > 0) {
        size_t at = analyze_open_hash(lp, ts, order) & (opens->n_slots - 1);
        __builtin_prefetch(&opens->slots[at]);
        __builtin_prefetch((const char *)&opens->slots[at] + 64);
    }
}
void analyze_opens_free(struct analyze_opens *opens);

/* Asserts the invariants. */
void analyze_opens_check(const struct analyze_opens *opens);

#endif
