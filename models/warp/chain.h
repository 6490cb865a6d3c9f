/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.h - the events of the simulated PHOLD run.
 *
 * Each start event begins a chain of events, and each event has one successor. The successor of an
 * event is computed from a hash of the event's identity, so a rank stores only 16 bytes per event:
 * to undo an event, the rank computes the successor again and cancels it. The chains do not depend
 * on the order of execution. Therefore a run commits the same events on every machine, and a loop
 * over the chains can count them.
 */
#ifndef WARP_CHAIN_H
#define WARP_CHAIN_H

#include <math.h>

#include "model.h"

/* An event of the simulated run: pending, executed or in a message. Starting from the lowest bit,
 * `id` contains the KP of the event's LP, two marks for messages, and the hash of the chain. */
struct wp_event {
    double at; /* receive time of the event in phold time */
    uint64_t id;
};
_Static_assert(sizeof(struct wp_event) == 16, "an event has no padding");

#define WP_KP_MASK     0xffu
#define WP_ANTI        0x100u /* mark: the message is an anti-message */
#define WP_COLOUR      0x200u /* mark: colour of the sending rank, for GVT */
#define WP_CHAIN_SHIFT 10u

/* An event and the rank that executes it. */
struct wp_step {
    struct wp_event event;
    uint32_t rank;
};

/* Returns a hash of 64 bits (the finalizer of splitmix64; Steele et al., 2014). */
static inline uint64_t wp_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Returns a number between 0 and 1, both excluded, computed from a hash. */
static inline double wp_unit(uint64_t hash)
{
    return ((double)(hash >> 12) + 0.5) * 0x1p-52;
}

/* Returns a number from 0 to n - 1, computed from the lowest 32 bits of `bits`. */
static inline uint32_t wp_below(uint64_t bits, uint32_t n)
{
    return (uint32_t)((bits & 0xffffffffu) * n >> 32);
}

/* Computes the offset of an event from a hash. Returns the offset in phold time; its mean is 1. */
static inline double wp_offset(const struct wp_model *m, uint64_t hash)
{
    return m->lookahead - (1.0 - m->lookahead) * log(wp_unit(hash));
}

static inline bool wp_event_before(const struct wp_event *a, const struct wp_event *b)
{
    return a->at < b->at || (a->at == b->at && a->id < b->id);
}

static inline bool wp_event_same(const struct wp_event *a, const struct wp_event *b)
{
    return a->id == b->id && a->at == b->at;
}

static inline uint32_t wp_kp(const struct wp_event *event)
{
    return (uint32_t)(event->id & WP_KP_MASK);
}

/* Returns start event i (from 0) of a rank. */
static inline struct wp_event wp_first(const struct wp_model *m, uint32_t rank, uint32_t i)
{
    uint64_t chain = wp_mix((uint64_t)rank << 32 | i) << WP_CHAIN_SHIFT;
    return (struct wp_event){wp_offset(m, wp_mix(chain)), chain | i % m->kps};
}

/* Returns the event that an executed event sends, and the rank to which it goes. rank: the rank
 * that executes `event`. */
static inline struct wp_step wp_next(const struct wp_model *m, uint32_t rank,
                                     const struct wp_event *event)
{
    uint64_t hash = wp_mix(event->id >> WP_CHAIN_SHIFT);
    uint64_t chain = hash << WP_CHAIN_SHIFT;
    struct wp_step next = {{event->at + wp_offset(m, wp_mix(hash + 1)), chain | wp_kp(event)},
                           rank};
    if (wp_unit(wp_mix(hash + 2)) <= m->remote) {
        uint64_t place = wp_mix(hash + 3);
        next.rank = wp_below(place, m->ranks);
        next.event.id = chain | wp_below(place >> 32, m->kps);
    }
    return next;
}

#endif
