/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - sets of actors that have read a location in the current superstep.
 *
 * A set that has a parent also contains the actors of the parent. The two parts of a split range
 * have sets with the same parent. Sets are numbered from 1; 0 is the empty set.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_READERS_H
#define WARPSCOPE_READER_MEMTRACE_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/array.h"
#include "store/index.h"

/* Makes space for one more item in an array whose items have the numbers from 1 to *n. Returns the
 * number of the new item, which is not initialised; 0 if memory is exhausted. */
static inline uint32_t ws_number_new(void *list, size_t *room, uint32_t *n, size_t item_size)
{
    bool good = *n < UINT32_MAX && array_reserve(list, room, (size_t)*n + 2, item_size);
    return good ? ++*n : 0;
}

/* All sets. Zero-initialise. Call ws_readers_free() at the end, even after an error. */
struct ws_readers {
    uint64_t *pairs; /* the index.n pairs: set << 32 | actor */
    struct index index;
    uint32_t *parents; /* [set]: its parent, or, if the set is unused, the next unused set */
    uint32_t n_sets, unused;
    size_t room, parents_room;
    uint64_t *live; /* during a sweep: bit map of the sets in use; otherwise NULL */
    bool failed;    /* true if memory was exhausted: the sets are then wrong */
};

/* Returns the number of a new set with this parent (0: none). Returns 0 if memory is exhausted. */
uint32_t ws_readers_set(struct ws_readers *readers, uint32_t parent);
bool ws_readers_have(const struct ws_readers *readers, uint32_t set, uint32_t actor);
void ws_readers_add(struct ws_readers *readers, uint32_t set, uint32_t actor);
/* Removes all sets; their numbers will be used again. */
void ws_readers_clear(struct ws_readers *readers);
void ws_readers_free(struct ws_readers *readers);

/*
 * A sweep frees the sets to which no cell refers any longer. The caller begins it, marks each set
 * that is still in use, and ends it. ws_readers_full() returns true if a sweep is worth its cost;
 * `cells` is the number of cells that the caller must search for sets. ws_readers_sweep_begin()
 * returns false, and the caller omits the sweep, if memory is exhausted.
 */
static inline bool ws_readers_full(const struct ws_readers *readers, size_t cells)
{
    const struct index *x = &readers->index;
    return x->n >= x->n_slots / 4 * 3 && x->n_slots > cells && x->n > 1024;
}
bool ws_readers_sweep_begin(struct ws_readers *readers);
void ws_readers_mark(struct ws_readers *readers, uint32_t set);
void ws_readers_sweep_end(struct ws_readers *readers);

/* Returns true if the index finds each pair, and if each pair names a set that exists. */
bool ws_readers_check(const struct ws_readers *readers);

#endif
