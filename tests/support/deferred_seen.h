/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred_seen.h - records as subscribers get them, and the probes that wait for commits. For
 * tests with the fake engine.
 */
#ifndef WARPSCOPE_TESTS_DEFERRED_SEEN_H
#define WARPSCOPE_TESTS_DEFERRED_SEEN_H

#include "bus/deferred.h"
#include "support/fake_engine.h"

/* An expected or a delivered record. */
struct seen {
    st_stream_id stream;
    st_type type;
    uint32_t size;
    uint64_t sum; /* of the data */
    tw_lpid lp;
    double ts;
    uint64_t number;
};

static inline uint64_t sum_of(const void *data, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    }
    return sum;
}

static inline struct seen seen_of(const st_record *r)
{
    return (struct seen){r->stream, r->type, r->size,  sum_of(r->data, r->size),
                         r->lp,     r->ts,   r->number};
}

static inline uint32_t probes_of_deferred(void)
{
    return fake.probes.wanted & (PROBE_BIT(event_undone) | PROBE_BIT(event_committed));
}

#endif
