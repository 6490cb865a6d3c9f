/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_numbers.h - counts of records per stream and LP, from which records get their numbers.
 *
 * There are two counts for each LP and stream: of records from init and event handlers that were
 * not undone, and of records from commit and final handlers, which cannot be undone. The counts of
 * a stream begin with its first record that is emitted while the stream has subscribers. Other
 * streams, and the types and classes of the subscriptions, therefore do not affect the counts.
 */
#ifndef WARPSCOPE_BUS_RECORD_NUMBERS_H
#define WARPSCOPE_BUS_RECORD_NUMBERS_H

#include <assert.h>

#include "format/bytes.h"
#include "st_bus.h"

/* Counts of the records of one stream. */
struct record_counts {
    /* [i]: number of records from init and event handlers of local LP i; NULL: no counts yet. */
    uint64_t *emitted;
    /* [i]: number of records from commit and final handlers of local LP i; NULL: no counts yet. */
    uint64_t *settled;
};

/* Counts of the records of all streams. A zero-initialised object has no counts and no LPs. */
struct record_numbers {
    /* Owned; [id]: counts of the stream with this id; n_streams entries. */
    struct record_counts *of;
    size_t n_streams;
    tw_lpid n_lps;
};

/* Allocates the array `emitted` of a stream and returns it. Lack of memory is fatal. */
uint64_t *record_numbers_make_emitted(struct record_numbers *numbers, st_stream_id stream)
    __attribute__((cold));
/* Allocates the array `settled` of a stream and returns it. Lack of memory is fatal. */
uint64_t *record_numbers_make_settled(struct record_numbers *numbers, st_stream_id stream)
    __attribute__((cold));
void record_numbers_fini(struct record_numbers *numbers);

/* Writes the counts of local LP lp to `out`; nothing if they are all 0. */
void record_numbers_write(const struct record_numbers *numbers, tw_lpid lp, struct fmt_out *out);
/* Reads what record_numbers_write() has written for local LP lp, up to the end of `in`. Changes the
 * counts only if takes_over. Returns false if the data are damaged. */
bool record_numbers_read(struct record_numbers *numbers, tw_lpid lp, struct fmt_in *in,
                         bool takes_over);

/* Returns the array `emitted` of the stream. [i]: number of records of the stream that init and
 * event handlers of local LP i have emitted, not counting undone records. */
static inline uint64_t *record_numbers_emitted(struct record_numbers *numbers, st_stream_id stream)
{
    uint64_t *counts = stream < numbers->n_streams ? numbers->of[stream].emitted : NULL;
    return __builtin_expect(counts != NULL, 1) ? counts
                                               : record_numbers_make_emitted(numbers, stream);
}

/* Returns the array `settled` of the stream. [i]: number of records of the stream that commit and
 * final handlers of local LP i have emitted. */
static inline uint64_t *record_numbers_settled(struct record_numbers *numbers, st_stream_id stream)
{
    uint64_t *counts = stream < numbers->n_streams ? numbers->of[stream].settled : NULL;
    return counts != NULL ? counts : record_numbers_make_settled(numbers, stream);
}

/* Counts a record that a commit or final handler of local LP lp emits on the stream. Returns the
 * number of that record. */
static inline uint64_t record_numbers_settle(struct record_numbers *numbers, st_stream_id stream,
                                             tw_lpid lp)
{
    assert(lp < numbers->n_lps);
    return ST_NUMBER_SETTLED + ++record_numbers_settled(numbers, stream)[lp];
}

#endif
