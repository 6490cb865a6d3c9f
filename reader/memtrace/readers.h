/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - sets of actors that have read a location in the present superstep.
 *
 * A set may have a parent, whose actors belong to it, too: both halves of a split range have sets
 * with the same parent. Sets are numbered from 1; 0 is the empty set.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_READERS_H
#define WARPSCOPE_READER_MEMTRACE_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise. Must be freed in any case. */
struct ws_readers {
    uint64_t *pairs; /* hash table of set << 32 | actor, 0: empty; at most half full */
    size_t n, n_slots;
    uint32_t *parents; /* by set; for an unused set, the next unused set */
    uint32_t n_sets, room, unused;
    uint64_t *live; /* a bit per set, during a sweep */
    bool failed;    /* out of memory: sets are wrong */
};

/* Returns a new set. 0: out of memory. */
uint32_t ws_readers_set(struct ws_readers *readers, uint32_t parent);
bool ws_readers_have(const struct ws_readers *readers, uint32_t set, uint32_t actor);
void ws_readers_add(struct ws_readers *readers, uint32_t set, uint32_t actor);
/* Removes all sets. */
void ws_readers_clear(struct ws_readers *readers);
void ws_readers_free(struct ws_readers *readers);

/*
 * Releases sets that are no longer referenced: begin, mark each set still in use, end. A sweep is
 * worth its cost if ws_readers_full() returns true; cells: number of cells to search for sets.
 */
static inline bool ws_readers_full(const struct ws_readers *readers, size_t cells)
{
    return 2 * readers->n >= readers->n_slots && readers->n_slots > cells && readers->n > 1024;
}
bool ws_readers_sweep_begin(struct ws_readers *readers);
void ws_readers_mark(struct ws_readers *readers, uint32_t set);
void ws_readers_sweep_end(struct ws_readers *readers);

/* Asserts that each pair is found and that its set is in use. */
void ws_readers_check(const struct ws_readers *readers);

#endif
