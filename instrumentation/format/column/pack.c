/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.c - compresses byte planes to an LZ4 block.
 *
 * An LZ4 block is a row of sequences: some literal bytes, then a match, which repeats bytes from up
 * to 65535 places before (lz4_Block_format.md of LZ4). The compressor is free to choose matches,
 * and planes show where to search:
 *
 *   - A plane of equal bytes, such as the upper bytes of most numbers, is a match with the previous
 *     byte.
 *   - A plane with few repetitions, such as the lower bytes of times, is stored as literals. This
 *     is found by trial, and not tried again for the next blocks (rest).
 *   - For any other plane, a hash table has the last place of the next four bytes, as in LZ4's own
 *     compressor (fast): one lookup per place, in larger steps while nothing is found.
 *
 * The table is never cleared. Bytes have numbers that continue from column to column, so entries of
 * earlier columns are recognised by their number.
 *
 * Invariants
 *  P1  The last match begins at least 12 bytes before the end, and the last 5 bytes are literals,
 *      as LZ4 requires.
 *  P2  [block, anchor) is written; [anchor, at) is waiting to become literals.
 * Cost: 0.1 instructions per byte that is not searched, 2 to 5 for others.
 */
#include "format/column/pack.h"

#include <assert.h>

#include "format/bytes.h"

#define MATCH_MIN     4u
#define OFFSET_MAX    65535u
#define LAST_LITERALS 5u
/* Least distance in bytes from the start of a match to the end of the block. */
#define LAST_MATCH     12u
#define STEP_FIRST     4u /* bytes from one look-up to the next, at first */
#define STEP_LOOKS_LOG 5u /* after 2^5 look-ups without a match, that step grows by a byte */
/* A plane that gains less than 1/16 is not searched in the next blocks. */
#define GAIN_LEAST      16u
#define REST_BLOCKS     15u
#define NUMBERS_RESERVE (UINT32_C(1) << 31)

struct pack {
    uint32_t *seen;
    const uint8_t *base;   /* byte whose number is `first` */
    uint32_t first;        /* number of the first byte of the column */
    const uint8_t *anchor; /* bytes before this place are in the output already */
    const uint8_t *match_last, *match_end;
    uint8_t *to, *end;
};

static uint8_t *length_put(uint8_t *to, size_t rest)
{
    for (; rest >= 255; rest -= 255) {
        *to++ = 255;
    }
    *to++ = (uint8_t)rest;
    return to;
}

/* Copies short literals without a call of memcpy(). It may write too many bytes; FMT_PACK_SLACK
 * provides space for them. */
static inline void literals_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n <= FMT_PACK_SLACK) {
        memcpy(to, from, FMT_PACK_SLACK);
    } else {
        memcpy(to, from, n);
    }
}

/* Writes literals up to `from`, and checks that `more` bytes fit after them. Sets *token to their
 * token. Returns false if they do not fit. */
static inline bool literals_put(struct pack *p, const uint8_t *from, size_t more, uint8_t **token)
{
    assert(from >= p->anchor && p->to <= p->end);
    size_t n = (size_t)(from - p->anchor);
    if (n + n / 255 + 2 + more > (size_t)(p->end - p->to)) {
        return false;
    }
    *token = p->to++;
    **token = (uint8_t)((n < 15 ? n : 15) << 4);
    if (n >= 15) {
        p->to = length_put(p->to, n - 15);
    }
    literals_copy(p->to, p->anchor, n);
    p->to += n;
    p->anchor = from;
    return true;
}

/* Writes literals up to `from`, then a match of `length` bytes at a distance of `offset` bytes.
 * Returns false if they do not fit. */
static inline bool match_put(struct pack *p, const uint8_t *from, size_t offset, size_t length)
{
    assert(offset >= 1 && offset <= OFFSET_MAX && length >= MATCH_MIN);
    size_t rest = length - MATCH_MIN;
    uint8_t *token;
    if (!literals_put(p, from, rest / 255 + 3, &token)) {
        return false;
    }
    fmt_put_u16(p->to, (uint16_t)offset);
    p->to += 2;
    *token = (uint8_t)(*token | (rest < 15 ? rest : 15));
    if (rest >= 15) {
        p->to = length_put(p->to, rest - 15);
    }
    p->anchor = from + length;
    return true;
}

/* Writes a plane of equal bytes [from, end). Returns false if it does not fit. */
static bool run_put(struct pack *p, const uint8_t *from, const uint8_t *end)
{
    bool goes_on = from > p->base && from[-1] == *from;
    const uint8_t *start = goes_on ? from : from + 1;
    end = end < p->match_end ? end : p->match_end;
    if (start > p->match_last || end < start + MATCH_MIN) {
        return true;
    }
    return match_put(p, start, 1, (size_t)(end - start));
}

