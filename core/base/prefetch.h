/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prefetch.h - the macro PREFETCHING, for functions that only prefetch.
 *
 * To gcc, such a function has no effect. Unless it was inlined early, the optimiser silently
 * deletes the calls (observed with gcc 12; the simulation of 500,000 LPs then takes twice as long).
 */
#ifndef WARPSCOPE_BASE_PREFETCH_H
#define WARPSCOPE_BASE_PREFETCH_H

#define PREFETCHING static inline __attribute__((always_inline))

#endif
