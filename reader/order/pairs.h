/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h - pairs the records of one kind in two files, in the order of merge.h.
 *
 * Each record of one file is paired with the record of the other file for the same event or sample,
 * if there is one. Such records are equal in the first identity_size bytes (sort_key.h).
 */
#ifndef WARPSCOPE_READER_ORDER_PAIRS_H
#define WARPSCOPE_READER_ORDER_PAIRS_H

#include "order/merge.h"

enum { WS_A = 0, WS_B = 1, WS_SIDES = 2 };

struct ws_pairs {
    struct ws_merge merges[WS_SIDES];
    const struct ws_sort_key *heads[WS_SIDES]; /* next record of each file; NULL: none is left */
    bool taken[WS_SIDES];                      /* [i]: true if the latest pair contained heads[i] */
    /* The current pair: a record of each file, or NULL if the file has no such record. Valid until
     * the next call. */
    const struct ws_sort_key *items[WS_SIDES];
};

/* Begins to pair the records of two sources. Both sources must have the same `types`; the member
 * `common` of each must be the schema of the other. memory: bytes of memory for each of the two
 * merges. If out of memory, prints an error message and returns false. pairs must be freed even
 * after an error. */
bool ws_pairs_init(struct ws_pairs *pairs, const struct ws_merge_source sources[WS_SIDES],
                   size_t memory);
void ws_pairs_free(struct ws_pairs *pairs);

/* Moves to the next pair. Returns false if there is none, or if not all records could be read
 * (ws_pairs_failed()). */
bool ws_pairs_next(struct ws_pairs *pairs);
bool ws_pairs_failed(const struct ws_pairs *pairs);

/* Returns true if both records of the current pair exist and are equal. */
bool ws_pairs_equal(const struct ws_pairs *pairs);

/* Returns the layout of both files' sort keys. */
static inline const struct ws_sort_layout *ws_pairs_form(const struct ws_pairs *pairs)
{
    return &pairs->merges[WS_A].layout;
}

#endif
