/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.c - see maps.h.
 *
 * An extent is a range of addresses with one cell (cells.h). The extents are in a treap, ordered by
 * first address (Seidel & Aragon, 1996), with hashes of their numbers as priorities. They are also
 * in a list, ordered by address. An access splits the extents at its ends. If it writes, or if
 * there are several streams, it creates extents in gaps. It processes the cells of all extents that
 * it covers, then joins neighbouring extents whose cells are equal. With one stream, the number of
 * extents is at most the number of distinct bytes written, and at most twice the number of
 * accesses.
 *
 * Cost of an access: one descent in the tree (about 1.4 log2 n nodes), unless the access is near
 * the previous one, and one more descent per extent made or joined. Memory: 64 bytes per extent.
 * Lists add 4 to 8 bytes per extent and 20 bytes per decided record.
 *
 * Invariants:
 * 1. Extents are disjoint, have first <= last, and are in the list in the order of addresses.
 * 2. The tree has the same extents. A left child has a lower address than its parent, a right child
 *    a higher one.
 * 3. No extent has a higher priority than its parent.
 */
#include "memtrace/maps.h"

#include <stdlib.h>

#include "store/check.h"

void ws_bytes_free(struct ws_bytes_map *map)
{
    free(map->extents);
    free(map->tails);
    *map = (struct ws_bytes_map){0};
}

static struct ws_extent *at(const struct ws_bytes_map *map, uint32_t number)
{
    return &map->extents[number];
}

static uint32_t *tail_of(const struct ws_bytes_map *map, uint32_t number)
{
    return map->lists ? &map->tails[number] : NULL;
}

/* ---- Tree of extents ------------------------------------------------------------------------- */

static uint32_t priority(uint32_t number)
{
    uint32_t h = number * 0x9e3779b1u;
    h = (h ^ h >> 15) * 0x85ebca77u;
    return h ^ h >> 13;
}

#define NEAR_STEPS 4

/* Returns the last extent that begins at or before `address`, if it is one of the first NEAR_STEPS
 * extents from map->latest on; otherwise 0. This is faster than floor_of() for neighbouring
 * threads, which access neighbouring addresses. */
static uint32_t floor_near(const struct ws_bytes_map *map, uint64_t address)
{
    uint32_t e = map->latest;
    if (e == 0 || at(map, e)->first > address) {
        return 0;
    }
    for (int i = 0; i < NEAR_STEPS; i++) {
        uint32_t next = at(map, e)->next;
        if (next == 0 || at(map, next)->first > address) {
            return e;
        }
        e = next;
    }
    return 0;
}

/* Returns the last extent that begins at or before `address`, or 0 if there is none. */
static uint32_t floor_of(const struct ws_bytes_map *map, uint64_t address)
{
    uint32_t found = 0;
    for (uint32_t e = map->root; e != 0;) {
        const struct ws_extent *x = at(map, e);
        found = x->first <= address ? e : found;
        e = x->first <= address ? x->right : x->left;
    }
    return found;
}

static void tree_add(struct ws_bytes_map *map, uint32_t number)
{
    struct ws_extent *x = at(map, number);
    uint32_t *place = &map->root;
    while (*place != 0 && priority(*place) >= priority(number)) {
        struct ws_extent *e = at(map, *place);
        place = e->first < x->first ? &e->right : &e->left;
    }
    uint32_t *left = &x->left, *right = &x->right, e = *place;
    *place = number;
    while (e != 0) { /* each node on the way down goes to the left or right of the new one */
        struct ws_extent *y = at(map, e);
        uint32_t **side = y->first < x->first ? &left : &right;
        **side = e;
        *side = y->first < x->first ? &y->right : &y->left;
        e = **side;
    }
    *left = *right = 0;
}

