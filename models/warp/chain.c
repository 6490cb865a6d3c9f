/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.c - see chain.h. */
#include "chain.h"

#include <math.h>

#include "machine/hash.h"

/* Computes the offset of an event from a hash. Returns the offset in virtual time. */
static double offset_of(const struct chains *c, uint64_t hash)
{
    return c->lookahead - (1.0 - c->lookahead) * log(wp_unit(hash));
}

static bool start(const void *ctx, uint32_t rank, uint32_t i, struct wp_event *event)
{
    const struct chains *c = ctx;
    const uint64_t number = wp_mix((uint64_t)rank << 32 | i);
    const double at = offset_of(c, wp_mix(number << WP_NUMBER_SHIFT));
    *event = wp_event_make(at, number, i % c->kps);
    return i < c->events;
}

static uint32_t next(const void *ctx, uint32_t rank, const struct wp_event *event,
                     struct wp_step *out)
{
    const struct chains *c = ctx;
    const uint64_t hash = wp_mix(wp_number(event));
    const double at = event->at + offset_of(c, wp_mix(hash + 1));
    uint32_t kp = wp_kp(event);
    if (wp_unit(wp_mix(hash + 2)) <= c->remote) {
        const uint64_t place = wp_mix(hash + 3);
        rank = wp_below(place, c->ranks);
        kp = wp_below(place >> 32, c->kps);
    }
    *out = (struct wp_step){wp_event_make(at, hash, kp), rank};
    return 1;
}

struct wp_source chains_source(const struct chains *chains)
{
    return (struct wp_source){.ctx = chains, .most = 1, .start = start, .next = next};
}
