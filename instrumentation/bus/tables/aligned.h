/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aligned.h - aligns the data of records: subscribers may rely on alignment, but callers of
 * st_notify() need not ensure it.
 */
#ifndef WARPSCOPE_BUS_TABLES_ALIGNED_H
#define WARPSCOPE_BUS_TABLES_ALIGNED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "st_bus.h"

/* Returns true if the data of the record are aligned, so that subscribers can read them in
 * place. */
static inline bool aligned_is(const st_record *record)
{
    return ((uintptr_t)record->data & 7u) == 0;
}

/* Replaces the data of the record by an aligned copy. Returns the copy, which the caller frees
 * after the subscribers have been called; NULL if memory is exhausted. The copy is on the heap
 * because calls may nest very deeply. */
static inline void *aligned_copy(st_record *record)
{
    void *copy = malloc(record->size);
    if (copy != NULL) {
        memcpy(copy, record->data, record->size);
        record->data = copy;
    }
    return copy;
}

#endif
