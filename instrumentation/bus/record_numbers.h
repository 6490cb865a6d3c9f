/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_numbers.h - counts of records by stream and LP, out of which records get their numbers.
 *
 * There are two counts: of what init and event handlers emitted and was not undone, and of what
 * cannot be undone, from commit and final handlers. Each stream has its own, from the first record
 * on that is emitted while anything listens to it: so what is emitted elsewhere, and which types
 * and classes subscribers want, makes no difference.
 */
#ifndef WARPSCOPE_BUS_RECORD_NUMBERS_H
#define WARPSCOPE_BUS_RECORD_NUMBERS_H

#include "st_bus.h"

/* Of a stream, by local LP; NULL: none so far. */
struct record_counts {
    uint64_t *emitted;
    uint64_t *settled;
};

/* All zero: none, and no LPs. */
struct record_numbers {
    struct record_counts *of; /* by stream */
    size_t n_streams;
    tw_lpid n_lps;
};

/* Makes room; out of memory is fatal. */
uint64_t *record_numbers_make_emitted(struct record_numbers *numbers, st_stream_id stream)
    __attribute__((cold));
uint64_t *record_numbers_make_settled(struct record_numbers *numbers, st_stream_id stream)
    __attribute__((cold));
void record_numbers_fini(struct record_numbers *numbers);

/* Of the stream: by local LP, how many records its handlers have emitted. */
static inline uint64_t *record_numbers_emitted(struct record_numbers *numbers, st_stream_id stream)
{
    uint64_t *counts = stream < numbers->n_streams ? numbers->of[stream].emitted : NULL;
    return __builtin_expect(counts != NULL, 1) ? counts
                                               : record_numbers_make_emitted(numbers, stream);
}

/* The number of one more record of the LP's commit or final handler. */
static inline uint64_t record_numbers_settle(struct record_numbers *numbers, st_stream_id stream,
                                             tw_lpid lp)
{
    uint64_t *counts = stream < numbers->n_streams ? numbers->of[stream].settled : NULL;
    if (counts == NULL) {
        counts = record_numbers_make_settled(numbers, stream);
    }
    return ST_NUMBER_SETTLED + ++counts[lp];
}

#endif
