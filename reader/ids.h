/*
 * ids.h - a set of numbers in ascending order, each with its place: for the LPs of a PE.
 */
#ifndef WARPSCOPE_READER_IDS_H
#define WARPSCOPE_READER_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; free in any case. Invariant: ascending, none twice. */
struct ws_ids {
    uint64_t *ids; /* owned */
    size_t n, capacity;
};

#define WS_IDS_NONE SIZE_MAX

/* The place of id, WS_IDS_NONE if it is not there. *hint: where to look first, updated; any value
 * will do. Cost: one comparison if ids are asked for in order, otherwise the logarithm of n. */
size_t ws_ids_find(const struct ws_ids *ids, uint64_t id, size_t *hint);

/* Adds n numbers, in any order and as often as may be; overwrites them. Cost: as for looking them
 * up, plus one merge if there are new ones. False: out of memory. */
bool ws_ids_add(struct ws_ids *ids, uint64_t *numbers, size_t n);

void ws_ids_free(struct ws_ids *ids);

/* Asserts the invariant. */
void ws_ids_check(const struct ws_ids *ids);

#endif
