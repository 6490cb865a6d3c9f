/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_numbers.h - counts of records by stream and LP, from which records get their numbers.
 *
 * There are two counts: of records from init and event handlers that were not undone, and of
 * records from commit and final handlers, which cannot be undone. Each stream has its own counts,
 * from its first record that is emitted while the stream has subscribers. Other streams, and the
 * types and classes of the subscriptions, therefore do not affect the counts.
 */
#ifndef WARPSCOPE_BUS_RECORD_NUMBERS_H
#define WARPSCOPE_BUS_RECORD_NUMBERS_H

#include <assert.h>

#include "st_bus.h"

/* Counts of a stream's records, one for each local LP; NULL: no counts yet. */
struct record_counts {
    uint64_t *emitted;
    uint64_t *settled;
};

/* Counts of the records of all streams. All zero: no counts, and no LPs. */
struct record_numbers {
    struct record_counts *of; /* counts of each stream */
    size_t n_streams;
    tw_lpid n_lps;
};

/* Allocate the counts of a stream. Lack of memory is fatal. */
uint64_t *record_numbers_make_emitted(struct record_numbers *numbers, st_stream_id stream)
    __attribute__((cold));
uint64_t *record_numbers_make_settled(struct record_numbers *numbers, st_stream_id stream)
    __attribute__((cold));
void record_numbers_fini(struct record_numbers *numbers);

/* Returns the counts of the stream: by local LP, the number of records that its handlers have
 * emitted. */
static inline uint64_t *record_numbers_emitted(struct record_numbers *numbers, st_stream_id stream)
{
    uint64_t *counts = stream < numbers->n_streams ? numbers->of[stream].emitted : NULL;
    return __builtin_expect(counts != NULL, 1) ? counts
                                               : record_numbers_make_emitted(numbers, stream);
}

/* Returns the number of the next record of the LP's commit or final handler. */
static inline uint64_t record_numbers_settle(struct record_numbers *numbers, st_stream_id stream,
                                             tw_lpid lp)
{
    assert(lp < numbers->n_lps);
    uint64_t *counts = stream < numbers->n_streams ? numbers->of[stream].settled : NULL;
    if (counts == NULL) {
        counts = record_numbers_make_settled(numbers, stream);
    }
    return ST_NUMBER_SETTLED + ++counts[lp];
}

#endif
