/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.c - transposes rows to byte planes.
 *
 * A row consists of 8-byte lanes, whatever its fields are. Each lane of several rows is a byte
 * matrix to be transposed: sixteen rows at a time on processors with SSE2 (shuffle_sse2.h), then
 * eight (shuffle_plain.h), then byte by byte. The planes of a field are adjacent in the output,
 * like those of its lane; planes of padding belong to no field.
 *
 * A bit differs between rows if it is set in some of them (any) and not in all (all). Lanes that
 * were equal in all rows of the previous block are only compared until a row differs.
 *
 * A tile of 64 rows stays in the L1 cache from its first lane to its last. The 64 bytes of a plane
 * that it fills are one cache line. With more lanes at once, planes that are a power of two apart
 * would evict each other. Cost: about 10 instructions per row and lane.
 */
#include "format/gather.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "format/shuffle_lanes.h"

#define TILE_ROWS 64u

/* Bits of some 8-byte values: those set in all of the values, and those set in any of them. */
struct agreement {
    uint64_t all, any;
};

/* Transposes rows begin to n, fewer than eight, byte by byte. */
static void gather_rest(uint8_t *planes, size_t pitch, const uint8_t *const *row, uint32_t begin,
                        uint32_t n, size_t at, struct agreement *bits)
{
    assert(begin <= n && n - begin < 8);
    for (uint32_t i = begin; i < n; i++) {
        uint64_t v = fmt_get_u64(row[i] + at);
        bits->all &= v;
        bits->any |= v;
        for (size_t b = 0; b < 8; b++) {
            planes[b * pitch + i] = row[i][at + b];
        }
    }
}

/* Transposes one lane of a tile: bytes `at` to `at` + 7 of n rows. Plane b goes to planes + b *
 * pitch. */
static void gather_lane(uint8_t *planes, size_t pitch, const uint8_t *const *row, uint32_t n,
                        size_t at, struct agreement *bits)
{
    uint32_t i = shuffle_lane(planes, pitch, row, n, at, &bits->all, &bits->any);
    for (; n - i >= 8; i += 8) {
        uint64_t m[8];
        for (uint32_t r = 0; r < 8; r++) {
            m[r] = fmt_get_u64(row[i + r] + at);
            bits->all &= m[r];
            bits->any |= m[r];
        }
        shuffle_transpose_8x8(m);
        for (size_t b = 0; b < 8; b++) {
            fmt_put_u64(planes + b * pitch + i, m[b]);
        }
    }
    gather_rest(planes, pitch, row, i, n, at, bits);
}

/* Extends a range by the values of n rows. Even and odd rows have separate minima and maxima,
 * because each comparison depends on the previous one. */
static void range_widen(struct fmt_range *range, const uint8_t *const *row, uint32_t n)
{
    assert(n > 0);
    const size_t at = range->offset;
    double low = range->min, high = range->max, low_odd = low, high_odd = high;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        double v = fmt_get_f64(row[i] + at), v_odd = fmt_get_f64(row[i + 1] + at);
        low = v < low ? v : low;
        high = v > high ? v : high;
        low_odd = v_odd < low_odd ? v_odd : low_odd;
        high_odd = v_odd > high_odd ? v_odd : high_odd;
    }
    double last = fmt_get_f64(row[n - 1] + at);
    low = last < low ? last : low;
    high = last > high ? last : high;
    range->min = low_odd < low ? low_odd : low;
    range->max = high_odd > high ? high_odd : high;
}

/* Returns true if all rows of a tile have the eight bytes of value at offset `at`. */
static bool lane_is(uint64_t value, const uint8_t *const *row, uint32_t n, size_t at)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < n; i++) {
        differ |= fmt_get_u64(row[i] + at) ^ value;
    }
    return differ == 0;
}

/* Fills the first n bytes of eight planes with the bytes of value, which all rows have. */
static void lane_repeat(uint64_t value, uint8_t *planes, size_t pitch, uint32_t n)
{
    for (size_t b = 0; b < 8; b++) {
        memset(planes + b * pitch, (uint8_t)(value >> 8 * b), n);
    }
}

/* Transposes all lanes of a tile, which starts with row number `begin`. Skips lanes that have not
 * varied yet. */
static void tile_gather(const struct fmt_rows *rows, size_t bytes, const struct fmt_gathered *to,
                        const uint8_t *const *row, uint32_t begin, uint32_t n)
{
    assert(n <= TILE_ROWS && begin + n <= rows->n);
    const size_t pitch = rows->n;
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t first = fmt_get_u64(rows->first + rows->offset[0] + at);
        uint8_t *planes = to->planes + at * pitch;
        struct agreement bits = {first, first};
        if (to->varies[at / 8] == 0) {
            if (lane_is(first, row, n, at)) {
                continue;
            }
            lane_repeat(first, planes, pitch, begin);
            to->varies[at / 8] = 1;
        }
        gather_lane(planes + begin, pitch, row, n, at, &bits);
        fmt_put_u64(to->differ + at, fmt_get_u64(to->differ + at) | (bits.any & ~bits.all));
    }
}

void fmt_gather(const struct fmt_rows *rows, size_t bytes, const struct fmt_gathered *to,
                struct fmt_range *ranges, unsigned n_ranges)
{
    assert(rows->n > 0 && bytes % 8 == 0);
    const uint8_t *row[TILE_ROWS];
    memset(to->differ, 0, bytes);
    for (unsigned k = 0; k < n_ranges; k++) {
        ranges[k].min = INFINITY;
        ranges[k].max = -INFINITY;
    }
    for (uint32_t begin = 0; begin < rows->n; begin += TILE_ROWS) {
        uint32_t n = rows->n - begin < TILE_ROWS ? rows->n - begin : TILE_ROWS;
        for (uint32_t i = 0; i < n; i++) {
            row[i] = rows->first + rows->offset[begin + i];
        }
        tile_gather(rows, bytes, to, row, begin, n);
        for (unsigned k = 0; k < n_ranges; k++) {
            range_widen(&ranges[k], row, n);
        }
    }
    for (size_t at = 0; at < bytes; at += 8) {
        if (to->varies[at / 8] == 0) {
            uint64_t first = fmt_get_u64(rows->first + rows->offset[0] + at);
            lane_repeat(first, to->planes + at * rows->n, rows->n, rows->n);
        }
        to->varies[at / 8] = fmt_get_u64(to->differ + at) != 0;
    }
    for (unsigned k = 0; k < n_ranges; k++) {
        if (ranges[k].min > ranges[k].max) {
            ranges[k].min = ranges[k].max = NAN;
        }
    }
}

void fmt_rows_turn(const struct fmt_schema *schema, const struct fmt_rows *rows, size_t size,
                   uint8_t *to)
{
    memcpy(to, rows->first, size);
    for (uint32_t i = 0; i < rows->n; i++) {
        for (uint32_t f = 0; f < schema->n_fields; f++) {
            size_t at = rows->offset[i] + schema->fields[f].offset;
            size_t width = fmt_type_size(schema->fields[f].type);
            for (size_t b = 0; b < width; b++) {
                to[at + b] = rows->first[at + width - 1 - b];
            }
        }
    }
}
