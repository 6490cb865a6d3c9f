/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * open_events.h - open events (see forward.c), which are found by LP, time and ordinal.
 *
 * The events are in an array of places. A new event gets the place that was freed last, which is
 * probably still in the cache. An index with entries of 8 bytes finds the places. Three quarters of its entries
 * or more are free, so that a search seldom needs a second one: branches then are predicted.
 *
 * Invariants
 *  O1  The index contains the places in use (those with left > 0), and finds them by their hashes.
 *      All other places are in the list of free places.
 *  O2  Two open events differ in LP, time or ordinal.
 *
 * Cost: 96 bytes per place, and 32 to 64 for the index. The number of places is the smallest power
 * of two that is at least the largest number of open events so far. A search has two or three cache
 * misses, which prefetching hides.
 */
#ifndef WARPSCOPE_READER_ANALYZE_OPEN_EVENTS_H
#define WARPSCOPE_READER_ANALYZE_OPEN_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analyze/trace.h"
#include "data/memory.h"
#include "store/index.h"

/* Maximum number of lengths of paths that are computed at the same time. */
#define ANALYZE_LENGTHS 6u

struct analyze_open {
    double ts; /* virtual time of the event */
    /* lp: LP of the event; order: ordinal of the event among the events of the LP at that time. In
     * a free place, `order` is the index of the next free place plus 1; 0: no further free
     * place. */
    uint32_t lp, order;
    /* Number of events that it sent and that the walk has not reached yet; 0: the place is free. */
    uint32_t left;
    uint32_t pe, type; /* pe: PE of the event; type: index of the type of its LP, plus 1 */
    uint32_t hash;     /* hash of lp, ts and order; set by analyze_open_add() */
    double real_time;
    uint64_t number;
    uint64_t lengths[ANALYZE_LENGTHS]; /* lengths of the longest paths that end with the event */
};

/* Returns true if two times are equal. */
static inline bool analyze_same_time(double a, double b)
{
    return !(a < b) && !(a > b);
}

struct analyze_opens {
    struct analyze_open *list; /* all places, in use or free; the elements are in `memory` */
    struct ws_memory memory;
    struct index index;
    uint32_t n_list, n;
    uint32_t free; /* index of the place that was freed last, plus 1; 0: no place is free */
    size_t most;   /* largest number of open events so far */
};

static inline uint32_t analyze_open_hash(uint32_t lp, double ts, uint32_t order)
{
    uint64_t bits;
    memcpy(&bits, &ts, sizeof bits);
    uint64_t h = (bits ^ (uint64_t)lp << 32 ^ lp) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ order) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32);
}

/* Returns the open event with this LP, time and ordinal; NULL if there is none. The result is valid
 * until the next event is added. */
struct analyze_open *analyze_open_find(const struct analyze_opens *opens, uint32_t lp, double ts,
                                       uint32_t order);
/* Adds a copy of event, which must not be among the open events; event->left must be at least 1.
 * Returns false if memory is exhausted. */
bool analyze_open_add(struct analyze_opens *opens, const struct analyze_open *event);
void analyze_open_remove(struct analyze_opens *opens, struct analyze_open *event);

/* Prefetches the entry of the index with which a search for the event, or its addition, begins. */
static inline __attribute__((always_inline)) void
analyze_open_prefetch(const struct analyze_opens *opens, uint32_t lp, double ts, uint32_t order)
{
    if (opens->index.n_slots > 0) {
        uint32_t at = analyze_open_hash(lp, ts, order) & (opens->index.n_slots - 1);
        __builtin_prefetch(&opens->index.slots[at]);
    }
}

/* Prefetches the place that a search for the event will probably reach. analyze_open_prefetch()
 * should have been called some time before. */
static inline __attribute__((always_inline)) void
analyze_open_prefetch_place(const struct analyze_opens *opens, uint32_t lp, double ts,
                            uint32_t order)
{
    uint32_t hash = analyze_open_hash(lp, ts, order), at = hash, place;
    if (index_next(&opens->index, hash, &at, &place)) {
        __builtin_prefetch(&opens->list[place]);
        __builtin_prefetch((const char *)&opens->list[place] + 64);
    }
}
void analyze_opens_free(struct analyze_opens *opens);

/* Returns true if the invariants O1 and O2 hold. */
bool analyze_opens_check(const struct analyze_opens *opens);

/* ---- Passes that follow events to their causes ------------------------------------------------- */

/* Returns a + b, or UINT64_MAX if the sum would overflow, as it can with a hostile trace. */
static inline uint64_t analyze_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t analyze_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Finds the open cause of event e; NULL if there is none. Returns false if the event should wait for
 * it: the cause may be an event of another PE at the same time, which the walk has not reached yet.
 * must: true if the event cannot wait. *src_pe: number of the PE of the last event of e->src, plus 1; 0:
 * no event. */
static inline bool analyze_cause_find(const struct analyze_opens *opens, uint32_t n_pes,
                                      const struct analyze_event *e, bool must,
                                      const uint32_t *src_pe, struct analyze_open **cause)
{
    *cause = e->send_order < 0 || e->send_ts > e->ts
                 ? NULL
                 : analyze_open_find(opens, e->src, e->send_ts, (uint32_t)e->send_order);
    return *cause != NULL || e->send_order < 0 || must || n_pes < 2 ||
           !analyze_same_time(e->send_ts, e->ts) || e->lp == e->src || *src_pe == e->pe + 1;
}

/* Decrements the number of events that `cause` sent and that the walk has not reached yet. Removes
 * `cause` from the open events when that number is 0. */
static inline void analyze_cause_leave(struct analyze_opens *opens, struct analyze_open *cause)
{
    if (--cause->left == 0) {
        analyze_open_remove(opens, cause);
    }
}

/* Called with an event and its open cause; NULL: it has none in the trace. now: the event, which may be the
 * cause of later ones: `number` and `lengths` are for the function. */
typedef void (*analyze_with_cause_f)(const struct analyze_event *e,
                                     const struct analyze_open *cause, struct analyze_open *now,
                                     void *ctx);
/* Calls `take` for each event of a trace, and sets *missing to the number of those that have a cause outside of the
 * trace. Returns false after an error message. Memory: 16 bytes per LP, 96 to 256 per open event. */
bool analyze_causes_walk(struct analyze_trace *trace, analyze_with_cause_f take, void *ctx,
                         uint64_t *missing);

#endif
