/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expected accesses of the programs, enumerated from their algorithms, as traces.
 *
 * A program's function calls ex_launch() for each launch, and then ex_at() or others for the
 * accesses in it. Array n of a program, from 1, begins at address n << 32, and all accesses are of
 * SM 0.
 */
#ifndef WARPSCOPE_CUDA_EXPECT_H
#define WARPSCOPE_CUDA_EXPECT_H

#include "format/memtrace.h"
#include <stdint.h>

enum ex_type { EX_LOAD = MEMTRACE_LOAD, EX_STORE = MEMTRACE_STORE, EX_ATOMIC = MEMTRACE_ATOMIC };

/* Begins a launch in a stream. stream: number of the stream, from 1. kernel: name of the kernel. */
void ex_launch(unsigned stream, const char *kernel);

/* Returns the number that stands for the CTA at x, y, z. */
static inline uint64_t ex_cta(uint64_t x, uint64_t y, uint64_t z)
{
    return memtrace_cta((uint32_t)x, (uint32_t)y, (uint32_t)z);
}

/* Adds an access to the last launch. array: name of the array, which must stay valid; offset, size:
 * bytes of the array that the access touches; cta: result of ex_cta(). */
void ex_access(enum ex_type type, const char *array, uint64_t offset, uint32_t size, uint64_t cta);

/* Adds an access to one element of an array by a CTA in a row. */
static inline void ex_at(enum ex_type type, const char *array, int index, uint32_t size, int cta)
{
    ex_access(type, array, (uint64_t)index * size, size, ex_cta((uint64_t)cta, 0, 0));
}

/* Adds the accesses of n threads, in CTAs of `block` threads, that each access one element of an array:
 * thread i element (i + shift) modulo n, in ex_each() element i, and in ex_reverse() n - 1 - i. */
static inline void ex_shifted(enum ex_type type, const char *array, int n, uint32_t size, int block,
                              int shift)
{
    for (int i = 0; i < n; i++) {
        ex_access(type, array, (uint64_t)((i + shift) % n) * size, size,
                  ex_cta((uint64_t)(i / block), 0, 0));
    }
}

static inline void ex_each(enum ex_type type, const char *array, int n, uint32_t size, int block)
{
    ex_shifted(type, array, n, size, block, 0);
}

static inline void ex_reverse(enum ex_type type, const char *array, int n, uint32_t size, int block)
{
    for (int i = 0; i < n; i++) {
        ex_access(type, array, (uint64_t)(n - 1 - i) * size, size,
                  ex_cta((uint64_t)(i / block), 0, 0));
    }
}

/* The launch of "fill" in stream 1: each of n threads stores a word. */
static inline void ex_fill(const char *array, int n, int block)
{
    ex_launch(1, "fill");
    ex_each(EX_STORE, array, n, 4, block);
}

/* A program of the corpus. */
struct ex_program {
    const char *name;
    void (*enumerate)(void);
};
extern const struct ex_program ex_simple[], ex_kernels[], ex_language[], ex_memory[], ex_matrix[];

#endif
