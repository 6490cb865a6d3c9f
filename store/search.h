/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - binary search.
 */
#ifndef WARPSCOPE_STORE_SEARCH_H
#define WARPSCOPE_STORE_SEARCH_H

/* Sets the variable i to the first number, from first to end - 1, for which the expression is_before,
 * made of i, is false; to end if there is none. is_before must be true for all numbers up to that
 * one. Cost: log2(end - first) evaluations. */
#define BINARY_SEARCH(i, first, end, is_before)                                                    \
    do {                                                                                           \
        __typeof__(i) low_ = (first), high_ = (end);                                               \
        while (low_ < high_) {                                                                     \
            (i) = low_ + (high_ - low_) / 2;                                                       \
            if (is_before) {                                                                       \
                low_ = (i) + 1;                                                                    \
            } else {                                                                               \
                high_ = (i);                                                                       \
            }                                                                                      \
        }                                                                                          \
        (i) = low_;                                                                                \
    } while (0)

#endif
