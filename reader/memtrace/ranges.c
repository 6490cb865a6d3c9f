/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.c - the ranges of addresses that kernels access; see tables.h. The sums of an analysis with
 * lists have the bytes of each kernel in each block of WS_BLOCK bytes, as the units in which memory is
 * allocated. A range consists of blocks without a whole block between them: an allocation, or several
 * that lie side by side. Also the kernels that access a row most, for other tables.
 */
#include <stdlib.h>

#include "data/number.h"
#include "memtrace/tables.h"
#include "store/array.h"

struct range {
    uint64_t first, last; /* numbers of its blocks */
    uint64_t bytes[3];    /* accessed, by class */
    uint64_t received;    /* loaded by communication */
    uint64_t hot, most;   /* the block with the most bytes, and these */
    struct ws_mains mains;
};
struct ranges {
    struct range *list;
    size_t n, room;
    struct ws_sums ends; /* key: range, kernel, class, 0 */
    bool failed;
};

/* ---- Kernels that access a row most ---------------------------------------------------------- */

void ws_mains_add(struct ws_mains *mains, uint32_t kernel, uint32_t class, uint64_t bytes)
{
    bool writes = class > 0;
    mains->written = mains->latest == kernel ? mains->written : 0;
    mains->written += writes ? bytes : 0;
    mains->latest = kernel;
    bytes = writes ? mains->written : bytes;
    if (bytes > mains->most[writes]) {
        mains->most[writes] = bytes;
        mains->kernel[writes] = kernel;
    }
}

void ws_mains_cells(const struct ws_mains *mains, const struct ws_memtrace_view *v,
                    struct doc_cell cells[4])
{
    for (int e = 0; e < 2; e++) { /* first the writer */
        uint32_t kernel = mains->kernel[1 - e];
        bool is_there = kernel != WS_NAMES_NONE;
        cells[2 * e] = is_there ? doc_number(v->m->book.actors.kernels[kernel].stream) : doc_none();
        cells[2 * e + 1] = is_there ? ws_memtrace_kernel(v, kernel) : doc_none();
    }
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static uint64_t block_of(const struct ws_sum *s)
{
    return (uint64_t)s->key[2] << 32 | s->key[3];
}

static int by_block(const void *a, const void *b, void *ctx)
{
    (void)ctx;
    return WS_ORDER(block_of(a), block_of(b));
}

static int by_bytes(const void *a, const void *b)
{
    const struct range *p = a, *q = b;
    uint64_t x = p->bytes[0] + p->bytes[1] + p->bytes[2],
             y = q->bytes[0] + q->bytes[1] + q->bytes[2];
    return x != y ? WS_ORDER(y, x) : WS_ORDER(p->first, q->first);
}

static int by_place(const void *key, const void *entry)
{
    const uint64_t *block = key;
    const struct range *r = entry;
    return *block < r->first ? -1 : *block > r->last;
}

/* Adds a row of the table of addresses to the range of its address. */
static bool received_add(void *to, const struct doc_cell *cells)
{
    struct ranges *r = to;
    uint64_t block = cells[0].as.count / WS_BLOCK;
    struct range *range =
        r->n == 0 ? NULL : bsearch(&block, r->list, r->n, sizeof *r->list, by_place);
    if (range != NULL && cells[8].as.count == MEMTRACE_LOAD) {
        range->received += cells[9].as.count;
    }
    return true;
}

/* Finds the ranges and their sums, in the order of addresses. */
static void ranges_find(struct ranges *r, struct ws_sums *blocks)
{
    uint64_t block = 0, bytes = 0; /* those of the block so far */
    ws_sums_sort(blocks, by_block, NULL);
    for (size_t i = 0; i < blocks->n; i++) {
        const struct ws_sum *s = &blocks->slots[i];
        bytes = block == block_of(s) ? bytes + s->values[0] : s->values[0];
        block = block_of(s);
        if (r->n == 0 || block > r->list[r->n - 1].last + 1) {
            if (!array_reserve(&r->list, &r->room, r->n + 1, sizeof *r->list)) {
                r->failed = true;
                return;
            }
            r->list[r->n++] = (struct range){.first = block, .mains = WS_MAINS_NONE};
        }
        struct range *range = &r->list[r->n - 1];
        range->last = block;
        range->bytes[s->key[1]] += s->values[0];
        range->hot = bytes > range->most ? block : range->hot;
        range->most = bytes > range->most ? bytes : range->most;
        ws_sums_add(&r->ends, (uint32_t)r->n - 1, s->key[0], s->key[1], 0, s->values[0], 0);
    }
    ws_sums_sort(&r->ends, ws_sums_by_key, NULL);
    r->failed |= r->ends.failed;
    for (size_t i = 0; i < r->ends.n && !r->failed; i++) {
        const struct ws_sum *s = &r->ends.slots[i];
        ws_mains_add(&r->list[s->key[0]].mains, s->key[1], s->key[2], s->values[0]);
    }
}

bool ws_memtrace_ranges(const struct ws_memtrace_view *v, doc_row_f row, void *to)
{
    struct ranges r = {.n = 0};
    struct ws_memtrace_view lists = {.m = v->m, .id = WS_MEMTRACE_ADDRESSES};
    ranges_find(&r, &v->m->book.sums[WS_BOOK_BLOCKS]);
    bool good = !r.failed && ws_memtrace_lists(&lists, received_add, &r), goes_on = good;
    if (v->for_text && r.n > 0) {
        qsort(r.list, r.n, sizeof *r.list, by_bytes);
    }
    for (size_t i = 0; i < r.n && goes_on; i++) {
        const struct range *x = &r.list[i];
        struct doc_cell ends[4];
        ws_mains_cells(&x->mains, v, ends);
        const struct doc_cell cells[] = {doc_integer(DOC_ADDRESS, x->first * WS_BLOCK),
                                         doc_number((x->last - x->first + 1) * WS_BLOCK),
                                         doc_number(x->bytes[0]),
                                         doc_number(x->bytes[1] + x->bytes[2]),
                                         doc_number(x->bytes[2]),
                                         doc_number(x->received),
                                         doc_number((x->hot - x->first) * WS_BLOCK),
                                         doc_number(x->most),
                                         ends[0],
                                         ends[1],
                                         ends[2],
                                         ends[3]};
        goes_on = row(to, cells);
    }
    ws_sums_free(&r.ends);
    free(r.list);
    return good;
}
