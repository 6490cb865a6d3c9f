/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hot.c - the tables of allocations and of lines of the source; see tables.h. The sums of the
 * allocations are those of the analysis, so that they add up to the volumes. Lines are counted by the
 * program, over all launches; what they lack of the volumes is a row of its own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/number.h"
#include "memtrace/tables.h"
#include "store/array.h"

#define UNKNOWN "unknown"

/* A row of either table. */
struct hot {
    const struct ws_places_line *line; /* NULL: none */
    uint64_t allocation;
    uint64_t bytes[3], accesses;
    struct ws_mains mains; /* of a line, both are its kernel */
    size_t place;
};
struct rows {
    struct hot *list;
    size_t n;
    uint64_t bytes; /* of all */
};

static uint64_t bytes_of(const struct hot *h)
{
    return h->bytes[0] + h->bytes[1] + h->bytes[2];
}

static int by_bytes(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;
    return bytes_of(x) != bytes_of(y) ? WS_ORDER(bytes_of(y), bytes_of(x))
                                      : WS_ORDER(x->place, y->place);
}

/* Adds a row. Returns NULL if memory is exhausted. */
static struct hot *row_add(struct rows *rows, struct hot row)
{
    if (!array_append(&rows->list, rows->n, sizeof row)) {
        return NULL;
    }
    row.place = rows->n;
    rows->list[rows->n] = row;
    return &rows->list[rows->n++];
}

static struct doc_cell name_cell(const struct ws_memtrace_view *v, const char *text)
{
    struct doc_cell cell = doc_name(text);
    cell.kind = v->for_text ? DOC_PATH : DOC_NAME;
    return cell;
}

/* Passes the rows to row(to, ...), and frees them. Text has those with the most bytes first. */
static void rows_give(struct rows *rows, const struct ws_memtrace_view *v, doc_row_f row, void *to)
{
    const struct ws_memtrace *m = v->m;
    char name[MEMTRACE_NAME_MAX + 32];
    bool goes_on = true;
    if (v->for_text && rows->n > 0) {
        qsort(rows->list, rows->n, sizeof *rows->list, by_bytes);
    }
    for (size_t i = 0; i < rows->n && goes_on; i++) {
        const struct hot *h = &rows->list[i];
        const struct ws_allocation *a =
            h->allocation == WS_PLACES_UNKNOWN ? NULL : &m->memory.list[h->allocation];
        bool is_named = a != NULL && a->name[0] != '\0';
        snprintf(name, sizeof name, is_named || a == NULL ? "%s" : "%s %" PRIu64,
                 a == NULL  ? UNKNOWN
                 : is_named ? a->name
                            : a->call,
                 a == NULL ? 0 : a->ordinal);
        struct doc_cell ends[4];
        ws_mains_cells(&h->mains, v, ends);
        const char *source = h->line == NULL ? UNKNOWN : h->line->source;
        const char *slash = v->for_text ? strrchr(source, '/') : NULL;
        /* Text cuts both names as paths, in the middle: a number at the end tells them apart. */
        const struct doc_cell allocated = name_cell(v, name),
                              from = name_cell(v, slash == NULL ? source : slash + 1);
        struct doc_cell share = doc_share((double)bytes_of(h), (double)rows->bytes),
                        loaded = doc_number(h->bytes[0]),
                        written = doc_number(h->bytes[1] + h->bytes[2]),
                        atomic = doc_number(h->bytes[2]);
        const struct doc_cell allocation[] = {
            allocated,
            share,
            loaded,
            written,
            atomic,
            doc_if(a != NULL, doc_number(a == NULL ? 0 : a->bytes)),
            doc_if(a != NULL, doc_integer(DOC_ADDRESS, a == NULL ? 0 : a->address)),
            doc_name(a == NULL ? "" : a->call),
            ends[0],
            ends[1],
            ends[2],
            ends[3]};
        const struct doc_cell line[] = {from,      ends[0], ends[1],
                                        allocated, share,   loaded,
                                        written,   atomic,  doc_number(h->accesses)};
        goes_on = row(to, v->id == WS_MEMTRACE_LINES ? line : allocation);
    }
    free(rows->list);
}

/* ---- Allocations ----------------------------------------------------------------------------- */

bool ws_memtrace_allocations(const struct ws_memtrace_view *v, doc_row_f row, void *to)
{
    struct rows rows = {.n = 0};
    struct ws_sums *sums = &v->m->book.sums[WS_BOOK_ALLOCATIONS];
    struct hot *h = NULL;
    ws_sums_sort(sums, ws_sums_by_key, NULL);
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        if (i == 0 || s[-1].key[0] != s->key[0]) {
            h = row_add(&rows, (struct hot){.allocation = s->key[0], .mains = WS_MAINS_NONE});
        }
        if (h == NULL) {
            free(rows.list);
            return false;
        }
        ws_mains_add(&h->mains, s->key[1], s->key[2], s->values[0]);
        h->bytes[s->key[2]] += s->values[0];
        rows.bytes += s->values[0];
    }
    rows_give(&rows, v, row, to);
    return true;
}

/* ---- Lines of the source --------------------------------------------------------------------- */

static uint64_t rest_of(uint64_t all, uint64_t part)
{
    return all > part ? all - part : 0;
}

/* Adds a row for each line of a selected kernel. rest: the accesses of all, from which those of the rows
 * are subtracted. Returns false if memory is exhausted. */
static bool lines_add(struct rows *rows, const struct ws_memtrace *m, struct hot *rest)
{
    for (size_t i = 0; i < m->memory.n_lines; i++) {
        const struct ws_places_line *l = &m->memory.lines[i];
        uint32_t kernel = ws_kernel_find(&m->book.actors, l->stream, l->kernel);
        struct hot h = {.line = l,
                        .allocation = l->allocation,
                        .bytes = {l->bytes[0], l->bytes[1], l->bytes[2]},
                        .accesses = l->accesses,
                        .mains.kernel = {kernel, kernel}};
        if (kernel == WS_NAMES_NONE || !m->book.actors.kernels[kernel].chosen) {
            continue;
        }
        if (row_add(rows, h) == NULL) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            rest->bytes[c] = rest_of(rest->bytes[c], l->bytes[c]);
        }
        rest->accesses = rest_of(rest->accesses, l->accesses);
    }
    return true;
}

bool ws_memtrace_lines(const struct ws_memtrace_view *v, doc_row_f row, void *to)
{
    struct rows rows = {.n = 0};
    const struct ws_memtrace *m = v->m;
    struct hot rest = {.allocation = WS_PLACES_UNKNOWN, .mains = WS_MAINS_NONE};
    for (size_t i = 0; i < m->n_launches; i++) {
        const struct ws_memtrace_launch *l = &m->launches[i];
        for (int c = 0; c < 3 && m->book.actors.kernels[l->kernel].chosen; c++) {
            rest.bytes[c] += l->bytes[c];
            rest.accesses += l->records[c];
        }
    }
    rows.bytes = bytes_of(&rest);
    bool good = ws_memtrace_chooses_parts(m->book.actors.choice) || lines_add(&rows, m, &rest);
    if (good && rows.n > 0 && bytes_of(&rest) > 0) {
        good = row_add(&rows, rest) != NULL;
    }
    if (good) {
        rows_give(&rows, v, row, to);
    } else {
        free(rows.list);
    }
    return good;
}
