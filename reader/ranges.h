/*
 * ranges.h - sets of numbers as people write them: "0-3,7".
 */
#ifndef WARPSCOPE_READER_RANGES_H
#define WARPSCOPE_READER_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both ends included. */
struct ws_span {
    uint64_t first, last;
};

/* Ascending, with a gap between any two. No span: the empty set. */
struct ws_ranges {
    struct ws_span *spans; /* owned */
    size_t n;
};

/* Reads a list of numbers and of ranges A-B with A <= B. False: text is no such list, or there is
 * no memory for it; the set is empty then. Free in any case. */
bool ws_ranges_parse(struct ws_ranges *ranges, const char *text);
void ws_ranges_free(struct ws_ranges *ranges);

/* Cost: logarithm of the number of spans. */
bool ws_ranges_have(const struct ws_ranges *ranges, uint64_t number);

/* Asserts the invariant. */
void ws_ranges_check(const struct ws_ranges *ranges);

#endif
