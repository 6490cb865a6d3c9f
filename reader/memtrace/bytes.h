/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.h - keeps a cell (cells.h) for each accessed byte, for --match=bytes. An access to n bytes
 * counts as n accesses to one byte each. Consecutive bytes with the same records share a cell. The
 * part of an access that lies beyond the end of the address space is ignored.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_BYTES_H
#define WARPSCOPE_READER_MEMTRACE_BYTES_H

#include <stdbool.h>

#include "memtrace/cells.h"

struct ws_extent {
    uint64_t first, last; /* range of addresses, both inclusive */
    struct ws_cell_state cell;
    uint32_t left, right;  /* numbers of the extent's children in the tree; 0: none */
    uint32_t before, next; /* numbers of the extent's neighbours, in address order; 0: none */
};

struct ws_bytes_map {
    struct ws_arena extents; /* memory of the extents (struct ws_extent) */
    uint32_t root, first;
    uint32_t latest; /* number of an extent near the latest access; 0: none */
    /* Items with the numbers of the extents: number of the last record in the list of the extent.
     * Empty unless `lists` is true. */
    struct ws_arena tails;
    bool lists;
};

/* Makes an empty map. If `lists` is true, the records of each range are kept in book->kept, and
 * ranges with different records are not joined. */
void ws_bytes_init(struct ws_bytes_map *map, bool lists);
void ws_bytes_free(struct ws_bytes_map *map);
/* Processes an access to the `size` bytes from `address` on. Ignores the size in key->word. */
void ws_bytes_access(struct ws_bytes_map *map, struct ws_book *book, uint64_t address,
                     uint64_t size, const struct ws_access_key *key);
/* Ends all cells, at the end of the analysis. Returns the number of bytes that were written and
 * that several streams touched. */
uint64_t ws_bytes_end(struct ws_bytes_map *map, struct ws_book *book);

static inline struct ws_extent *ws_bytes_at(const struct ws_bytes_map *map, uint32_t number)
{
    return ws_arena_at(&map->extents, number, sizeof(struct ws_extent));
}

/* Returns true if the invariants that bytes.c lists hold. */
bool ws_bytes_check(const struct ws_bytes_map *map);

#endif