static inline uint32_t slot_of(uint32_t four)
{
    return four * UINT32_C(2654435761) >> 20;
}
_Static_assert(FMT_PACK_SLOTS == 1u << (32 - 20), "a slot for each hash");

/* Returns the number of equal bytes at a (before end) and b, which precedes a. */
static inline size_t same_count(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    assert(b < a && a <= end);
    const uint8_t *from = a;
    while (end - a >= 8) {
        uint64_t differ = fmt_get_u64(a) ^ fmt_get_u64(b);
        if (differ != 0) {
            return (size_t)(a - from) + (size_t)__builtin_ctzll(differ) / 8;
        }
        a += 8;
        b += 8;
    }
    while (a < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(a - from);
}

/* Stores the place `at` in the hash table. Returns the previous place with the same four bytes, or
 * NULL. */
static inline const uint8_t *place_look(const struct pack *p, const uint8_t *at)
{
    uint32_t four = fmt_get_u32(at);
    uint32_t *slot = &p->seen[slot_of(four)];
    uint32_t before = *slot, number = p->first + (uint32_t)(at - p->base);
    *slot = number;
    if (before < p->first || number - before > OFFSET_MAX) {
        return NULL;
    }
    const uint8_t *match = p->base + (before - p->first);
    return fmt_get_u32(match) == four ? match : NULL;
}

/* Searches [from, end) for matches. *gain: approximate number of bytes saved. Returns false if the
 * output does not fit. */
static bool plane_search(struct pack *p, const uint8_t *from, const uint8_t *end, size_t *gain)
{
    const uint8_t *last = end - MATCH_MIN < p->match_last ? end - MATCH_MIN : p->match_last;
    end = end < p->match_end ? end : p->match_end;
    uint32_t looks = STEP_FIRST << STEP_LOOKS_LOG;
    *gain = 0;
    for (const uint8_t *at = from; at <= last;) {
        const uint8_t *match = place_look(p, at);
        if (match == NULL) {
            at += looks++ >> STEP_LOOKS_LOG;
            continue;
        }
        size_t offset = (size_t)(at - match);
        while (at > p->anchor && match > p->base && at[-1] == match[-1]) {
            at--;
            match--;
        }
        size_t length = same_count(at, match, end);
        if (!match_put(p, at, offset, length)) {
            return false;
        }
        *gain += length - 3;
        at += length;
        looks = STEP_FIRST << STEP_LOOKS_LOG;
    }
    return true;
}

/* Writes plane b. Returns false if it does not fit. */
static bool plane_put(struct pack *p, const struct fmt_planes *planes, size_t b)
{
    const uint8_t *from = planes->bytes + b * planes->n, *end = from + planes->n;
    size_t gain;
    if (planes->differ != NULL && planes->differ[b] == 0) {
        return run_put(p, from, end);
    }
    if (planes->rest != NULL && planes->rest[b] > 0) {
        planes->rest[b]--;
        return true;
    }
    if (!plane_search(p, from, end, &gain)) {
        return false;
    }
    if (planes->rest != NULL && gain < planes->n / GAIN_LEAST) {
        planes->rest[b] = REST_BLOCKS;
    }
    return true;
}

size_t fmt_pack(struct fmt_packer *packer, const struct fmt_planes *planes, uint8_t *to,
                size_t capacity)
{
    size_t size = planes->n_planes * planes->n;
    assert(size <= NUMBERS_RESERVE);
    if (packer->next > NUMBERS_RESERVE - 1) {
        memset(packer->seen, 0, sizeof packer->seen);
        packer->next = 0;
    }
    struct pack p = {.seen = packer->seen,
                     .base = planes->bytes,
                     /* Number of the first byte; never 0, which marks empty slots. */
                     .first = packer->next + 1,
                     .anchor = planes->bytes,
                     .to = to,
                     .end = to + capacity};
    packer->next += (uint32_t)size;
    if (size > LAST_MATCH && planes->n >= MATCH_MIN) {
        p.match_last = planes->bytes + size - LAST_MATCH;
        p.match_end = planes->bytes + size - LAST_LITERALS;
        for (size_t b = 0; b < planes->n_planes; b++) {
            if (!plane_put(&p, planes, b)) {
                return 0;
            }
        }
    }
    uint8_t *token;
    return literals_put(&p, planes->bytes + size, 0, &token) ? (size_t)(p.to - to) : 0;
}
