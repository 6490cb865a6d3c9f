/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.c - gathers the values of each column from rows, see gather.h.
 *
 * Rows are processed in tiles, groups of rows that stay in the L1 cache while the values of all
 * columns are gathered. Cost: 2.5 instructions per value.
 */
#include "format/column/gather.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "format/bytes.h"
#include "format/column/bits.h"

#define TILE_ROWS 128u

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

/* Returns the word at p: 8 bytes, or 4 bytes if half is true. */
static inline uint64_t word_at(const uint8_t *p, bool half)
{
    return half ? fmt_get_u32(p) : fmt_get_u64(p);
}

/* Returns true if all rows from `begin` to `end`, without `end`, have the same word at offset as
 * row 0. Inlined once for each size of words. */
static inline bool is_same(const struct fmt_rows *rows, size_t offset, uint32_t begin, uint32_t end,
                           bool half)
{
    const uint64_t first = word_at(row_at(rows, 0) + offset, half);
    const size_t stride = rows->stride;
    const uint8_t *p = row_at(rows, begin) + offset;
    uint32_t i = begin;
    for (; stride != 0 && end - i >= 4; i += 4, p += 4 * stride) {
        if (word_at(p, half) != first || word_at(p + stride, half) != first ||
            word_at(p + 2 * stride, half) != first || word_at(p + 3 * stride, half) != first) {
            return false;
        }
    }
    while (i < end && word_at(row_at(rows, i) + offset, half) == first) {
        i++;
    }
    return i == end;
}

/* Returns true if the rows `begin` to `end`, without `end`, have the same value in column c as row
 * 0. May compare the whole lane of the column, and then may also return false for equal values. */
static bool column_is_same(const struct fmt_rows *rows, const struct fmt_gather *c, uint32_t begin,
                           uint32_t end)
{
    return c->width == 4 ? is_same(rows, c->offset, begin, end, true)
                         : is_same(rows, c->offset & ~7u, begin, end, false);
}

/* Gathers the n columns of one lane from the rows `begin` to `end`, without `end`. If these are the
 * first rows in which a column varies, gathers its values from all earlier rows as well. */
static void lane_gather(const struct fmt_rows *rows, struct fmt_gather *columns, uint32_t n,
                        uint32_t begin, uint32_t end)
{
    bool varies = n == 1;
    for (uint32_t k = 0; k < n; k++) {
        varies = varies || columns[k].varies;
    }
    if (!varies && is_same(rows, columns->offset & ~7u, begin, end, false)) {
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        struct fmt_gather *c = &columns[k];
        if (c->varies) {
            values_gather(rows, c, begin, end);
        } else if (!column_is_same(rows, c, begin, end)) {
            c->varies = true;
            values_gather(rows, c, 0, end);
        }
    }
}

void fmt_gather(const struct fmt_rows *rows, struct fmt_gather *columns, uint32_t n_columns)
{
    assert(rows->n > 0);
    for (uint32_t begin = 0; begin < rows->n; begin += TILE_ROWS) {
        uint32_t end = rows->n - begin < TILE_ROWS ? rows->n : begin + TILE_ROWS;
        for (uint32_t k = 0; k < n_columns;) {
            uint32_t lane = columns[k].offset / 8, from = k;
            while (k < n_columns && columns[k].offset / 8 == lane) {
                k++;
            }
            lane_gather(rows, columns + from, k - from, begin, end);
        }
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

void fmt_range_find(const uint64_t *bits, uint32_t n, double *min, double *max)
{
    assert(n > 0);
    uint64_t falls = bits[0];
    for (uint32_t i = 1; i < n; i++) {
        falls |= bits[i] | (bits[i] - bits[i - 1]);
    }
    /* Doubles whose sign bit is 0 have the same order as their bits. */
    if (falls >> 63 == 0 && double_of(bits[n - 1]) <= INFINITY) {
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
