/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * maps.h - keep the cells (cells.h) of a memory. An exact map has a cell for each address at which
 * accesses start, for --match=start; accesses that start at the same address use the same cell, even
 * if their sizes differ. A map of bytes has a cell for each accessed byte, for --match=bytes: an access
 * to n bytes counts as n accesses to one byte each. Consecutive bytes with the same records share a
 * cell. The part of an access that lies beyond the end of the address space is ignored.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_MAPS_H
#define WARPSCOPE_READER_MEMTRACE_MAPS_H

#include <stdbool.h>

#include "memtrace/cells.h"

/* ---- Maps of start addresses: exact.c -------------------------------------------------------- */

struct ws_address {
    uint64_t address;
    struct ws_cell_state cell;
};

/* A map of start addresses. Zero-initialise. */
struct ws_exact {
    struct ws_address *addresses; /* [number]: the n addresses and their cells, from number 1 on */
    size_t room;
    uint32_t n;
    /* Hash table, at most three quarters full; an entry is the number of an address, or 0. */
    uint32_t *slots;
    struct ws_memory memory; /* memory of the hash table */
    size_t n_slots;          /* number of entries in the hash table, a power of two */
    /* [number]: number of the last record in the list of the address; NULL unless `lists` is true. */
    uint32_t *tails;
    size_t tails_room;
    bool lists; /* set by the caller: true to keep the records of each address in book->kept */
};

#define WS_EXACT_BATCH 256

void ws_exact_free(struct ws_exact *exact);
/* Processes n accesses of the current superstep, in their order. n is at most WS_EXACT_BATCH;
 * keys[i] belongs to addresses[i]. */
void ws_exact_accesses(struct ws_exact *exact, struct ws_book *book, const uint64_t *addresses,
                       const struct ws_access_key *keys, size_t n);
/* Ends all cells, at the end of the analysis. Returns the number of addresses that were written and
 * that several streams touched. */
uint64_t ws_exact_end(struct ws_exact *exact, struct ws_book *book);

/* Returns an array with the numbers of the addresses that have communication, sorted by address.
 * Sets *n to its length. The caller frees the array. Returns NULL if memory is exhausted. */
uint32_t *ws_exact_sorted(const struct ws_exact *exact, size_t *n);

/* Returns true if a search for each address finds its own number. */
bool ws_exact_check(const struct ws_exact *exact);

/* ---- Maps of bytes: bytes.c ------------------------------------------------------------------ */

struct ws_extent {
    uint64_t first, last; /* range of addresses, both inclusive */
    struct ws_cell_state cell;
    uint32_t left, right; /* numbers of the extent's children in the tree; 0: none */
    /* Numbers of the extent's neighbours, in address order; 0: none. next also links unused ones. */
    uint32_t before, next;
};

/* A map of bytes. Zero-initialise. */
struct ws_bytes_map {
    struct ws_extent *extents; /* [number]: the extents, from number 1 on */
    size_t room;
    uint32_t n;
    uint32_t unused, n_unused; /* first extent that is not used any more, and number of these */
    uint32_t root, first;
    uint32_t latest; /* number of an extent near the latest access; 0: none */
    /* [number]: number of the last record in the list of the extent; NULL unless `lists` is true. */
    uint32_t *tails;
    size_t tails_room;
    /* Set by the caller: true to keep the records of each range in book->kept, and not to join
     * ranges with different records. */
    bool lists;
};

void ws_bytes_free(struct ws_bytes_map *map);
/* Processes an access to the `size` bytes from `address` on. Ignores the size in key->word. */
void ws_bytes_access(struct ws_bytes_map *map, struct ws_book *book, uint64_t address,
                     uint64_t size, const struct ws_access_key *key);
/* Ends all cells, at the end of the analysis. Returns the number of bytes that were written and
 * that several streams touched. */
uint64_t ws_bytes_end(struct ws_bytes_map *map, struct ws_book *book);

/* Returns true if the invariants that bytes.c lists hold. */
bool ws_bytes_check(const struct ws_bytes_map *map);

#endif
