/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.c - gathers the values of each column from rows, see gather.h.
 *
 * Rows are processed in tiles, groups of rows that stay in the L1 cache while the values of all
 * columns are gathered. Cost: 2.5 instructions per value that varies; 3 to 4 per row and 4 lanes whose
 * values do not.
 */
#include "format/column/gather.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "format/bytes.h"
#include "format/column/bits.h"
#include "format/column/wide.h"

#define TILE_ROWS  512u
#define LANES_MOST 4u /* number of lanes that are compared together */

static const uint8_t *row_at(const struct fmt_rows *rows, uint32_t i)
{
    return rows->first + (rows->stride != 0 ? (size_t)i * rows->stride : rows->offset[i]);
}

/* Copies n words of `width` bytes from rows that are `stride` bytes apart to consecutive words.
 * Inlined once for each width. */
static inline void words_copy(uint8_t *to, const uint8_t *from, size_t stride, uint32_t n,
                              size_t width)
{
    for (; n >= 8; n -= 8, to += 8 * width, from += 8 * stride) {
        const uint8_t *half = from + 4 * stride;
        memcpy(to, from, width);
        memcpy(to + width, from + stride, width);
        memcpy(to + 2 * width, from + 2 * stride, width);
        memcpy(to + 3 * width, from + 3 * stride, width);
        memcpy(to + 4 * width, half, width);
        memcpy(to + 5 * width, half + stride, width);
        memcpy(to + 6 * width, half + 2 * stride, width);
        memcpy(to + 7 * width, half + 3 * stride, width);
    }
    for (; n > 0; n--, to += width, from += stride) {
        memcpy(to, from, width);
    }
}

/* Gathers the values of column c from the rows `begin` to `end`, without `end`. */
static void values_gather(const struct fmt_rows *rows, const struct fmt_gather *c, uint32_t begin,
                          uint32_t end)
{
    uint8_t *to = (uint8_t *)c->values + (size_t)begin * c->width;
    const uint8_t *from = row_at(rows, begin) + c->offset;
    if (rows->stride == 0) {
        for (uint32_t i = begin; i < end; i++, to += c->width) {
            memcpy(to, row_at(rows, i) + c->offset, c->width);
        }
    } else if (c->width == 8) {
        words_copy(to, from, rows->stride, end - begin, 8);
    } else if (c->width == 4) {
        words_copy(to, from, rows->stride, end - begin, 4);
    } else {
        words_copy(to, from, rows->stride, end - begin, c->width);
    }
    if (!FMT_IS_LITTLE_ENDIAN && (c->width == 4 || c->width == 8)) {
        fmt_words_turn((uint8_t *)c->values + (size_t)begin * c->width, end - begin, c->width);
    }
}

/* A number of lanes of a row. */
typedef uint64_t lanes_2 __attribute__((vector_size(16)));
typedef uint64_t lanes_4 __attribute__((vector_size(32)));

/* Adds to `any` the bits in which the lanes at `at` differ from `first`. */
#define LANES_ADD(at)                                                                              \
    do {                                                                                           \
        memcpy(&lanes, (at), sizeof lanes);                                                        \
        any |= lanes ^ first;                                                                      \
    } while (false)

/* Sets `differ`, for each bit of the lanes of type LANES at `offset`, to 1 if some row from `begin`
 * to `end`, without `end`, has another value there than row 0. */
#define LANES_DIFFER(LANES)                                                                        \
    do {                                                                                           \
        LANES first, lanes, any = {0};                                                             \
        memcpy(&first, row_at(rows, 0) + offset, sizeof first);                                    \
        const uint8_t *p = row_at(rows, begin) + offset;                                           \
        const size_t stride = rows->stride;                                                        \
        uint32_t i = begin;                                                                        \
        for (; stride != 0 && end - i >= 4; i += 4, p += 4 * stride) {                             \
            LANES_ADD(p);                                                                          \
            LANES_ADD(p + stride);                                                                 \
            LANES_ADD(p + 2 * stride);                                                             \
            LANES_ADD(p + 3 * stride);                                                             \
        }                                                                                          \
        for (; i < end; i++) {                                                                     \
            LANES_ADD(row_at(rows, i) + offset);                                                   \
        }                                                                                          \
        memcpy(differ, &any, sizeof any);                                                          \
    } while (false)

FMT_LOOPS void lanes_differ_any(const struct fmt_rows *rows, size_t offset, uint32_t n,
                                uint32_t begin, uint32_t end, uint8_t *differ)
{
    if (n == 4) {
        LANES_DIFFER(lanes_4);
    } else if (n == 2) {
        LANES_DIFFER(lanes_2);
    } else {
        LANES_DIFFER(uint64_t);
    }
}
FMT_TWICE(, void, lanes_differ,
          (const struct fmt_rows *rows, size_t offset, uint32_t n, uint32_t begin, uint32_t end,
           uint8_t *differ),
          (rows, offset, n, begin, end, differ))

