/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - sets of actors that have read a location in the current superstep.
 *
 * A set may have a parent, and then also contains the actors of the parent: both parts of a split
 * range have sets with the same parent. Sets are numbered from 1; 0 is the empty set.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_READERS_H
#define WARPSCOPE_READER_MEMTRACE_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All sets. Zero-initialise. Must be freed in any case. */
struct ws_readers {
    uint64_t *pairs; /* hash table of (set << 32 | actor), 0: empty slot; at most half full */
    size_t n, n_slots;
    uint32_t *parents; /* parent of each set; for an unused set, the next unused set */
    uint32_t n_sets, room, unused;
    uint64_t *live; /* one bit per set, used while unreferenced sets are freed */
    bool failed;    /* true if memory was exhausted: the sets are then wrong */
};

/* Returns a new set with this parent; 0 if memory is exhausted. */
uint32_t ws_readers_set(struct ws_readers *readers, uint32_t parent);
bool ws_readers_have(const struct ws_readers *readers, uint32_t set, uint32_t actor);
void ws_readers_add(struct ws_readers *readers, uint32_t set, uint32_t actor);
/* Makes all sets empty and free. */
void ws_readers_clear(struct ws_readers *readers);
void ws_readers_free(struct ws_readers *readers);

/*
 * Free the sets that are no longer referenced. The caller begins a sweep, marks each set still in
 * use, and ends the sweep. ws_readers_full() returns true if a sweep is worth its cost. cells:
 * number of cells that a sweep must search for sets.
 */
static inline bool ws_readers_full(const struct ws_readers *readers, size_t cells)
{
    return 2 * readers->n >= readers->n_slots && readers->n_slots > cells && readers->n > 1024;
}
bool ws_readers_sweep_begin(struct ws_readers *readers);
void ws_readers_mark(struct ws_readers *readers, uint32_t set);
void ws_readers_sweep_end(struct ws_readers *readers);

/* Asserts that the hash table finds each of its entries and that the sets they name are in use. */
void ws_readers_check(const struct ws_readers *readers);

#endif
