/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - see tables.h. To output the rows in order, the functions sort the sums themselves, not
 * copies of them.
 */
#include "memtrace/tables.h"

#include <assert.h>
#include <stdlib.h>

/* Name, columns, and for sums what the cells show, except the last two, which show the sums, and the
 * numbers by which rows are sorted. Two characters per cell or number; see ws_memtrace_part(). */
static const struct {
    const char *name, *columns, *cells, *order;
} tables[WS_MEMTRACE_TABLES] = {
    [WS_MEMTRACE_STREAMS] = {"streams", "stream|path$=file|launches|records|bytes", NULL},
    [WS_MEMTRACE_LAUNCHES] = {"launches",
                              "(stream)|superstep=step|kernel$|loads|stores|atomics|(load_bytes)|"
                              "(store_bytes)|(atomic_bytes)|bytes",
                              NULL},
    [WS_MEMTRACE_VOLUMES_KERNEL] = {"volumes_kernel",
                                    "(stream)|superstep=step|kernel$|type$|bytes|"
                                    "communication_bytes=communication",
                                    "S0N1K0C2", "N1N0N2"},
    [WS_MEMTRACE_VOLUMES_CTA] = {"volumes_cta",
                                 "(stream)|superstep=step|kernel$|cta@=CTA|type$|bytes|"
                                 "communication_bytes=communication",
                                 "s0N1k0a0C2", "N1k0a0N2"},
    [WS_MEMTRACE_VOLUMES_SM] = {"volumes_sm",
                                "(stream)|superstep=step|kernel$|sm=SM|type$|bytes|"
                                "communication_bytes=communication",
                                "S0N1K0N3C2", "N1N0N3N2"},
    [WS_MEMTRACE_TRANSFERS] = {"transfers",
                               "(source_stream)|source_kernel$=from kernel|source_cta@=CTA|"
                               "source_superstep=step|(stream)|kernel$=to kernel|cta@=CTA|"
                               "superstep=step|bytes|loads",
                               "s0k0a0N1s2k2a2N3", "N1k0a0N3k2a2"},
    [WS_MEMTRACE_FLOWS_KERNEL] = {"flows_kernel",
                                  "(source_stream)|source_kernel$=from kernel|(stream)|"
                                  "kernel$=to kernel|bytes|loads",
                                  "S0K0S1K1", "N0N1"},
    [WS_MEMTRACE_FLOWS_SM] = {"flows_sm",
                              "(source_stream)|source_kernel$=from kernel|source_sm=SM|(stream)|"
                              "kernel$=to kernel|sm=SM|bytes|loads",
                              "S0K0N1S2K2N3", "N0N1N2N3"},
    [WS_MEMTRACE_ADDRESSES] = {"addresses",
                               "address|number|(stream)|superstep=step|kernel$|cta@=CTA|sm=SM|"
                               "type$|(type_number)|size",
                               NULL},
    [WS_MEMTRACE_NOTES] = {"notes", "(stream)|(kind$)|(kernel$)|(instructions)|(text$)", NULL},
};

/* ---- Order of rows --------------------------------------------------------------------------- */

struct order {
    const struct ws_actors *actors;
    const char *parts;
    bool by_bytes; /* true: the most bytes come first */
};

static int by_order(const void *first, const void *second, void *ctx)
{
    const struct ws_sum *x = first, *y = second;
    const struct order *o = ctx;
    uint64_t a = o->by_bytes ? y->values[0] : 0, b = o->by_bytes ? x->values[0] : 0;
    for (const char *part = o->parts; *part != '\0' && a == b; part += 2) {
        a = ws_memtrace_part(o->actors, part, x->key);
        b = ws_memtrace_part(o->actors, part, y->key);
    }
    return a < b ? -1 : a > b;
}

/* ---- Rows of the tables ---------------------------------------------------------------------- */

static struct doc_cell kernel_cell(const struct ws_memtrace_view *v, uint32_t kernel)
{
    assert(kernel < v->m->book.actors.names.n);
    const struct ws_kernel *k = &v->m->book.actors.kernels[kernel];
    return (struct doc_cell){
        .kind = DOC_NAME, .number = kernel + 1, .as.text = v->for_text ? k->text : k->shown};
}

/* Returns the cell for a number in the key of a sum. what: see tables[]. */
static struct doc_cell key_cell(const struct ws_memtrace_view *v, const char *part,
                                const uint32_t *key)
{
    const struct ws_actors *actors = &v->m->book.actors;
    uint64_t number = ws_memtrace_part(actors, part, key);
    switch (part[0]) {
    case 'S':
    case 's':
        return doc_number(actors->kernels[number].stream);
    case 'K':
    case 'k':
        return kernel_cell(v, (uint32_t)number);
    case 'a':
        return doc_integer(DOC_TRIPLE, number);
    case 'C':
        return doc_name(ws_memtrace_classes[number]);
    default:
        assert(part[0] == 'N');
        return doc_number(number);
    }
}

