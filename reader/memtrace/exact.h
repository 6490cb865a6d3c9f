/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact.h - a cell per start address of accesses, for --match=start. Sizes are ignored.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_EXACT_H
#define WARPSCOPE_READER_MEMTRACE_EXACT_H

#include "memtrace/cells.h"

struct ws_address {
    uint64_t address;
    struct ws_cell_state cell;
};

struct ws_exact {
    struct ws_arena addresses; /* memory of the addresses and their cells (struct ws_address) */
    uint32_t *slots; /* hash table of the numbers of addresses, at most three quarters full */
    struct ws_memory memory; /* memory of the slots */
    size_t n_slots;          /* number of slots, a power of two */
    /* For each address, the last record of its list; NULL if records are not kept. */
    uint32_t *tails;
    size_t tails_room;
    bool lists;
};

#define WS_EXACT_BATCH 256

/* If lists is true, the records of each address are kept in book->kept. Returns false if out of
 * memory. */
bool ws_exact_init(struct ws_exact *exact, bool lists);
void ws_exact_free(struct ws_exact *exact);
/* Processes at most WS_EXACT_BATCH accesses of the current superstep, in their order. */
void ws_exact_accesses(struct ws_exact *exact, struct ws_book *book, const uint64_t *addresses,
                       const struct ws_access_key *keys, size_t n);
/* Ends the analysis. Returns the number of addresses that were written and touched by several
 * streams. */
uint64_t ws_exact_end(struct ws_exact *exact, struct ws_book *book);

/* Returns the numbers of the addresses with communication, ascending by address. The caller frees
 * the array. Returns NULL if memory is exhausted. */
uint32_t *ws_exact_sorted(const struct ws_exact *exact, size_t *n);
static inline struct ws_address *ws_exact_at(const struct ws_exact *exact, uint32_t number)
{
    return ws_arena_at(&exact->addresses, number, sizeof(struct ws_address));
}

/* Asserts that each address is found exactly once. */
void ws_exact_check(const struct ws_exact *exact);

#endif
