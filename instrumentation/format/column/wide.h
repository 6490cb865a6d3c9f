/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.h - compiles loops over many values twice: for any processor, and for those with vectors of
 * 32 bytes (internal to format/). Both versions compute the same.
 *
 *     FMT_LOOPS uint64_t sum_any(const uint64_t *v, uint32_t n) { ... }
 *     FMT_TWICE(return, uint64_t, sum, (const uint64_t *v, uint32_t n), (v, n))
 *
 * defines sum(), which runs the version that suits the processor. The first argument is empty if
 * the function returns nothing. Functions that it calls in loops must be FMT_LOOPS as well.
 */
#ifndef WARPSCOPE_FORMAT_WIDE_H
#define WARPSCOPE_FORMAT_WIDE_H

#include <stdbool.h>

#define FMT_LOOPS static inline __attribute__((always_inline))

#if defined(__x86_64__) && !defined(__AVX2__)
#define FMT_WIDE __attribute__((target("avx2"), noinline))
static inline bool fmt_is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#define FMT_TWICE(returns, type, name, parameters, arguments)                                      \
    static FMT_WIDE type name##_wide parameters                                                    \
    {                                                                                              \
        returns name##_any arguments;                                                              \
    }                                                                                              \
    static __attribute__((noinline)) type name##_usual parameters                                  \
    {                                                                                              \
        returns name##_any arguments;                                                              \
    }                                                                                              \
    static type name parameters                                                                    \
    {                                                                                              \
        if (fmt_is_wide()) {                                                                       \
            returns name##_wide arguments;                                                         \
        } else {                                                                                   \
            returns name##_usual arguments;                                                        \
        }                                                                                          \
    }
#else
static inline bool fmt_is_wide(void)
{
    return false;
}
#define FMT_TWICE(returns, type, name, parameters, arguments)                                      \
    static type name parameters                                                                    \
    {                                                                                              \
        returns name##_any arguments;                                                              \
    }
#endif

#endif
