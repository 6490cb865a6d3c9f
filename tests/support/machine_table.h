/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_table.h - a source of random events for the tests of machine/: some events cause none,
 * others several; times coincide; events cause events of the same time for their own LP.
 */
#ifndef WARPSCOPE_TESTS_MACHINE_TABLE_H
#define WARPSCOPE_TESTS_MACHINE_TABLE_H

#include "machine/source.h"
#include "support/suite.h"

#define TABLE_MOST   4u /* events that an event causes, at most */
#define TABLE_EVENTS 4000u
#define TABLE_LPS    64u
#define TABLE_NONE   UINT32_MAX

struct table {
    struct wp_source source;
    uint32_t n;
    struct {
        double at;
        uint32_t lp, cause, n_next, next[TABLE_MOST];
    } events[TABLE_EVENTS];
    struct {
        uint32_t rank, kp;
    } lps[TABLE_LPS];
    /* [event] number of calls of cost(): odd if the event was executed once more than undone */
    uint32_t calls[TABLE_EVENTS];
};

static inline struct wp_event table_event(const struct table *t, uint32_t i)
{
    return wp_event_make(t->events[i].at, i, t->lps[t->events[i].lp].kp);
}

static inline uint32_t table_rank(const struct table *t, uint32_t i)
{
    return t->lps[t->events[i].lp].rank;
}

static inline bool table_start(const void *ctx, uint32_t rank, uint32_t i, struct wp_event *event)
{
    const struct table *t = ctx;
    for (uint32_t e = 0; e < t->n; e++) {
        if (t->events[e].cause == TABLE_NONE && table_rank(t, e) == rank && i-- == 0) {
            *event = table_event(t, e);
            return true;
        }
    }
    return false;
}

static inline uint32_t table_next(const void *ctx, uint32_t rank, const struct wp_event *event,
                                  struct wp_step *out)
{
    const struct table *t = ctx;
    const uint32_t e = (uint32_t)wp_number(event);
    CU_ASSERT_TRUE_FATAL(e < t->n && t->events[e].at == event->at && table_rank(t, e) == rank);
    for (uint32_t i = 0; i < t->events[e].n_next; i++) {
        const uint32_t next = t->events[e].next[i];
        out[i] = (struct wp_step){table_event(t, next), table_rank(t, next)};
    }
    return t->events[e].n_next;
}

static inline struct wp_cost table_cost(const void *ctx, const struct wp_event *event)
{
    struct table *t = (struct table *)(uintptr_t)ctx;
    const uint32_t e = (uint32_t)wp_number(event);
    t->calls[e]++;
    return (struct wp_cost){(float)(50 + e % 100), 30};
}

/* Makes a table of n events. lookahead: least offset of events for other LPs. */
static inline void table_make(struct table *t, uint32_t n, uint32_t ranks, uint32_t kps,
                              double lookahead, uint64_t *seed)
{
    *t = (struct table){.source = {.ctx = t,
                                   .most = TABLE_MOST,
                                   .n_events = n,
                                   .start = table_start,
                                   .next = table_next,
                                   .cost = table_cost},
                        .n = n};
    for (uint32_t lp = 0; lp < TABLE_LPS; lp++) {
        t->lps[lp].rank = (uint32_t)random_below(seed, ranks);
        t->lps[lp].kp = (uint32_t)random_below(seed, kps);
    }
    for (uint32_t i = 0; i < n; i++) {
        t->events[i].lp = (uint32_t)random_below(seed, TABLE_LPS);
        t->events[i].cause = TABLE_NONE;
        t->events[i].at = (double)random_below(seed, 8) / 4;
        uint32_t recent = i < 100 ? i : 100;
        uint32_t cause = recent > 0 ? i - 1 - (uint32_t)random_below(seed, recent) : 0;
        if (recent < 20 || t->events[cause].n_next == TABLE_MOST) {
            continue; /* a start event */
        }
        t->events[i].cause = cause;
        t->events[cause].next[t->events[cause].n_next++] = i;
        if (random_below(seed, 3) == 0) {
            t->events[i].lp = t->events[cause].lp;
            t->events[i].at = t->events[cause].at + (double)random_below(seed, 3) / 4;
        } else {
            t->events[i].at = t->events[cause].at + lookahead + (double)random_below(seed, 12) / 4;
        }
    }
}

#endif