static void sums_rows(const struct ws_memtrace_view *v, doc_row_f row, void *to)
{
    struct ws_memtrace *m = v->m;
    enum ws_memtrace_table_id id = v->id;
    assert(id >= WS_MEMTRACE_VOLUMES_KERNEL && id < WS_MEMTRACE_ADDRESSES);
    struct ws_sums *sums = &m->book.sums[id - WS_MEMTRACE_VOLUMES_KERNEL];
    struct order order = {&m->book.actors, tables[id].order,
                          v->for_text && id >= WS_MEMTRACE_TRANSFERS};
    ws_sums_sort(sums, by_order, &order);
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        struct doc_cell cells[DOC_COLUMNS_MAX];
        size_t n = 0;
        for (const char *what = tables[id].cells; *what != '\0'; what += 2) {
            cells[n++] = key_cell(v, what, s->key);
        }
        cells[n++] = doc_number(s->values[0]);
        cells[n++] = doc_number(s->values[1]);
        if (!row(to, cells)) {
            return;
        }
    }
}

static void streams_rows(const struct ws_memtrace *m, doc_row_f row, void *to)
{
    for (uint32_t i = 0; i < m->n_streams; i++) {
        const struct ws_memtrace_stream *s = &m->streams[i];
        const struct doc_cell cells[] = {doc_number(i + 1),
                                         {.kind = DOC_PATH, .as.text = s->path},
                                         doc_number(s->launches),
                                         doc_number(s->records),
                                         doc_number(s->bytes)};
        if (!row(to, cells)) {
            return;
        }
    }
}

static void launches_rows(const struct ws_memtrace_view *v, doc_row_f row, void *to)
{
    const struct ws_memtrace *m = v->m;
    for (size_t i = 0; i < m->n_launches; i++) {
        const struct ws_memtrace_launch *l = &m->launches[i];
        const uint64_t *records = l->records, *bytes = l->bytes;
        const struct doc_cell cells[] = {
            doc_number(l->stream),     doc_number(l->superstep),
            kernel_cell(v, l->kernel), doc_number(records[0]),
            doc_number(records[1]),    doc_number(records[2]),
            doc_number(bytes[0]),      doc_number(bytes[1]),
            doc_number(bytes[2]),      doc_number(bytes[0] + bytes[1] + bytes[2])};
        if (m->book.actors.kernels[l->kernel].chosen &&
            ws_allows(&m->book.actors.choice->steps, l->superstep) && !row(to, cells)) {
            return;
        }
    }
}

static void notes_rows(const struct ws_memtrace *m, doc_row_f row, void *to)
{
    for (size_t i = 0; i < m->notes.n; i++) {
        const struct ws_memtrace_note *n = &m->notes.list[i];
        const struct doc_cell cells[] = {
            doc_number(n->stream), doc_name(n->is_incomplete ? "incomplete" : "not traced"),
            doc_name(n->kernel), doc_number(n->instructions), doc_name(n->text)};
        if (!row(to, cells)) {
            return;
        }
    }
}

/* ---- Rows of addresses -----------------------------------------------------------------------
 *
 * With --match=start, a row is a record of an address. With --match=bytes, a row is a record that
 * all bytes of a range have in common; the size in the row is the length of the range. A range
 * consists of consecutive bytes with equal lists of records. It can consist of several extents
 * (bytes.c), since extents are joined only when they are accessed. */

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
            kernel_cell(r->view, a->kernel),
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

static bool lists_rows(const struct ws_memtrace_view *view, doc_row_f row, void *to)
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

bool ws_memtrace_rows(void *from, doc_row_f row, void *to)
{
    const struct ws_memtrace_view *v = from;
    switch (v->id) {
    case WS_MEMTRACE_STREAMS:
        streams_rows(v->m, row, to);
        break;
    case WS_MEMTRACE_LAUNCHES:
        launches_rows(v, row, to);
        break;
    case WS_MEMTRACE_NOTES:
        notes_rows(v->m, row, to);
        break;
    case WS_MEMTRACE_ADDRESSES:
        return lists_rows(v, row, to);
    default:
        sums_rows(v, row, to);
    }
    return true;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void kernel_cut(void *from, uint32_t number)
{
    const struct ws_memtrace_view *v = from;
    v->m->book.actors.kernels[number - 1].is_cut = true;
}

struct doc_table *ws_memtrace_table(struct doc *doc, struct ws_memtrace_view *v)
{
    struct doc_table *t = doc_table(doc, tables[v->id].name, "", tables[v->id].columns);
    t->source = ws_memtrace_rows;
    t->from = v;
    t->cut = kernel_cut;
    t->none = v->m->book.actors.choice->any    ? "none that the options select"
              : v->id >= WS_MEMTRACE_TRANSFERS ? "none: no CTA loads what another CTA has stored"
              : v->id >= WS_MEMTRACE_VOLUMES_KERNEL ? "none: the launches have made no accesses"
                                                    : "none: the trace has no launches";
    t->more = "--top=N shows more, --csv all";
    return t;
}
