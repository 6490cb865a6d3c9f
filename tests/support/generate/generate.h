/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random kernels in PTX: input for comparisons of the rewriter and the interpreter.
 *
 * A kernel has one parameter, the address of a zeroed or filled array of GENERATE_BYTES bytes. All
 * its accesses to global memory lie in that array. They cover every kind that the rewriter traces:
 * ld, ldu, st, atom, red and cp.async with caching and ordering modifiers, several sizes and vectors, under
 * guards, and with generic addresses that point to global, shared or local memory. Their addresses
 * depend on values that the kernel loads. The control flow has branches that diverge and join,
 * loops with bounded counts, branch tables, threads that exit early, barriers, and calls of device
 * functions.
 *
 * Each warp uses only its own part of the array, except for reductions whose results no thread
 * reads. The final contents therefore do not depend on the order of warps.
 */
#ifndef WARPSCOPE_TESTS_GENERATE_H
#define WARPSCOPE_TESTS_GENERATE_H

#include <stddef.h>
#include <stdint.h>

enum {
    GENERATE_CTAS = 6,    /* maximum number of CTAs in a launch */
    GENERATE_WARPS = 3,   /* maximum number of warps in a CTA */
    GENERATE_PART = 2048, /* size in bytes of the part of the array that one warp uses */
    GENERATE_BYTES = GENERATE_PART * (GENERATE_CTAS * GENERATE_WARPS + 1)
};

struct generate_kernel {
    char *text; /* PTX of a module whose kernel is named "kernel"; the caller frees it */
    size_t size;
    uint32_t grid[3], block[3];
};

/* Returns a kernel that depends only on the seed, so that it is the same on each machine. The
 * member `text` is NULL if memory is exhausted. */
struct generate_kernel generate_kernel(uint64_t seed);

#endif
