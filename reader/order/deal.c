/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deal.c - sorts by one byte after another, the least significant one first (radix sort, 5.2.5 in Knuth,
 * The Art of Computer Programming 3); see pool.h. Bytes that are equal in all elements need no pass.
 */
#include "order/pool.h"

#include <stdint.h>
#include <string.h>

static inline uint64_t number(const char *elements, size_t i, size_t offset)
{
    uint64_t n;
    memcpy(&n, elements + i * WS_DEAL_SIZE + offset, sizeof n);
    return n;
}

void *ws_deal(void *from_at, void *to_at, size_t n, size_t offset, unsigned shift)
{
    char *from = from_at, *to = to_at;
    uint64_t differ = 0;
    for (size_t i = 0; i < n; i++) {
        differ |= number(from, i, offset) ^ number(from, 0, offset);
    }
    for (; shift < 64; shift += 8) {
        if ((differ >> shift & 0xff) == 0) {
            continue;
        }
        size_t places[256] = {0}, place = 0;
        for (size_t i = 0; i < n; i++) {
            places[number(from, i, offset) >> shift & 0xff]++;
        }
        for (size_t i = 0; i < 256; i++) {
            size_t count = places[i];
            places[i] = place;
            place += count;
        }
        for (size_t i = 0; i < n; i++) {
            size_t at = places[number(from, i, offset) >> shift & 0xff]++;
            memcpy(to + at * WS_DEAL_SIZE, from + i * WS_DEAL_SIZE, WS_DEAL_SIZE);
        }
        char *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}
