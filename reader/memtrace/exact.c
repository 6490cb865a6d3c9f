/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact.c - see maps.h.
 *
 * A hash table with open addressing contains the numbers of the addresses. The addresses and their
 * cells are in an array, so that only numbers move when the table grows. Table and array are far
 * larger than the caches, and are accessed at random. For a batch of accesses, the code therefore
 * first prefetches all entries of the table, then all cells, and uses them afterwards. With a
 * single stream, addresses that are only read have no cell.
 *
 * Memory per address that was written: 40 bytes in the array, 5.3 to 10.7 in the table, and 4 or
 * more for the list.
 *
 * Invariant: a search from the entry that the hash of an address selects reaches the number of the
 * address before any empty entry. The number is in no other entry.
 */
#define _GNU_SOURCE /* required for qsort_r() */
#include "memtrace/maps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/check.h"

#define SLOTS_MIN 1024u

void ws_exact_free(struct ws_exact *exact)
{
    free(exact->addresses);
    ws_memory_free(&exact->memory);
    free(exact->tails);
    *exact = (struct ws_exact){0};
}

static size_t hash_of(const struct ws_exact *exact, uint64_t address)
{
    uint64_t h = address * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9u;
    return (size_t)(h ^ h >> 29) & (exact->n_slots - 1);
}

/* Returns the index of the entry for an address, or of the empty entry where it belongs. The search
 * begins at the entry with the index `at`. */
static size_t slot_from(const struct ws_exact *exact, size_t at, uint64_t address)
{
    while (exact->slots[at] != 0 && exact->addresses[exact->slots[at]].address != address) {
        at = (at + 1) & (exact->n_slots - 1);
    }
    return at;
}

/* Makes space in the hash table for n more addresses. The old table can be freed first, since the
 * new one is filled from the array. Returns false if out of memory. */
static bool slots_grow(struct ws_exact *exact, size_t n)
{
    size_t n_slots = exact->n_slots == 0 ? SLOTS_MIN : exact->n_slots;
    while (4 * (exact->n + n) > 3 * n_slots) {
        n_slots *= 2;
    }
    if (n_slots == exact->n_slots) {
        return true;
    }
    exact->n_slots = n_slots;
    ws_memory_free(&exact->memory);
    if (!ws_memory_take(&exact->memory, n_slots * sizeof *exact->slots)) {
        return false;
    }
    exact->slots = exact->memory.at;
    for (uint32_t i = 1; i <= exact->n; i++) {
        uint64_t address = exact->addresses[i].address;
        size_t at = hash_of(exact, address);
        while (exact->slots[at] != 0) {
            at = (at + 1) & (n_slots - 1);
        }
        exact->slots[at] = i;
    }
    return true;
}

/* Returns the number of an address; the search begins at the entry with the index `at`. Adds an
 * unknown address unless only_read is true. Returns 0 if an unknown address was not added. */
static uint32_t number_of(struct ws_exact *exact, struct ws_book *book, size_t at, uint64_t address,
                          bool only_read)
{
    at = slot_from(exact, at, address);
    if (exact->slots[at] == 0 && !only_read) {
        bool good = !exact->lists || array_reserve_zero(&exact->tails, &exact->tails_room,
                                                        (size_t)exact->n + 2, sizeof(uint32_t));
        uint32_t number = !good ? 0
                                : ws_number_new(&exact->addresses, &exact->room, &exact->n,
                                                sizeof *exact->addresses);
        book->failed |= number == 0;
        exact->slots[at] = number;
        if (number != 0) {
            exact->addresses[number] = (struct ws_address){.address = address};
        }
    }
    return exact->slots[at];
}

static void readers_sweep(struct ws_exact *exact, struct ws_book *book)
{
    if (!ws_readers_full(&book->readers, exact->n) || !ws_readers_sweep_begin(&book->readers)) {
        return;
    }
    for (uint32_t i = 1; i <= exact->n; i++) {
        ws_readers_mark(&book->readers, ws_cell_readers(book, &exact->addresses[i].cell));
    }
    ws_readers_sweep_end(&book->readers);
}

void ws_exact_accesses(struct ws_exact *exact, struct ws_book *book, const uint64_t *addresses,
                       const struct ws_access_key *keys, size_t n)
{
    size_t slots[WS_EXACT_BATCH];
    assert(n <= WS_EXACT_BATCH);
    if (book->failed || !slots_grow(exact, n)) {
        book->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        slots[i] = hash_of(exact, addresses[i]);
        __builtin_prefetch(&exact->slots[slots[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t number = exact->slots[slots[i]];
        if (number != 0) {
            __builtin_prefetch(&exact->addresses[number], 1);
        }
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t number = number_of(exact, book, slots[i], addresses[i],
                                    ws_class_of(keys[i].word) == 0 && !book->actors.several);
        if (number != 0 && !book->failed) {
            ws_cell_access(book, &exact->addresses[number].cell,
                           exact->lists ? &exact->tails[number] : NULL, 1, &keys[i]);
        }
    }
    readers_sweep(exact, book);
}

uint64_t ws_exact_end(struct ws_exact *exact, struct ws_book *book)
{
    uint64_t wide = 0;
    for (uint32_t i = 1; i <= exact->n && !book->failed; i++) {
        struct ws_cell_state *cell = &exact->addresses[i].cell;
        wide += ws_cell_is_wide(cell);
        ws_cell_end(book, cell, exact->lists ? &exact->tails[i] : NULL, 1);
    }
    return wide;
}

static int by_address(const void *a, const void *b, void *ctx)
{
    const struct ws_address *addresses = ctx;
    const uint32_t *x = a, *y = b;
    uint64_t p = addresses[*x].address, q = addresses[*y].address;
    return p < q ? -1 : p > q;
}

uint32_t *ws_exact_sorted(const struct ws_exact *exact, size_t *n)
{
    uint32_t *numbers = malloc(((size_t)exact->n + 1) * sizeof *numbers);
    *n = 0;
    for (uint32_t i = 1; numbers != NULL && i <= exact->n; i++) {
        numbers[*n] = i;
        *n += exact->addresses[i].cell.is_shared;
    }
    if (*n > 1) {
        qsort_r(numbers, *n, sizeof *numbers, by_address, exact->addresses);
    }
    return numbers;
}

bool ws_exact_check(const struct ws_exact *exact)
{
    size_t used = 0;
    for (uint32_t i = 1; i <= exact->n; i++) {
        uint64_t address = exact->addresses[i].address;
        HOLDS(exact->slots[slot_from(exact, hash_of(exact, address), address)] == i);
    }
    for (size_t i = 0; i < exact->n_slots; i++) {
        used += exact->slots[i] != 0;
    }
    HOLDS(used == exact->n && 4 * used <= 3 * exact->n_slots);
    return true;
}
