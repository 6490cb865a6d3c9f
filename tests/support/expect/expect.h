/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expected accesses of the programs, enumerated from their algorithms, as traces.
 *
 * A program whose threads access elements by their numbers is rows of the table in table.c, one for
 * each launch. The others have a function that calls EX() for each such launch, or ex_launch() and
 * then ex_at() or others for the accesses in it. Array n of a program, from 1, begins at address
 * n << 32, and all accesses are of SM 0.
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

enum { EX_REVERSE = -1, EX_ACCESSES = 9 };

/* Accesses of n threads, in CTAs of `block` threads, that each access one element of an array: thread
 * i element (i + shift) modulo `modulus` or, if shift is EX_REVERSE, element n - 1 - i. Element k is at
 * byte offset + k * stride. The number of the CTA is modulo `ctas`. */
struct ex_each {
    enum ex_type type;
    const char *array; /* NULL: no accesses */
    uint32_t size;     /* of an element */
    int shift;
    int n, block, modulus;   /* 0: those of the launch; modulus: n */
    uint32_t stride, offset; /* stride 0: `size` */
    int ctas;                /* 0: no limit */
};
#define LOAD(...)                                                                                  \
    {                                                                                              \
        .type = EX_LOAD, .array = __VA_ARGS__                                                      \
    }
#define STORE(...)                                                                                 \
    {                                                                                              \
        .type = EX_STORE, .array = __VA_ARGS__                                                     \
    }
#define ATOMIC(...)                                                                                \
    {                                                                                              \
        .type = EX_ATOMIC, .array = __VA_ARGS__                                                    \
    }

/* A launch of n threads, in CTAs of `block` threads. */
struct ex_row {
    const char *program, *kernel;
    int n, block;
    struct ex_each each[EX_ACCESSES];
};

/* Adds the accesses of the threads of a launch to it, see struct ex_each. */
void ex_each(const struct ex_each *each, int n, int block);
/* Adds a launch with its accesses. */
void ex_row(unsigned stream, const struct ex_row *row);
#define EX_IN(stream, kernel, n, block, ...)                                                       \
    ex_row(stream, &(const struct ex_row){NULL, kernel, n, block, {__VA_ARGS__}})
#define EX(...) EX_IN(1, __VA_ARGS__)

/* A program of the corpus. */
struct ex_program {
    const char *name;
    void (*enumerate)(void);
};
extern const struct ex_program ex_simple[], ex_kernels[];
extern const struct ex_row ex_table[]; /* ends with a row without a program */

#endif
