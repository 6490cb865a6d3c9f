/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload.c - kernels whose communication is known in closed form; see models/memsim/README.md.
 *
 * A workload has C CTAs, E elements, B bytes per element, and R rounds. Element i of array k is at
 * address ARRAY_BASE(k) + i * B. A launch lists the accesses CTA by CTA; each CTA accesses its
 * elements in ascending order.
 */
#include "feed.h"

#include <assert.h>

#define ARRAY_BASE(k) (((uint64_t)(k) + 1) << 40)

struct maker {
    struct ms_feed *feed;
    uint64_t ctas, elements, element_size, repeat, fan_in;
    struct model_error *error;
    bool ok;
};

static void touch(struct maker *k, enum memtrace_type type, uint64_t cta, unsigned array,
                  uint64_t i)
{
    assert(k->element_size <= MEMTRACE_SIZE_MAX);
    struct memtrace_access access = {.address = ARRAY_BASE(array) + i * k->element_size,
                                     .cta = cta,
                                     .size = (uint32_t)k->element_size,
                                     .type = type};
    k->ok = k->ok && ms_feed_add(k->feed, &access, k->error);
}

static uint64_t cta_1d(uint64_t c)
{
    return memtrace_cta((uint32_t)c, 0, 0);
}

/* Makes launches in pairs of a producer and a consumer. In the first, each CTA stores its elements.
 * In the second, each CTA loads the elements of the next CTA. */
static void producer_make(struct maker *k)
{
    for (uint64_t round = 0; round < k->repeat; round++) {
        for (unsigned consumes = 0; consumes < 2; consumes++) {
            ms_feed_launch(k->feed, consumes ? "consume" : "produce");
            for (uint64_t c = 0; c < k->ctas && k->ok; c++) {
                uint64_t from = (c + consumes) % k->ctas;
                for (uint64_t e = 0; e < k->elements; e++) {
                    touch(k, consumes ? MEMTRACE_LOAD : MEMTRACE_STORE, cta_1d(c), 0,
                          from * k->elements + e);
                }
            }
        }
    }
}

/* Adds the accesses of one tile. The tile loads its elements and their neighbours from array
 * `from`, and stores its elements into the other array. */
static void tile_make(struct maker *k, uint64_t x, uint64_t y, unsigned from)
{
    assert(x < k->ctas && y < k->ctas && from <= 1);
    uint64_t t = k->elements;
    uint64_t width = k->ctas * t;
    uint64_t cta = memtrace_cta((uint32_t)x, (uint32_t)y, 0);
    uint64_t left = x * t, top = y * t;
    for (uint64_t i = 0; i < t * t; i++) {
        touch(k, MEMTRACE_LOAD, cta, from, (top + i / t) * width + left + i % t);
    }
    for (uint64_t i = 0; i < t; i++) {
        if (x > 0) {
            touch(k, MEMTRACE_LOAD, cta, from, (top + i) * width + left - 1);
        }
        if (x + 1 < k->ctas) {
            touch(k, MEMTRACE_LOAD, cta, from, (top + i) * width + left + t);
        }
        if (y > 0) {
            touch(k, MEMTRACE_LOAD, cta, from, (top - 1) * width + left + i);
        }
        if (y + 1 < k->ctas) {
            touch(k, MEMTRACE_LOAD, cta, from, (top + t) * width + left + i);
        }
    }
    for (uint64_t i = 0; i < t * t; i++) {
        touch(k, MEMTRACE_STORE, cta, 1 - from, (top + i / t) * width + left + i % t);
    }
}

static void stencil_make(struct maker *k)
{
    for (uint64_t round = 0; round < k->repeat; round++) {
        ms_feed_launch(k->feed, "stencil");
        for (uint64_t i = 0; i < k->ctas * k->ctas && k->ok; i++) {
            tile_make(k, i % k->ctas, i / k->ctas, round % 2);
        }
    }
}

/* Makes the launches of a tree reduction. The CTAs of each level of the tree load values and add
 * them to the cells of the next level. */
static void reduction_make(struct maker *k)
{
    uint64_t n = k->ctas;
    for (unsigned level = 0;; level++) {
        ms_feed_launch(k->feed, "reduce");
        for (uint64_t c = 0; c < n && k->ok; c++) {
            uint64_t inputs = level == 0 ? k->elements : 1;
            for (uint64_t e = 0; e < inputs; e++) {
                touch(k, MEMTRACE_LOAD, cta_1d(c), level, c * inputs + e);
            }
            if (n == 1) {
                touch(k, MEMTRACE_STORE, cta_1d(c), level + 1, 0);
            } else {
                touch(k, MEMTRACE_ATOMIC, cta_1d(c), level + 1, c / k->fan_in);
            }
        }
        if (n == 1) {
            return;
        }
        n = (n + k->fan_in - 1) / k->fan_in;
    }
}

/* Makes the launches of the transposition of a C x C matrix. Each CTA stores a row. Then it loads a
 * column and stores it as a row of another matrix, and finally loads that row. */
static void transpose_make(struct maker *k)
{
    uint64_t n = k->ctas;
    for (uint64_t round = 0; round < k->repeat; round++) {
        for (unsigned phase = 0; phase < 3; phase++) {
            static const char *const names[] = {"fill", "transpose", "use"};
            ms_feed_launch(k->feed, names[phase]);
            for (uint64_t i = 0; i < n * n && k->ok; i++) {
                uint64_t c = i / n, e = i % n;
                if (phase == 1) {
                    touch(k, MEMTRACE_LOAD, cta_1d(c), 0, e * n + c);
                }
                touch(k, phase == 2 ? MEMTRACE_LOAD : MEMTRACE_STORE, cta_1d(c), phase > 0, i);
            }
        }
    }
}

bool ms_workload_make(struct ms_feed *f, const struct ms_settings *s, enum ms_workload which,
                      struct model_error *error)
{
    struct maker k = {f, s->ctas, s->elements, s->element_size, s->repeat, s->fan_in, error, true};
    switch (which) {
    case MS_PRODUCER:
        producer_make(&k);
        break;
    case MS_STENCIL:
        stencil_make(&k);
        break;
    case MS_REDUCTION:
        reduction_make(&k);
        break;
    default:
        transpose_make(&k);
    }
    return k.ok;
}
