/*
 * memtrace_bytes.h - a cell per byte: --match=bytes. An access of n bytes is n accesses of one
 * byte; bytes in a row with the same past share a cell. An access that reaches over the end of the
 * address space ends there.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_BYTES_H
#define WARPSCOPE_READER_MEMTRACE_BYTES_H

#include "memtrace_cells.h"

struct ws_extent {
    uint64_t first, last; /* addresses, both included */
    struct ws_cell_state cell;
    uint32_t left, right;  /* in the tree */
    uint32_t before, next; /* by address */
};

struct ws_bytes_map {
    struct ws_arena extents; /* of struct ws_extent */
    uint32_t root, first;
    uint32_t latest; /* an extent near the last access; 0: none */
    uint32_t *tails; /* by number: the last record of the list; NULL: lists are not wanted */
    size_t tails_room;
    bool lists;
};

/* lists: of each range's records, in book->kept; ranges with different lists are not joined
 * then. */
void ws_bytes_init(struct ws_bytes_map *map, bool lists);
void ws_bytes_free(struct ws_bytes_map *map);
/* key->word: the size in it is not used. */
void ws_bytes_access(struct ws_bytes_map *map, struct ws_book *book, uint64_t address,
                     uint64_t size, const struct ws_access_key *key);
/* The end of all. Number of bytes that were written and that several streams have touched. */
uint64_t ws_bytes_end(struct ws_bytes_map *map, struct ws_book *book);

static inline struct ws_extent *ws_bytes_at(const struct ws_bytes_map *map, uint32_t number)
{
    return ws_arena_at(&map->extents, number, sizeof(struct ws_extent));
}

/* Asserts the invariants. */
void ws_bytes_check(const struct ws_bytes_map *map);

#endif
