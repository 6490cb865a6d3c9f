/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where_private.h - truth values, which where.c and where_row.c share.
 */
#ifndef WARPSCOPE_READER_ACCESS_WHERE_PRIVATE_H
#define WARPSCOPE_READER_ACCESS_WHERE_PRIVATE_H

#include "access/where.h"

enum truth { NO, YES, UNKNOWN };

/* Returns a || b if is_or is true, otherwise a && b, with three truth values. */
static inline enum truth join(bool is_or, enum truth a, enum truth b)
{
    enum truth decides = is_or ? YES : NO;
    if (a == decides || b == decides) {
        return decides;
    }
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : is_or ? NO : YES;
}

#endif
