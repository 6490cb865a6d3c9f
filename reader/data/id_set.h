/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_set.h - a set of numbers in ascending order. The index of a number is its position in this
 * order. Used, for example, for the ids of a PE's LPs.
 */
#ifndef WARPSCOPE_READER_DATA_ID_SET_H
#define WARPSCOPE_READER_DATA_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of numbers. Zero-initialise it before use, and call ws_id_set_free() even after an error.
 * Invariant: the elements of ids are ascending and distinct. */
struct ws_id_set {
    uint64_t *ids; /* owned; the n numbers */
    size_t n, capacity;
};

#define WS_IDS_NONE SIZE_MAX

/* Returns the index of id, or WS_IDS_NONE if the set does not contain id. *hint: index to try
 * first, which may have any value; the function updates it. Cost: one comparison if the ids are
 * looked up in ascending order, otherwise log n. */
size_t ws_id_set_find(const struct ws_id_set *ids, uint64_t id, size_t *hint);

/* Adds the n elements of `numbers` to the set. They may be in any order and contain duplicates; the
 * function overwrites the array. Cost: one look-up per number, plus one merge if at least one of
 * them is new. Returns false if out of memory. */
bool ws_id_set_add(struct ws_id_set *ids, uint64_t *numbers, size_t n);

void ws_id_set_free(struct ws_id_set *ids);

/* Asserts the invariant of the set. */
void ws_id_set_check(const struct ws_id_set *ids);

#endif
