/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.h - sets of numbers written as "0-3,7".
 */
#ifndef WARPSCOPE_READER_DATA_RANGES_H
#define WARPSCOPE_READER_DATA_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A range of numbers; both ends are included. */
struct ws_span {
    uint64_t first, last;
};

/* A set of numbers, stored as ascending spans with a gap between any two of them. n == 0: the empty
 * set. */
struct ws_ranges {
    struct ws_span *spans; /* owned; the n spans */
    size_t n;
};

/* Parses text, a comma-separated list of numbers and of ranges A-B with A <= B. Returns false, with
 * an empty set, if text is not such a list or memory is exhausted. ranges must be freed with
 * ws_ranges_free() even after an error. */
bool ws_ranges_parse(struct ws_ranges *ranges, const char *text);
void ws_ranges_free(struct ws_ranges *ranges);

/* Returns true if the set contains `number`. Cost: logarithm of the number of spans. */
bool ws_ranges_have(const struct ws_ranges *ranges, uint64_t number);

/* Returns true if the spans are ascending, with gaps between them. */
bool ws_ranges_check(const struct ws_ranges *ranges);

#endif