static void tree_remove(struct ws_bytes_map *map, uint32_t number)
{
    const struct ws_extent *x = at(map, number);
    uint32_t *place = &map->root, left = x->left, right = x->right;
    while (*place != number) {
        struct ws_extent *e = at(map, *place);
        place = e->first < x->first ? &e->right : &e->left;
    }
    while (left != 0 && right != 0) {
        bool from_left = priority(left) >= priority(right);
        *place = from_left ? left : right;
        struct ws_extent *e = at(map, *place);
        place = from_left ? &e->right : &e->left;
        if (from_left) {
            left = e->right;
        } else {
            right = e->left;
        }
    }
    *place = left != 0 ? left : right;
}

/* ---- Extents --------------------------------------------------------------------------------- */

/* Adds an extent of the addresses first to last behind the extent `before` (0: at the front).
 * Returns the number of the new extent; 0 if memory is exhausted. */
static uint32_t extent_add(struct ws_bytes_map *map, struct ws_book *book, uint32_t before,
                           uint64_t first, uint64_t last)
{
    uint32_t number = map->unused;
    if (number != 0) {
        map->unused = at(map, number)->next;
        map->n_unused--;
    } else if (!map->lists ||
               array_reserve(&map->tails, &map->tails_room, (size_t)map->n + 2, sizeof(uint32_t))) {
        number = ws_number_new(&map->extents, &map->room, &map->n, sizeof *map->extents);
    }
    if (number == 0) {
        book->failed = true;
        return 0;
    }
    uint32_t *link = before == 0 ? &map->first : &at(map, before)->next;
    *at(map, number) =
        (struct ws_extent){.first = first, .last = last, .before = before, .next = *link};
    if (*link != 0) {
        at(map, *link)->before = number;
    }
    *link = number;
    if (map->lists) {
        *tail_of(map, number) = 0;
    }
    tree_add(map, number);
    return number;
}

/* Splits an extent into two, of which the second begins at `address`. Returns the number of the
 * second extent; 0 if memory is exhausted. */
static uint32_t extent_cut(struct ws_bytes_map *map, struct ws_book *book, uint32_t number,
                           uint64_t address)
{
    uint32_t second = extent_add(map, book, number, address, at(map, number)->last);
    if (second != 0) {
        at(map, number)->last = address - 1;
        ws_cell_cut(book, &at(map, number)->cell, &at(map, second)->cell);
        if (map->lists) { /* both extents have the same records so far */
            *tail_of(map, second) = *tail_of(map, number);
        }
    }
    return second;
}

/* If an extent and the next one are adjacent and have the same records, joins them and returns
 * true. */
static bool extent_join(struct ws_bytes_map *map, struct ws_book *book, uint32_t number)
{
    struct ws_extent *x = at(map, number);
    uint32_t next = x->next;
    if (next == 0) {
        return false;
    }
    struct ws_extent *y = at(map, next);
    bool same = x->last + 1 == y->first && x->cell.l_step == y->cell.l_step &&
                (!map->lists || ws_kept_equal(book, *tail_of(map, number), *tail_of(map, next)));
    if (!same || !ws_cell_join(book, &x->cell, &y->cell)) {
        return false;
    }
    tree_remove(map, next);
    map->latest = map->latest == next ? number : map->latest;
    x->last = y->last;
    x->next = y->next;
    if (x->next != 0) {
        at(map, x->next)->before = number;
    }
    y->next = map->unused;
    map->unused = next;
    map->n_unused++;
    return true;
}

static void readers_sweep(struct ws_bytes_map *map, struct ws_book *book)
{
    if (!ws_readers_full(&book->readers, map->n) || !ws_readers_sweep_begin(&book->readers)) {
        return;
    }
    for (uint32_t e = map->first; e != 0; e = at(map, e)->next) {
        ws_readers_mark(&book->readers, ws_cell_readers(book, &at(map, e)->cell));
    }
    ws_readers_sweep_end(&book->readers);
}

/* Joins neighbouring extents where possible, from extent e (0: the first one) to the extent that
 * follows the address `last`. */
