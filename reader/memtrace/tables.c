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
    [WS_MEMTRACE_RANGES] =
        {"ranges",
         "address=from|size|load_bytes=loaded|write_bytes=written|(atomic_bytes)|"
         "received_bytes=received|hot_offset=hottest|(hot_bytes)|(writer_stream)|"
         "writer$=written by|(reader_stream)|reader$=loaded by",
         NULL},
    [WS_MEMTRACE_ALLOCATIONS] = {"allocations",
                                 "allocation$|share|load_bytes=loaded|write_bytes=written|"
                                 "(atomic_bytes)|bytes=size|address=from|(call$)|(writer_stream)|"
                                 "writer$=written by|(reader_stream)|reader$=loaded by",
                                 NULL},
    [WS_MEMTRACE_LINES] = {"lines",
                           "source$=source line|(stream)|kernel$|allocation$|share|"
                           "load_bytes=loaded|write_bytes=written|(atomic_bytes)|accesses",
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
        return ws_memtrace_kernel(v, (uint32_t)number);
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
        const struct doc_cell cells[] = {doc_number(l->stream),
                                         doc_number(l->superstep),
                                         ws_memtrace_kernel(v, l->kernel),
                                         doc_number(records[0]),
                                         doc_number(records[1]),
                                         doc_number(records[2]),
                                         doc_number(bytes[0]),
                                         doc_number(bytes[1]),
                                         doc_number(bytes[2]),
                                         doc_number(bytes[0] + bytes[1] + bytes[2])};
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
        return ws_memtrace_lists(v, row, to);
    case WS_MEMTRACE_RANGES:
        return ws_memtrace_ranges(v, row, to);
    case WS_MEMTRACE_ALLOCATIONS:
        return ws_memtrace_allocations(v, row, to);
    case WS_MEMTRACE_LINES:
        return ws_memtrace_lines(v, row, to);
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
    bool is_cut = false;
    for (size_t i = 0; i < v->m->memory.n_files; i++) {
        is_cut |= !v->m->memory.files[i].is_complete;
    }
    bool is_memory = v->id == WS_MEMTRACE_ALLOCATIONS || v->id == WS_MEMTRACE_LINES;
    t->none = is_memory && v->m->memory.n_files == 0
                  ? "none: no file MemTrace-memory is beside traces named MemTrace-pipe-N"
              : v->id == WS_MEMTRACE_LINES && ws_memtrace_chooses_parts(v->m->book.actors.choice)
                  ? "none: lines are counted for whole kernels, which --kernel selects"
              : v->id == WS_MEMTRACE_LINES
                  ? "none: recorded on the CPU, of kernels by nvcc -lineinfo, not warpscope-nvcc"
              : v->m->book.actors.choice->any ? "none that the options select"
              : v->id == WS_MEMTRACE_RANGES || is_memory
                  ? "none: the launches have made no accesses"
              : v->id >= WS_MEMTRACE_TRANSFERS ? "none: no CTA loads what another CTA has stored"
              : v->id >= WS_MEMTRACE_VOLUMES_KERNEL ? "none: the launches have made no accesses"
                                                    : "none: the trace has no launches";
    t->note = v->id == WS_MEMTRACE_RANGES
                  ? "bytes in blocks of 256; hottest: offset of the block with the most"
              : is_memory && is_cut ? "a file MemTrace-memory ends early: its program was killed"
                                    : NULL;
    t->more = "--top=N shows more, --csv all";
    return t;
}
