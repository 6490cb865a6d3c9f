/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - for the functions NAME_check(), which return true while all invariants of a data
 * structure hold.
 */
#ifndef WARPSCOPE_STORE_CHECK_H
#define WARPSCOPE_STORE_CHECK_H

#include <assert.h>
#include <stdbool.h>

/* Returns false from the function unless the invariant holds. A build with assertions ends the
 * program there instead, with the invariant and its line. */
#define HOLDS(invariant)                                                                           \
    do {                                                                                           \
        bool is_held = (invariant);                                                                \
        assert(is_held &&#invariant);                                                              \
        if (!is_held) {                                                                            \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

#endif
