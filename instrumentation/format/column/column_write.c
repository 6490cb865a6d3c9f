/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column_write.c - chooses an encoding for the values of a column, and stores the values; see
 * column.h.
 *
 * Trying all ways to store a column takes about ten times as long as storing it in one way. A way
 * is therefore chosen only for the first block, after 1, 4, 16 ... PAUSE_MOST further blocks, and
 * when the column takes much more space than at the latest choice.
 *
 * Invariants
 *  W1  Writers check that their bytes fit before they write them.
 *  W2  A column is stored unchanged if it has only a few bytes, or if no way makes it smaller.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/column/column.h"
#include "format/column/shuffle.h"

#define TRIAL_MIN   32u /* columns of fewer bytes are stored unchanged */
#define PAUSE_MOST  256u
#define PAUSE_GROWS 4u
#define PAUSE_RAW   8u /* maximum pause in blocks if no way makes the column smaller */
#define USUAL_SHIFT 16
/* Compared with the best way before it in the table, a way must save at least 1/32 of the bytes
 * plus 4 bytes. */
#define GAIN_LEAST 32u
#define GAIN_BYTES 4u
/* LZ4 must save at least 1/8 of the bytes, because it is the slowest to read. */
#define GAIN_LZ4 8u
/* Minimum mean length of runs for which FMT_ENCODING_RUNS is tried. */
#define RUN_VALUES_MIN 2u

struct writer {
    struct fmt_column_memory *m;
    const struct fmt_values *v;
    struct fmt_column_state *state;
    uint8_t *to;
    size_t capacity;
};

void fmt_column_memory_destroy(struct fmt_column_memory *m)
{
    if (m != NULL) {
        free(m->owned);
        free(m);
    }
}

static void word_put(uint8_t *to, uint64_t word, uint32_t width)
{
    if (width == 4) {
        fmt_put_u32(to, (uint32_t)word);
    } else {
        fmt_put_u64(to, word);
    }
}

static uint64_t word_of(const struct fmt_values *v, size_t i)
{
    return v->width == 4 ? ((const uint32_t *)v->words)[i] : ((const uint64_t *)v->words)[i];
}

/* Packs n values to the output after its first `head` bytes. Returns the size of the output in
 * bytes, including `head`; 0 if it exceeds the capacity. */
static size_t numbers_write(const struct writer *w, size_t head, const void *values, uint32_t n,
                            uint32_t width, bool delta, const struct fmt_frame *frame)
{
    size_t size = fmt_bits_size(n, frame->bits);
    if (head + size > w->capacity) {
        return 0;
    }
    fmt_bits_pack(w->to + head, values, n, width, delta, frame);
    return head + size;
}

/* Stores the values as FRAME or DELTA: the head, the packed numbers, and the exceptions. Returns
 * the size in bytes; 0 if it exceeds the capacity. */
static size_t framed_write(const struct writer *w, const void *values, uint32_t n, bool delta)
{
    const uint32_t width = w->v->width;
    struct fmt_exceptions *x = &w->m->exceptions;
    struct fmt_frame *frame = &w->state->frame;
    fmt_frame_find(values, n, width, delta, frame, x);
    struct fmt_frame numbers = {.bits = frame->bits, .shift = frame->shift};
    size_t head = 4 + (size_t)width * (delta ? 2 : 1);
    size_t size = x->n > 0 ? numbers_write(w, head, x->numbers, n, width, false, &numbers)
                           : numbers_write(w, head, values, n, width, delta, frame);
    size_t entry = 4 + (size_t)width;
    if (size == 0 || size + x->n * entry > w->capacity) {
        return 0;
    }
    w->to[0] = (uint8_t)frame->bits;
    w->to[1] = (uint8_t)frame->shift;
    fmt_put_u16(w->to + 2, (uint16_t)x->n);
    word_put(w->to + 4, frame->base, width);
    for (uint32_t i = 0; i < x->n; i++) {
        fmt_put_u32(w->to + size + i * entry, x->list[i].place);
        word_put(w->to + size + i * entry + 4, x->list[i].number, width);
    }
    return size + x->n * entry;
}

