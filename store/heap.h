/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.h - binary heaps in arrays: the item at index 0 comes before all others.
 *
 * The caller has an item, and a free index of the heap. A macro moves the free index to where the item
 * belongs, and the caller then stores it there.
 */
#ifndef WARPSCOPE_STORE_HEAP_H
#define WARPSCOPE_STORE_HEAP_H

/* Moves the free index i up. is_before: whether the item comes before that at index `up`; move: stores
 * that at index i. */
#define HEAP_UP(i, up, is_before, move)                                                            \
    do {                                                                                           \
        for (; (i) > 0 && ((up) = ((i)-1) / 2, (is_before)); (i) = (up)) {                         \
            move;                                                                                  \
        }                                                                                          \
    } while (0)

/* Moves the free index i down, in a heap of n items. is_right: whether the item at index `down` + 1 comes
 * before that at `down`; is_before: whether that at `down` comes before the item; move: stores it at i. */
#define HEAP_DOWN(i, n, down, is_right, is_before, move)                                           \
    do {                                                                                           \
        for (; ((down) = 2 * (i) + 1) < (n); (i) = (down)) {                                       \
            (down) += (down) + 1 < (n) && (is_right);                                              \
            if (!(is_before)) {                                                                    \
                break;                                                                             \
            }                                                                                      \
            move;                                                                                  \
        }                                                                                          \
    } while (0)

#endif
