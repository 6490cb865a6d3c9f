/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column_read.c - decodes stored columns of any encoding, see column.h.
 *
 * Invariants
 *  R1  Every reader checks the size of the stored bytes before it reads them. The size must be
 *      exactly the one that follows from the number of values, the width and the head.
 *  R2  A reader writes n * width bytes at `to`, and at most fmt_column_scratch() bytes of scratch.
 *  R3  Nesting is bounded: PIECES does not contain PIECES, and RUNS contains only columns that
 *      contain no other column.
 */
#include <assert.h>
#include <lz4.h>
#include <string.h>

#include "format/bytes.h"
#include "format/column/column.h"
#include "format/column/shuffle.h"

/* Bit masks of the encodings that columns within RUNS, and columns within PIECES, may have. */
#define IN_RUNS   (1u << FMT_ENCODING_FRAME | 1u << FMT_ENCODING_DELTA | 1u << FMT_ENCODING_DICT)
#define IN_PIECES ((1u << FMT_ENCODING_PIECES) - 1)

typedef bool (*read_function)(const struct fmt_stored *s, void *to, void *scratch);

static bool is_number(const struct fmt_stored *s)
{
    return s->width == 4 || s->width == 8;
}

static uint64_t word_get(const uint8_t *p, uint32_t width)
{
    return width == 4 ? fmt_get_u32(p) : fmt_get_u64(p);
}

static void word_set(void *to, size_t i, uint64_t word, uint32_t width)
{
    if (width == 4) {
        ((uint32_t *)to)[i] = (uint32_t)word;
    } else {
        ((uint64_t *)to)[i] = word;
    }
}

static bool raw_read(const struct fmt_stored *s, void *to, void *scratch)
{
    (void)scratch;
    if (s->size != (size_t)s->n * s->width) {
        return false;
    }
    memcpy(to, s->bytes, s->size);
    return true;
}

static bool const_read(const struct fmt_stored *s, void *to, void *scratch)
{
    (void)scratch;
    if (s->size != s->width) {
        return false;
    }
    if (is_number(s)) {
        struct fmt_frame frame = {.base = word_get(s->bytes, s->width)};
        fmt_bits_unpack(to, s->bytes, s->n, s->width, &frame);
        fmt_words_turn(to, s->n, s->width);
        return true;
    }
    for (size_t i = 0; i < s->n; i++) {
        memcpy((uint8_t *)to + i * s->width, s->bytes, s->width);
    }
    return true;
}

static bool shuffle_read(const struct fmt_stored *s, void *to, void *scratch)
{
    size_t size = (size_t)s->n * s->width;
    void *planes = s->width > 1 ? scratch : to;
    int got = LZ4_decompress_safe((const char *)s->bytes, planes, (int)s->size, (int)size);
    if (got < 0 || (size_t)got != size) {
        return false;
    }
    if (s->width > 1) {
        fmt_unshuffle(to, planes, s->width, s->n);
    }
    return true;
}

/* Unpacks the n values of FRAME, or the n differences of DELTA, to `to`. The stored column begins
 * with `head` bytes, which include u8 bits, u8 shift, u16 number of exceptions, and the base. */
static bool framed_read(const struct fmt_stored *s, size_t head, uint32_t n, void *to)
{
    const uint32_t width = s->width;
    const size_t entry = 4 + (size_t)width;
    if (s->size < head) {
        return false;
    }
    struct fmt_frame frame = {
        .base = word_get(s->bytes + 4, width), .bits = s->bytes[0], .shift = s->bytes[1]};
    uint32_t n_exceptions = fmt_get_u16(s->bytes + 2);
    if (frame.bits + frame.shift > 8 * width ||
        s->size - head != fmt_bits_size(n, frame.bits) + n_exceptions * entry) {
        return false;
    }
    fmt_bits_unpack(to, s->bytes + head, n, width, &frame);
    const uint8_t *exception = s->bytes + s->size - n_exceptions * entry;
    for (uint32_t i = 0; i < n_exceptions; i++, exception += entry) {
        uint32_t place = fmt_get_u32(exception);
        if (place >= n) {
            return false;
        }
        word_set(to, place, frame.base + word_get(exception + 4, width), width);
    }
    return true;
}

static bool frame_read(const struct fmt_stored *s, void *to, void *scratch)
{
    (void)scratch;
    if (!is_number(s) || !framed_read(s, 4 + (size_t)s->width, s->n, to)) {
        return false;
    }
    fmt_words_turn(to, s->n, s->width);
    return true;
}

static bool delta_read(const struct fmt_stored *s, void *to, void *scratch)
{
    uint8_t *second = (uint8_t *)to + s->width;
    (void)scratch;
    if (!is_number(s) || s->n == 0 || !framed_read(s, 4 + 2 * (size_t)s->width, s->n - 1, second)) {
        return false;
    }
    word_set(to, 0, word_get(s->bytes + 4 + s->width, s->width), s->width);
    fmt_bits_sum(second, s->n - 1, s->width);
    fmt_words_turn(to, s->n, s->width);
    return true;
}

/* Returns true if all n numbers are less than bound. */
static bool all_below(const uint32_t *numbers, uint32_t n, uint32_t bound)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < n; i++) {
        wrong |= numbers[i] >= bound;
    }
    return wrong == 0;
}