static size_t frame_write(const struct writer *w)
{
    return framed_write(w, w->v->words, w->v->n, false);
}

static size_t delta_write(const struct writer *w)
{
    const struct fmt_values *v = w->v;
    size_t size = framed_write(w, (const uint8_t *)v->words + v->width, v->n - 1, true);
    if (size > 0) {
        word_put(w->to + 4 + v->width, word_of(v, 0), v->width);
    }
    return size;
}

/* Returns the index of the slot at which the search for a value begins. */
static uint32_t dict_place(uint64_t value)
{
    return (uint32_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FMT_DICT_LOG));
}

/* Empties a slot. The slot gets a value whose search begins at another slot, so that the first
 * comparison of a search never finds it. */
static void dict_empty(struct fmt_dict *d, uint32_t slot)
{
    d->slots[slot] = (struct fmt_dict_slot){.value = slot == dict_place(0) ? 1 : 0};
}

struct fmt_column_memory *fmt_column_memory_create(uint32_t n_max, size_t bytes_max)
{
    struct fmt_column_memory *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    size_t words = ((size_t)n_max + 1) * 8, numbers = fmt_align(((size_t)n_max + 2) * 4, 8);
    m->owned = malloc(2 * words + numbers + bytes_max + FMT_PACK_SLACK);
    if (m->owned == NULL) {
        free(m);
        return NULL;
    }
    m->values = (uint64_t *)(void *)m->owned;
    m->exceptions.numbers = m->owned + words;
    m->numbers = (uint32_t *)(void *)(m->owned + 2 * words) + 1;
    m->planes = m->owned + 2 * words + numbers;
    for (uint32_t slot = 0; slot < FMT_DICT_SLOTS; slot++) {
        dict_empty(&m->dict, slot);
    }
    return m;
}

/* Adds a value to the dictionary, unless the dictionary already has it. slot: index of the slot at
 * which the search for the value begins. Returns the slot of the value; NULL if there are too many
 * different values. */
static const struct fmt_dict_slot *dict_add(struct fmt_dict *d, uint64_t value, uint32_t slot)
{
    while (d->slots[slot].is_used && d->slots[slot].value != value) {
        slot = (slot + 1) % FMT_DICT_SLOTS;
    }
    if (!d->slots[slot].is_used) {
        if (d->count == FMT_DICT_MAX) {
            return NULL;
        }
        d->slots[slot] = (struct fmt_dict_slot){value, d->count, true};
        d->used[d->count++] = slot;
    }
    return &d->slots[slot];
}

/* Builds the dictionary of the values v, and sets numbers[i] to the index of value i in it. Returns
 * false if there are too many different values. Inlined once for each width. */
static inline bool dict_build(struct fmt_dict *d, const struct fmt_values *v, uint32_t *numbers,
                              uint32_t width)
{
    const uint32_t *from_32 = v->words;
    const uint64_t *from_64 = v->words;
    for (uint32_t i = 0; i < v->n; i++) {
        uint64_t value = width == 4 ? from_32[i] : from_64[i];
        const struct fmt_dict_slot *slot = &d->slots[dict_place(value)];
        if (slot->value != value) {
            slot = dict_add(d, value, dict_place(value));
            if (slot == NULL) {
                return false;
            }
        }
        numbers[i] = slot->number;
    }
    return true;
}

