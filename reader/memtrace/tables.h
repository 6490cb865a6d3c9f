/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - the results of an analysis as tables of documents, which are then written as text,
 * CSV, JSON or a database.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TABLES_H
#define WARPSCOPE_READER_MEMTRACE_TABLES_H

#include <assert.h>

#include "document/document.h"
#include "memtrace/analysis.h"

enum ws_memtrace_table_id {
    WS_MEMTRACE_STREAMS,
    WS_MEMTRACE_LAUNCHES,
    WS_MEMTRACE_VOLUMES_KERNEL, /* from here on: the sums, in the order of enum ws_book_sums */
    WS_MEMTRACE_VOLUMES_CTA,
    WS_MEMTRACE_VOLUMES_SM,
    WS_MEMTRACE_TRANSFERS,
    WS_MEMTRACE_FLOWS_KERNEL,
    WS_MEMTRACE_FLOWS_SM,
    WS_MEMTRACE_ADDRESSES, /* records of each address; empty if depth is not WS_MEMTRACE_LISTS */
    /* ranges of addresses, and who accesses them most; empty like the records */
    WS_MEMTRACE_RANGES,
    WS_MEMTRACE_ALLOCATIONS, /* empty unless a file of allocations is beside the traces */
    WS_MEMTRACE_LINES,       /* accesses by lines of the source; empty like the allocations */
    WS_MEMTRACE_NOTES,
    WS_MEMTRACE_TABLES
};

/* Which rows of an analysis a table shows: argument of ws_memtrace_rows(). */
struct ws_memtrace_view {
    struct ws_memtrace *m;
    enum ws_memtrace_table_id id;
    /* true: transfers and flows are sorted by bytes, largest first, and the number of their stream
     * precedes the names of kernels if there are several streams. false: rows are sorted by
     * superstep, kernel or address, and names stand alone. */
    bool for_text;
};

/* Adds the table that view describes to doc. view: borrowed until doc is freed. */
struct doc_table *ws_memtrace_table(struct doc *doc, struct ws_memtrace_view *view);
/* Passes the rows of a table to row(to, ...); from: a struct ws_memtrace_view. The number of the
 * cell of a kernel is the number of the kernel, plus 1. Returns false if out of memory. */
bool ws_memtrace_rows(void *from, doc_row_f row, void *to);
/* These functions do so for WS_MEMTRACE_ADDRESSES, WS_MEMTRACE_RANGES and the two tables after it. */
bool ws_memtrace_lists(const struct ws_memtrace_view *v, doc_row_f row, void *to);
bool ws_memtrace_ranges(const struct ws_memtrace_view *v, doc_row_f row, void *to);
bool ws_memtrace_allocations(const struct ws_memtrace_view *v, doc_row_f row, void *to);
bool ws_memtrace_lines(const struct ws_memtrace_view *v, doc_row_f row, void *to);
/* Returns the cell for a kernel. */
static inline struct doc_cell ws_memtrace_kernel(const struct ws_memtrace_view *v, uint32_t kernel)
{
    assert(kernel < v->m->book.actors.names.n);
    const struct ws_kernel *k = &v->m->book.actors.kernels[kernel];
    return (struct doc_cell){
        .kind = DOC_NAME, .number = kernel + 1, .as.text = v->for_text ? k->text : k->shown};
}

/* The kernels that load the most bytes of a row, and that write the most. Initialise with WS_MAINS_NONE. */
struct ws_mains {
    uint64_t most[2];   /* bytes that these kernels load, and write */
    uint32_t kernel[2]; /* WS_NAMES_NONE: there is none */
    uint64_t written;   /* by the kernel of the latest bytes, so far */
    uint32_t latest;
};
#define WS_MAINS_NONE                                                                              \
    ((struct ws_mains){.kernel = {WS_NAMES_NONE, WS_NAMES_NONE}, .latest = WS_NAMES_NONE})
/* Adds bytes of a kernel and a class, in the order of these. */
void ws_mains_add(struct ws_mains *mains, uint32_t kernel, uint32_t class, uint64_t bytes);
/* Sets four cells: stream and name of the kernel that writes, then of the one that loads. */
void ws_mains_cells(const struct ws_mains *mains, const struct ws_memtrace_view *v,
                    struct doc_cell cells[4]);

/* Returns the number for a part of the key of a sum. part: two characters. First K, a kernel; S, a
 * kernel of which a cell shows the stream; C, a class of accesses; N, another number; k and s, the
 * kernel of an actor; a, its CTA. Then the index in the key. */
static inline uint64_t ws_memtrace_part(const struct ws_actors *actors, const char *part,
                                        const uint32_t *key)
{
    uint32_t v = key[part[1] - '0'];
    assert(part[0] != 'a' || v < actors->n);
    return part[0] == 'k' || part[0] == 's' ? actors->actors[v].kernel
           : part[0] == 'a'                 ? actors->actors[v].cta
                                            : v;
}

#endif