static bool dict_read(const struct fmt_stored *s, void *to, void *scratch)
{
    uint32_t *numbers = scratch, *to_32 = to;
    uint64_t *to_64 = to;
    uint64_t entries[FMT_DICT_MAX] = {0};
    if (!is_number(s) || s->size < 1) {
        return false;
    }
    uint32_t count = (uint32_t)s->bytes[0] + 1;
    size_t head = 1 + (size_t)count * s->width;
    struct fmt_frame frame = {.bits = fmt_bits_of(count - 1)};
    if (s->size < head || s->size - head != fmt_bits_size(s->n, frame.bits)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = word_get(s->bytes + 1 + (size_t)i * s->width, s->width);
    }
    fmt_bits_unpack(numbers, s->bytes + head, s->n, 4, &frame);
    if (!all_below(numbers, s->n, count)) {
        return false;
    }
    for (uint32_t i = 0; s->width == 4 && i < s->n; i++) {
        to_32[i] = (uint32_t)entries[numbers[i]];
    }
    for (uint32_t i = 0; s->width == 8 && i < s->n; i++) {
        to_64[i] = entries[numbers[i]];
    }
    fmt_words_turn(to, s->n, s->width);
    return true;
}

/* Writes the value of each run to `to`, repeated as often as the run is long. The sum of all
 * lengths must be the number of values. */
static void runs_repeat(void *to, const void *values, const uint32_t *lengths, uint32_t n_runs,
                        uint32_t width)
{
    const uint32_t *from_32 = values;
    const uint64_t *from_64 = values;
    uint32_t *to_32 = to;
    uint64_t *to_64 = to;
    for (uint32_t k = 0; width == 4 && k < n_runs; k++) {
        for (const uint32_t *end = to_32 + lengths[k]; to_32 < end;) {
            *to_32++ = from_32[k];
        }
    }
    for (uint32_t k = 0; width == 8 && k < n_runs; k++) {
        for (const uint64_t *end = to_64 + lengths[k]; to_64 < end;) {
            *to_64++ = from_64[k];
        }
    }
}

static bool runs_read(const struct fmt_stored *s, void *to, void *scratch)
{
    const size_t head = 6;
    if (!is_number(s) || s->size < head) {
        return false;
    }
    uint32_t n_runs = fmt_get_u32(s->bytes), inner = s->bytes[5];
    struct fmt_frame frame = {.base = 1, .bits = s->bytes[4]};
    size_t packed = fmt_bits_size(n_runs, frame.bits);
    if (n_runs > s->n || frame.bits > 32 || s->size - head < packed || inner > 31 ||
        (IN_RUNS >> inner & 1) == 0) {
        return false;
    }
    uint32_t *lengths = scratch;
    uint8_t *values = (uint8_t *)scratch + fmt_align((uint64_t)n_runs * 4, 8);
    uint8_t *rest = values + fmt_align((uint64_t)n_runs * s->width, 8);
    uint64_t total = 0;
    fmt_bits_unpack(lengths, s->bytes + head, n_runs, 4, &frame);
    for (uint32_t k = 0; k < n_runs; k++) {
        total += lengths[k];
    }
    struct fmt_stored within = {.bytes = s->bytes + head + packed,
                                .size = s->size - head - packed,
                                .n = n_runs,
                                .width = s->width};
    if (total != s->n || !fmt_column_read(inner, &within, values, rest)) {
        return false;
    }
    runs_repeat(to, values, lengths, n_runs, s->width);
    return true;
}

/* Copies n values of `width` bytes to `to`, where their first bytes are `step` bytes apart. */
static void piece_place(uint8_t *to, size_t step, const uint8_t *from, uint32_t n, uint32_t width)
{
    for (size_t i = 0; width == 4 && i < n; i++) {
        memcpy(to + i * step, from + i * 4, 4);
    }
    for (size_t i = 0; width == 8 && i < n; i++) {
        memcpy(to + i * step, from + i * 8, 8);
    }
    for (size_t i = 0; width != 4 && width != 8 && i < n; i++) {
        memcpy(to + i * step, from + i * width, width);
    }
}

static bool pieces_read(const struct fmt_stored *s, void *to, void *scratch)
{
    uint32_t n_pieces = s->size < 2 ? 0 : fmt_get_u16(s->bytes), place = 0;
    size_t at = 2 + (size_t)n_pieces * FMT_PIECE_HEAD;
    if (at > s->size) {
        return false;
    }
    for (uint32_t i = 0; i < n_pieces; i++) {
        const uint8_t *head = s->bytes + 2 + (size_t)i * FMT_PIECE_HEAD;
        uint32_t width = head[0], encoding = head[1];
        struct fmt_stored piece = {
            .bytes = s->bytes + at, .size = fmt_get_u32(head + 2), .n = s->n, .width = width};
        uint8_t *values = scratch;
        uint8_t *rest = values + fmt_align((uint64_t)s->n * width, 8);
        if (piece.size > s->size - at || width == 0 || width > 8 || width > s->width - place ||
            encoding > 31 || (IN_PIECES >> encoding & 1) == 0 ||
            !fmt_column_read(encoding, &piece, values, rest)) {
            return false;
        }
        piece_place((uint8_t *)to + place, s->width, values, s->n, width);
        place += width;
        at += piece.size;
    }
    return at == s->size && place == s->width;
}

bool fmt_column_read(uint32_t encoding, const struct fmt_stored *stored, void *to, void *scratch)
{
    static const read_function functions[FMT_ENCODINGS] = {
        [FMT_ENCODING_RAW] = raw_read,         [FMT_ENCODING_CONST] = const_read,
        [FMT_ENCODING_SHUFFLE] = shuffle_read, [FMT_ENCODING_FRAME] = frame_read,
        [FMT_ENCODING_DELTA] = delta_read,     [FMT_ENCODING_DICT] = dict_read,
        [FMT_ENCODING_RUNS] = runs_read,       [FMT_ENCODING_PIECES] = pieces_read};
    assert((uintptr_t)to % 8 == 0 && (uintptr_t)scratch % 8 == 0);
    return encoding < FMT_ENCODINGS && functions[encoding](stored, to, scratch);
}
