/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where_private.h - declarations that where.c and where_row.c share: truth values, places of names.
 */
#ifndef WARPSCOPE_READER_ACCESS_WHERE_PRIVATE_H
#define WARPSCOPE_READER_ACCESS_WHERE_PRIVATE_H

#include <assert.h>

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

/* Returns the places of the names of an expression, indexed by node. `kind` is the index of a kind
 * of record or, for payload description d, the number of kinds plus d. */
static inline const struct ws_where_place *places_of(const struct ws_where *w, size_t kind)
{
    assert(kind < w->sb->n_schemas + w->descs->n);
    return w->places + kind * w->n_nodes;
}

#endif
