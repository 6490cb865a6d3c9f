/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.h - a cell per byte, for --match=bytes. An access of n bytes counts as n accesses of one
 * byte. Consecutive bytes with the same records share a cell. An access is cut at the end of the
 * address space.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_BYTES_H
#define WARPSCOPE_READER_MEMTRACE_BYTES_H

#include "memtrace/cells.h"

struct ws_extent {
    uint64_t first, last; /* range of addresses, both inclusive */
    struct ws_cell_state cell;
    uint32_t left, right;  /* children of the extent in the tree */
    uint32_t before, next; /* neighbours of the extent by address */
};

struct ws_bytes_map {
    struct ws_arena extents; /* memory of the extents (struct ws_extent) */
    uint32_t root, first;
    uint32_t latest; /* number of an extent near the last access; 0: none */
    /* For each extent, the last record of its list; NULL if records are not kept. */
    uint32_t *tails;
    size_t tails_room;
    bool lists;
};

/* If lists is true, the records of each range are kept in book->kept. Ranges with different lists
 * are then not joined. */
void ws_bytes_init(struct ws_bytes_map *map, bool lists);
void ws_bytes_free(struct ws_bytes_map *map);
/* Processes an access of size bytes. Ignores the size in key->word. */
void ws_bytes_access(struct ws_bytes_map *map, struct ws_book *book, uint64_t address,
                     uint64_t size, const struct ws_access_key *key);
/* Ends the analysis. Returns the number of bytes that were written and touched by several
 * streams. */
uint64_t ws_bytes_end(struct ws_bytes_map *map, struct ws_book *book);

static inline struct ws_extent *ws_bytes_at(const struct ws_bytes_map *map, uint32_t number)
{
    return ws_arena_at(&map->extents, number, sizeof(struct ws_extent));
}

/* Asserts the invariants. */
void ws_bytes_check(const struct ws_bytes_map *map);

#endif
