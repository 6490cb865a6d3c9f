/*
 * ids.h - a set of numbers in ascending order, each with its index; used for the LPs of a PE.
 */
#ifndef WARPSCOPE_READER_IDS_H
#define WARPSCOPE_READER_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise. Must be freed in any case. Invariant: ids are ascending and distinct. */
struct ws_ids {
    uint64_t *ids; /* owned */
    size_t n, capacity;
};

#define WS_IDS_NONE SIZE_MAX

/* Returns the index of id, or WS_IDS_NONE if it is not in the set. *hint: index to try first;
 * any value is allowed; updated. Cost: one comparison if ids are looked up in order, otherwise
 * log n. */
size_t ws_ids_find(const struct ws_ids *ids, uint64_t id, size_t *hint);

/* Adds n numbers in any order; duplicates are allowed. Overwrites the array. Cost: that of looking
 * them up, plus one merge if some are new. Returns false if out of memory. */
bool ws_ids_add(struct ws_ids *ids, uint64_t *numbers, size_t n);

void ws_ids_free(struct ws_ids *ids);

/* Asserts the invariant. */
void ws_ids_check(const struct ws_ids *ids);

#endif
