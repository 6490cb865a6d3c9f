/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where_private.h - declarations that the parts of where.h share: truths, places of names.
 */
#ifndef WARPSCOPE_READER_ACCESS_WHERE_PRIVATE_H
#define WARPSCOPE_READER_ACCESS_WHERE_PRIVATE_H

#include <assert.h>

#include "access/where.h"

enum truth { NO, YES, UNKNOWN };

/* Returns a || b if is_or is true, otherwise a && b. */
static inline enum truth join(bool is_or, enum truth a, enum truth b)
{
    enum truth decides = is_or ? YES : NO;
    if (a == decides || b == decides) {
        return decides;
    }
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : is_or ? NO : YES;
}

/* Returns the places of an expression's names, by number of node. kind: number of a kind of record;
 * higher numbers are payload descriptions. */
static inline const struct ws_where_place *places_of(const struct ws_where *w, size_t kind)
{
    assert(kind < w->sb->n_schemas + w->descs->n);
    return w->places + kind * w->n_nodes;
}

#endif