/* Gathers column c from the rows `begin` to `end`, without `end`. lane: bits of the column's lane
 * that differ from row 0 in these rows. If these are the first rows in which the column varies,
 * gathers its values from all earlier rows as well. */
static void column_gather(const struct fmt_rows *rows, struct fmt_gather *c, const uint8_t *lane,
                          uint32_t begin, uint32_t end)
{
    if (c->varies) {
        values_gather(rows, c, begin, end);
    } else if (fmt_get_u64(lane) >> 8 * (c->offset % 8) << (64 - 8 * c->width) != 0) {
        c->varies = true;
        values_gather(rows, c, 0, end);
    }
}

/* Returns the index of the first column behind the lane of column k. *varies receives true if all
 * columns of that lane vary. */
static uint32_t lane_end(const struct fmt_gather *columns, uint32_t n_columns, uint32_t k,
                         bool *varies)
{
    const uint32_t lane = columns[k].offset / 8;
    *varies = true;
    for (; k < n_columns && columns[k].offset / 8 == lane; k++) {
        *varies = *varies && columns[k].varies;
    }
    return k;
}

/* Gathers all columns from the rows `begin` to `end`, without `end`. Neighbouring lanes with
 * columns that do not vary so far are compared together. */
static void tile_gather(const struct fmt_rows *rows, struct fmt_gather *columns, uint32_t n_columns,
                        uint32_t begin, uint32_t end)
{
    uint8_t lanes[8 * LANES_MOST] = {0};
    for (uint32_t k = 0; k < n_columns;) {
        const uint32_t lane = columns[k].offset / 8;
        uint32_t ends[LANES_MOST], n = 0, next = k;
        bool varies = false;
        while (n < LANES_MOST && next < n_columns && columns[next].offset / 8 == lane + n) {
            next = lane_end(columns, n_columns, next, &varies);
            if (varies) {
                break;
            }
            ends[n++] = next;
        }
        const uint32_t more = n == 3 && lane > 0; /* as fast as three lanes: also the one before */
        n = n == 3 && more == 0 ? 2 : n;
        const uint32_t behind = n == 0 ? next : ends[n - 1];
        const uint8_t *differ = lanes + 8 * more;
        if (n > 0) {
            lanes_differ(rows, 8 * (size_t)(lane - more), n + more, begin, end, lanes);
        }
        for (; k < behind; k++) {
            column_gather(rows, &columns[k], differ + 8 * (columns[k].offset / 8 - lane), begin,
                          end);
        }
    }
}

void fmt_gather(const struct fmt_rows *rows, struct fmt_gather *columns, uint32_t n_columns)
{
    assert(rows->n > 0);
    for (uint32_t begin = 0; begin < rows->n; begin += TILE_ROWS) {
        uint32_t end = rows->n - begin < TILE_ROWS ? rows->n : begin + TILE_ROWS;
        tile_gather(rows, columns, n_columns, begin, end);
    }
    for (uint32_t k = 0; k < n_columns; k++) {
        if (!columns[k].varies) {
            values_gather(rows, &columns[k], 0, 1);
        }
    }
}

void fmt_gather_bytes(const struct fmt_rows *rows, size_t offset, size_t width, uint8_t *to)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        memcpy(to + i * width, row_at(rows, i) + offset, width);
    }
}

static double double_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Returns a word whose sign bit is 0 if all n numbers are below 2^63 and in ascending order. */
FMT_LOOPS uint64_t falls_any(const uint64_t *bits, uint32_t n)
{
    uint64_t falls = bits[0];
    for (uint32_t i = 1; i < n; i++) {
        falls |= bits[i] | (bits[i] - bits[i - 1]);
    }
    return falls;
}
FMT_TWICE(return, uint64_t, falls, (const uint64_t *bits, uint32_t n), (bits, n))

void fmt_range_find(const uint64_t *bits, uint32_t n, double *min, double *max)
{
    assert(n > 0);
    /* Doubles whose sign bit is 0 have the same order as their bits. */
    if (falls(bits, n) >> 63 == 0 && double_of(bits[n - 1]) <= INFINITY) {
        *min = double_of(bits[0]);
        *max = double_of(bits[n - 1]);
        return;
    }
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        double v = double_of(bits[i]);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    *min = low > high ? NAN : low;
    *max = low > high ? NAN : high;
}

void fmt_rows_turn(const struct fmt_rows *rows, const struct fmt_gather *columns,
                   uint32_t n_columns, size_t size, uint8_t *to)
{
    memcpy(to, rows->first, size);
    for (uint32_t i = 0; i < rows->n; i++) {
        size_t row = (size_t)(row_at(rows, i) - rows->first);
        for (uint32_t c = 0; c < n_columns; c++) {
            size_t at = row + columns[c].offset, width = columns[c].width;
            for (size_t b = 0; b < width; b++) {
                to[at + b] = rows->first[at + width - 1 - b];
            }
        }
    }
}