static size_t dict_write(const struct writer *w)
{
    const struct fmt_values *v = w->v;
    struct fmt_dict *d = &w->m->dict;
    d->count = 0;
    bool good =
        v->width == 4 ? dict_build(d, v, w->m->numbers, 4) : dict_build(d, v, w->m->numbers, 8);
    const uint32_t count = d->count;
    size_t head = 1 + (size_t)count * v->width, size = 0;
    struct fmt_frame frame = {.bits = fmt_bits_of(count - 1)};
    if (good) {
        size = numbers_write(w, head, w->m->numbers, v->n, 4, false, &frame);
    }
    if (size > 0) {
        w->to[0] = (uint8_t)(count - 1);
        for (uint32_t i = 0; i < count; i++) {
            word_put(w->to + 1 + (size_t)i * v->width, d->slots[d->used[i]].value, v->width);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        dict_empty(d, d->used[i]);
    }
    return size;
}

static size_t runs_write(const struct writer *w, uint32_t inner)
{
    const size_t head = 6;
    struct fmt_column_memory *m = w->m;
    uint32_t n_runs = fmt_runs_find(w->v->words, w->v->n, w->v->width, m->values, m->numbers);
    if (n_runs > w->v->n / RUN_VALUES_MIN) {
        return 0;
    }
    /* numbers[i] is the index of the last value of run i, so numbers[i] - numbers[i - 1] is the
     * length of run i. The frame has base 1, so each length is stored minus 1. */
    struct fmt_frame frame = {.base = 1, .found = 32};
    m->numbers[-1] = UINT32_MAX;
    fmt_frame_find(m->numbers, n_runs, 4, true, &frame, &m->exceptions);
    frame.bits += frame.shift;
    frame.shift = 0;
    size_t size = numbers_write(w, head, m->numbers, n_runs, 4, true, &frame);
    if (size == 0) {
        return 0;
    }
    fmt_put_u32(w->to, n_runs);
    w->to[4] = (uint8_t)frame.bits;
    w->to[5] = (uint8_t)inner;
    struct fmt_values runs = {m->values, n_runs, w->v->width};
    size_t within = fmt_column_write_way(m, &runs, w->state, (struct fmt_way){inner, 0},
                                         w->to + size, w->capacity - size);
    return within == 0 ? 0 : size + within;
}

static size_t shuffle_write(const struct writer *w)
{
    const struct fmt_values *v = w->v;
    size_t size = (size_t)v->n * v->width;
    struct fmt_planes planes = {.bytes = v->words, .n_planes = v->width, .n = v->n};
    if (v->width > 1) {
        const void *bytes = v->words;
        if (!FMT_IS_LITTLE_ENDIAN && (v->width == 4 || v->width == 8)) {
            memcpy(w->m->exceptions.numbers, v->words, size);
            fmt_words_turn(w->m->exceptions.numbers, v->n, v->width);
            bytes = w->m->exceptions.numbers;
        }
        fmt_shuffle(w->m->planes, bytes, v->width, v->n);
        planes.bytes = w->m->planes;
        planes.rest = v->width <= sizeof w->state->rest ? w->state->rest : NULL;
    }
    return fmt_pack(&w->m->packer, &planes, w->to, w->capacity);
}

size_t fmt_column_write_way(struct fmt_column_memory *m, const struct fmt_values *v,
                            struct fmt_column_state *state, struct fmt_way way, uint8_t *to,
                            size_t capacity)
{
    const struct writer w = {m, v, state, to, capacity};
    bool is_number = v->width == 4 || v->width == 8;
    if (way.encoding == FMT_ENCODING_SHUFFLE) {
        return shuffle_write(&w);
    }
    if (!is_number) {
        return 0;
    }
    switch (way.encoding) {
    case FMT_ENCODING_FRAME:
        return frame_write(&w);
    case FMT_ENCODING_DELTA:
        return delta_write(&w);
    case FMT_ENCODING_DICT:
        return dict_write(&w);
    case FMT_ENCODING_RUNS:
        return runs_write(&w, way.inner);
    default:
        return 0;
    }
}

/* Stores the values unchanged. Returns the size in bytes; 0 if it exceeds the capacity. */
static size_t raw_write(const struct fmt_values *v, uint8_t *to, size_t capacity)
{
    size_t size = (size_t)v->n * v->width;
    if (size > capacity) {
        return 0;
    }
    if (v->width == 4 || v->width == 8) {
        for (size_t i = 0; i < v->n; i++) {
            word_put(to + i * v->width, word_of(v, i), v->width);
        }
    } else {
        memcpy(to, v->words, size);
    }
    return size;
}

size_t fmt_column_write_plain(struct fmt_column_memory *m, const struct fmt_values *v, uint8_t *to,
                              uint32_t *encoding)
{
    const struct fmt_way way = {FMT_ENCODING_SHUFFLE, 0};
    struct fmt_column_state state = {0};
    size_t raw = (size_t)v->n * v->width;
    size_t size = raw < TRIAL_MIN ? 0 : fmt_column_write_way(m, v, &state, way, to, raw - 1);
    *encoding = size > 0 ? FMT_ENCODING_SHUFFLE : FMT_ENCODING_RAW;
    return size > 0 ? size : raw_write(v, to, raw);
}

/* Tries all ways, and stores the values in the best one, which becomes state->way. If no way saves
 * space, stores the values unchanged (FMT_ENCODING_RAW). Returns the size in bytes; 0 if it exceeds
 * the capacity. */
static size_t best_write(struct fmt_column_memory *m, const struct fmt_values *v,
                         struct fmt_column_state *state, uint8_t *to, size_t capacity)
{
    static const struct fmt_way ways[] = {{FMT_ENCODING_FRAME, 0},
                                          {FMT_ENCODING_DELTA, 0},
                                          {FMT_ENCODING_RUNS, FMT_ENCODING_FRAME},
                                          {FMT_ENCODING_RUNS, FMT_ENCODING_DELTA},
                                          {FMT_ENCODING_DICT, 0},
                                          {FMT_ENCODING_SHUFFLE, 0}};
    size_t best = (size_t)v->n * v->width, last = 0;
    struct fmt_column_state tried = {0}, chosen = {0};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        size_t part = ways[i].encoding == FMT_ENCODING_SHUFFLE ? GAIN_LZ4 : GAIN_LEAST;
        size_t gain = best / part + GAIN_BYTES;
        size_t most = best < gain ? 0 : best - gain < capacity ? best - gain : capacity;
        tried = (struct fmt_column_state){.way = ways[i]};
        size_t size = fmt_column_write_way(m, v, &tried, ways[i], to, most);
        if (size > 0) {
            chosen = tried;
            best = last = size;
        } else {
            last = 0;
        }
    }
    bool is_raw = chosen.way.encoding == FMT_ENCODING_RAW;
    uint32_t pause = state->pause == 0 ? 1 : state->pause * PAUSE_GROWS,
             most = is_raw ? PAUSE_RAW : PAUSE_MOST;
    *state = chosen;
    state->pause = pause < most ? pause : most;
    state->left = state->pause;
    state->usual = ((uint64_t)best << USUAL_SHIFT) / v->n;
    if (is_raw) {
        return raw_write(v, to, capacity);
    }
    return last > 0 ? last : fmt_column_write_way(m, v, state, chosen.way, to, capacity);
}

size_t fmt_column_write(struct fmt_column_memory *m, const struct fmt_values *v,
                        struct fmt_column_state *state, uint8_t *to, size_t capacity,
                        uint32_t *encoding)
{
    size_t raw = (size_t)v->n * v->width, size = 0;
    *encoding = FMT_ENCODING_RAW;
    if (raw < TRIAL_MIN) {
        return raw_write(v, to, capacity);
    }
    if (state->left > 0) {
        uint64_t usual = (state->usual * v->n >> USUAL_SHIFT) + 64;
        size_t most = raw - 1 < capacity ? raw - 1 : capacity;
        state->left--;
        if (state->way.encoding == FMT_ENCODING_RAW) {
            return raw_write(v, to, capacity);
        }
        size = fmt_column_write_way(m, v, state, state->way, to, most);
        size = size <= usual + usual / 4 ? size : 0;
    }
    if (size == 0) {
        size = best_write(m, v, state, to, capacity);
    }
    *encoding = size == raw ? FMT_ENCODING_RAW : state->way.encoding;
    return size;
}
