/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.c - the records of each address, as rows; see tables.h.
 *
 * With --match=start, a row is a record of an address. With --match=bytes, a row is a record that
 * all bytes of a range have in common; the size in the row is the length of the range. A range
 * consists of consecutive bytes with equal lists of records. It can consist of several extents
 * (bytes.c), since extents are joined only when they are accessed.
 */
#include <stdlib.h>

#include "memtrace/tables.h"
#include "store/array.h"

/* The callback that receives the rows, and its argument. */
struct rows {
    const struct ws_memtrace *m;
    const struct ws_memtrace_view *view;
    doc_row_f row;
    void *to;
    bool wanted;                 /* true while the callback wants more rows */
    const struct ws_kept **list; /* owned; records of one list, from last to first */
    size_t room;
};

/* If the selection includes at least one record of a list, passes all its records to the callback.
 * The list belongs to `address`, or to the range of `bytes` bytes that begins there. Returns false
 * if out of memory. */
static bool list_rows(struct rows *r, uint64_t address, uint64_t bytes, uint32_t tail)
{
    const struct ws_memtrace *m = r->m;
    size_t n = 0;
    bool chosen = false;
    for (uint32_t k = tail; k != 0; k = m->book.kept[k].before) {
        const struct ws_kept *kept = &m->book.kept[k];
        if (!array_reserve(&r->list, &r->room, n + 1, sizeof *r->list)) {
            return false;
        }
        r->list[n++] = kept;
        chosen |= ws_book_chooses(&m->book, kept->actor, kept->step, kept->sm);
    }
    for (size_t i = 0; chosen && i < n && r->wanted; i++) {
        const struct ws_kept *k = r->list[n - 1 - i];
        const struct ws_actor *a = &m->book.actors.actors[k->actor];
        const struct doc_cell cells[] = {
            doc_integer(DOC_ADDRESS, address),
            doc_number(i),
            doc_number(m->book.actors.kernels[a->kernel].stream),
            doc_number(k->step),
            ws_memtrace_kernel(r->view, a->kernel),
            doc_integer(DOC_TRIPLE, a->cta),
            doc_number(k->sm),
            doc_name(ws_memtrace_classes[ws_class_of(k->word)]),
            doc_number(k->word >> 28),
            doc_number(m->by_bytes ? bytes : k->word & MEMTRACE_SIZE_MAX)};
        r->wanted = r->row(r->to, cells);
    }
    return true;
}

static bool exact_rows(struct rows *r)
{
    const struct ws_exact *exact = &r->m->exact;
    size_t n;
    uint32_t *numbers = ws_exact_sorted(exact, &n);
    bool good = numbers != NULL;
    for (size_t i = 0; good && r->wanted && i < n; i++) {
        good = list_rows(r, exact->addresses[numbers[i]].address, 1, exact->tails[numbers[i]]);
    }
    free(numbers);
    return good;
}

/* Returns the first extent with communication, from extent e on; 0 if there is none. */
static uint32_t extent_shared(const struct ws_bytes_map *map, uint32_t e)
{
    while (e != 0 && !map->extents[e].cell.is_shared) {
        e = map->extents[e].next;
    }
    return e;
}

static bool bytes_rows(struct rows *r)
{
    const struct ws_bytes_map *map = &r->m->bytes_map;
    bool good = true;
    for (uint32_t e = extent_shared(map, map->first); e != 0 && good && r->wanted;) {
        uint64_t first = map->extents[e].first, last = map->extents[e].last;
        uint32_t tail = map->tails[e];
        e = extent_shared(map, map->extents[e].next);
        while (e != 0 && map->extents[e].first == last + 1 &&
               ws_kept_equal(&r->m->book, tail, map->tails[e])) {
            last = map->extents[e].last;
            e = extent_shared(map, map->extents[e].next);
        }
        good = list_rows(r, first, last - first + 1, tail);
    }
    return good;
}

bool ws_memtrace_lists(const struct ws_memtrace_view *view, doc_row_f row, void *to)
{
    const struct ws_memtrace *m = view->m;
    struct rows r = {.m = m, .view = view, .row = row, .to = to, .wanted = true};
    if (m->depth != WS_MEMTRACE_LISTS) {
        return true;
    }
    bool good = m->by_bytes ? bytes_rows(&r) : exact_rows(&r);
    free(r.list);
    return good;
}
