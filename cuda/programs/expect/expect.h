/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expected accesses of the programs, enumerated from their algorithms, and the communication that
 * follows from them.
 *
 * A program's function calls ex_launch() for each launch, and then ex_load(), ex_store() and
 * ex_atomic() for each access in it. The code applies the definitions of docs/memory-traces.md
 * literally, with a complete list of accesses per address, independently of the reader's analysis.
 * Time and memory grow with the number of accesses, which is below a million.
 */
#ifndef WARPSCOPE_CUDA_EXPECT_H
#define WARPSCOPE_CUDA_EXPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum ex_type { EX_LOAD, EX_STORE, EX_ATOMIC };

/* Begins a launch in a stream. stream: number of the stream, from 1. kernel: name of the kernel,
 * which must stay valid. */
void ex_launch(unsigned stream, const char *kernel);

/* Returns the number that stands for the CTA at x, y, z. */
uint64_t ex_cta(uint64_t x, uint64_t y, uint64_t z);

/* Adds an access to the last launch. offset, size: bytes of the array that the access touches; cta:
 * result of ex_cta(). */
void ex_access(enum ex_type type, const char *array, uint64_t offset, uint32_t size, uint64_t cta);

static inline void ex_load(const char *array, int index, uint32_t size, int cta)
{
    ex_access(EX_LOAD, array, (uint64_t)index * size, size, ex_cta((uint64_t)cta, 0, 0));
}

static inline void ex_store(const char *array, int index, uint32_t size, int cta)
{
    ex_access(EX_STORE, array, (uint64_t)index * size, size, ex_cta((uint64_t)cta, 0, 0));
}

static inline void ex_atomic(const char *array, int index, uint32_t size, int cta)
{
    ex_access(EX_ATOMIC, array, (uint64_t)index * size, size, ex_cta((uint64_t)cta, 0, 0));
}

/* Writes a table of results to out, in the CSV format of "warpscope memtrace" but with rows in any
 * order. array: the only array to analyse; NULL: all arrays. bytes: true for the results that
 * --match=bytes gives. */
enum ex_table { EX_VOLUMES, EX_TRANSFERS, EX_MATRIX };
void ex_print(FILE *out, enum ex_table table, const char *array, bool bytes);

/* A program of the corpus. */
struct ex_program {
    const char *name;
    void (*enumerate)(void);
};
extern const struct ex_program ex_simple[], ex_kernels[], ex_language[], ex_memory[];

#endif
