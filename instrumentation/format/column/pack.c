/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.c - compresses byte planes into an LZ4 block.
 *
 * An LZ4 block is a series of sequences. A sequence has some literal bytes, then a match, which
 * repeats bytes that are at most 65535 bytes earlier (lz4_Block_format.md of LZ4). The compressor
 * is free to choose the matches, and the kind of a plane shows where to search for them:
 * - A plane of equal bytes, such as the high bytes of most numbers, is one match with the previous
 *   byte.
 * - A plane with few repetitions, such as the low bytes of times, is stored as literals. Such a
 *   plane is recognised by a search that saves little space, and is then not searched in the next
 *   blocks (`rest`).
 * - For any other plane, a hash table has the latest position of each sequence of four bytes, as in
 *   LZ4's own fast compressor. The distance between two lookups grows while no match is found.
 *
 * The table is not cleared between columns. The numbers of the bytes continue from column to
 * column, so that entries from earlier columns are recognised by their numbers.
 *
 * Invariants
 *  P1  The last match begins at least 12 bytes before the end, and the last 5 bytes are literals,
 *      as LZ4 requires.
 *  P2  The input bytes [base, anchor) are in the output. Those of [anchor, at) become literals of
 *      the next sequence, unless a match includes them.
 *
 * Cost: 0.1 instructions per byte that is not searched, 2 to 5 per other byte.
 */
#include "format/column/pack.h"

#include <assert.h>

#include "format/bytes.h"

#define MATCH_MIN     4u
#define OFFSET_MAX    65535u
#define LAST_LITERALS 5u
/* Minimum distance in bytes from the start of a match to the end of the block. */
#define LAST_MATCH 12u
#define STEP_FIRST 4u /* initial distance in bytes from one lookup to the next */
/* After each 2^5 lookups without a match, the distance between lookups grows by one byte. */
#define STEP_LOOKS_LOG 5u
/* If a search saves less than 1/16 of the bytes of a plane, the plane is not searched in the next
 * REST_BLOCKS blocks. */
#define GAIN_LEAST      16u
#define REST_BLOCKS     15u
#define NUMBERS_RESERVE (UINT32_C(1) << 31)

struct pack {
    uint32_t *seen;
    const uint8_t *base;   /* first byte of the column */
    uint32_t first;        /* number in `seen` of the first byte of the column */
    const uint8_t *anchor; /* end of the bytes of the column that are already in the output */
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

/* Copies n literal bytes. For small n, avoids a call of memcpy() and copies FMT_PACK_SLACK bytes,
 * for which the output has space. */
static inline void literals_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n <= FMT_PACK_SLACK) {
        memcpy(to, from, FMT_PACK_SLACK);
    } else {
        memcpy(to, from, n);
    }
}

/* Writes the literals up to `from` to the output, if they and `more` further bytes fit. Sets *token
 * to the address of the token that precedes them. Returns false if the bytes do not fit. */
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

/* Writes the literals up to `from`, then a match that repeats the `length` bytes which begin
 * `offset` bytes before `from`. Returns false if they do not fit into the output. */
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

static inline uint32_t slot_of(uint32_t four)
{
    return four * UINT32_C(2654435761) >> 20;
}
_Static_assert(FMT_PACK_SLOTS == 1u << (32 - 20), "a slot for each hash");

/* Returns the length in bytes of the longest common beginning of [a, end) and of the bytes from b
 * on. b is before a. */
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

/* Stores the position `at` in the hash table. Returns the previous position of the same four bytes;
 * NULL: none is known. */
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

/* Searches the plane [from, end) for matches, and writes them. *gain receives the approximate
 * number of bytes saved. Returns false if the matches do not fit into the output. */
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

/* Writes plane b. Returns false if it does not fit into the output. */
static bool plane_put(struct pack *p, const struct fmt_planes *planes, size_t b)
{
    const uint8_t *from = planes->bytes + b * planes->n, *end = from + planes->n;
    size_t gain;
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
                     /* Number of the first byte; never 0, which marks a free slot. */
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