static void range_join(struct ws_bytes_map *map, struct ws_book *book, uint32_t e, uint64_t last)
{
    e = e == 0 ? map->first : e;
    while (e != 0 && at(map, e)->first <= last) {
        if (!extent_join(map, book, e)) {
            e = at(map, e)->next;
        }
    }
}

/* Returns the first extent that begins at or after `address`; splits an extent that contains
 * `address` so that its second part begins there. Sets *before to the extent before the returned
 * one. e: the last extent that begins at or before `address`; 0: none. */
static uint32_t range_begin(struct ws_bytes_map *map, struct ws_book *book, uint32_t e,
                            uint64_t address, uint32_t *before)
{
    *before = e;
    if (e == 0) {
        return map->first;
    }
    if (at(map, e)->first == address) {
        *before = at(map, e)->before;
        return e;
    }
    return at(map, e)->last >= address ? extent_cut(map, book, e, address) : at(map, e)->next;
}

void ws_bytes_access(struct ws_bytes_map *map, struct ws_book *book, uint64_t address,
                     uint64_t size, const struct ws_access_key *key)
{
    uint64_t last = size - 1 > UINT64_MAX - address ? UINT64_MAX : address + size - 1;
    const struct ws_access_key unit = {key->actor, key->sm, (key->word & 0xf0000000u) | 1};
    bool fills = ws_class_of(key->word) != 0 || book->actors.several;
    uint32_t before, start, e = floor_near(map, address);
    e = e != 0 ? e : floor_of(map, address);
    if (e != 0 && at(map, e)->last >= last && ws_cell_drops(book, &at(map, e)->cell, &unit)) {
        map->latest = e;
        return; /* otherwise the extent would be split, then joined again */
    }
    e = range_begin(map, book, e, address, &before);
    start = before;
    for (uint64_t from = address; !book->failed;) {
        bool gap = e == 0 || at(map, e)->first > from;
        uint64_t gap_last = e == 0 || at(map, e)->first > last ? last : at(map, e)->first - 1;
        if (gap && fills) {
            e = extent_add(map, book, before, from, gap_last);
        } else if (!gap && at(map, e)->last > last) {
            extent_cut(map, book, e, last + 1);
        }
        if (book->failed) {
            return;
        }
        uint64_t done = gap ? gap_last : at(map, e)->last;
        if (!gap || fills) {
            ws_cell_access(book, &at(map, e)->cell, tail_of(map, e), done - from + 1, &unit);
            before = e;
            e = at(map, e)->next;
        }
        if (done == last) {
            break;
        }
        from = done + 1;
    }
    map->latest = start != 0 ? start : map->first;
    range_join(map, book, start, last);
    readers_sweep(map, book);
}

uint64_t ws_bytes_end(struct ws_bytes_map *map, struct ws_book *book)
{
    uint64_t wide = 0;
    for (uint32_t e = map->first; e != 0 && !book->failed; e = at(map, e)->next) {
        struct ws_extent *x = at(map, e);
        wide += ws_cell_is_wide(&x->cell) ? x->last - x->first + 1 : 0;
        ws_cell_end(book, &x->cell, tail_of(map, e), x->last - x->first + 1);
    }
    return wide;
}

bool ws_bytes_check(const struct ws_bytes_map *map)
{
    uint32_t n = 0, before = 0;
    bool latest = map->latest == 0;
    for (uint32_t e = map->first; e != 0; before = e, e = at(map, e)->next) {
        latest |= e == map->latest;
        const struct ws_extent *x = at(map, e);
        HOLDS(x->first <= x->last && x->before == before);
        HOLDS(before == 0 || at(map, before)->last < x->first);
        HOLDS(floor_of(map, x->first) == e);
        HOLDS(x->left == 0 ||
              (priority(x->left) <= priority(e) && at(map, x->left)->first < x->first));
        HOLDS(x->right == 0 ||
              (priority(x->right) <= priority(e) && at(map, x->right)->first > x->first));
        n++;
    }
    HOLDS(n == map->n - map->n_unused && latest);
    return true;
}
