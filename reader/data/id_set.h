/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_set.h - a set of numbers in ascending order, each with its index; used for the LPs of a PE.
 */
#ifndef WARPSCOPE_READER_DATA_ID_SET_H
#define WARPSCOPE_READER_DATA_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of numbers. Zero-initialise. Must be freed in any case. Invariant: ids are ascending and
 * distinct. */
struct ws_id_set {
    uint64_t *ids; /* owned; the numbers */
    size_t n, capacity;
};

#define WS_IDS_NONE SIZE_MAX

/* Returns the index of id, or WS_IDS_NONE if it is not in the set. *hint: index to try first, which
 * may have any value; the function updates it. Cost: one comparison if ids are looked up in order,
 * otherwise log n. */
size_t ws_id_set_find(const struct ws_id_set *ids, uint64_t id, size_t *hint);

/* Adds n numbers in any order; duplicates are allowed. Overwrites the array numbers. Cost: that of
 * looking up the numbers, plus one merge if some are new. Returns false if out of memory. */
bool ws_id_set_add(struct ws_id_set *ids, uint64_t *numbers, size_t n);

void ws_id_set_free(struct ws_id_set *ids);

/* Asserts the invariant. */
void ws_id_set_check(const struct ws_id_set *ids);

#endif
