/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.c - writes a page with the results of traces: "warpscope report" of a directory of traces.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memtrace/output.h"
#include "store/array.h"

/* Rows that a table of the page has at most. */
enum { ROWS_MAX = 200, RANGES_MAX = 20 };
/* Addresses this far apart are in different ranges: allocations begin at multiples of it. */
#define GAP UINT64_C(256)

static void escape(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                                            : NULL;
        if (entity != NULL) {
            fputs(entity, out);
        } else {
            fputc(*text, out);
        }
    }
}

/* Writes a document as preformatted text. Returns false if memory is exhausted. */
static bool section_write(FILE *out, const char *title, const struct doc *doc)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    bool good = memory != NULL && doc_print(memory, doc);
    good = memory != NULL && fclose(memory) == 0 && good;
    if (good) {
        fprintf(out, "<h2>%s</h2>\n<pre>", title);
        escape(out, text);
        fputs("</pre>\n", out);
    }
    free(text);
    return good;
}

static bool table_write(FILE *out, struct ws_memtrace *m, enum ws_memtrace_table_id id,
                        const char *title)
{
    struct doc doc = {.n = 0};
    struct ws_memtrace_view view = {.m = m, .id = id, .for_text = true};
    struct doc_table *table = ws_memtrace_table(&doc, &view);
    table->n_text = ROWS_MAX;
    table->is_first = true;
    table->more = "warpscope memtrace shows all";
    bool good = section_write(out, title, &doc) && !doc.no_memory;
    doc_free(&doc);
    return good;
}

/* ---- Ranges of addresses ---------------------------------------------------------------------- */

struct range {
    uint64_t first, last, loads, bytes, writes;
};
struct ranges {
    struct range *list;
    size_t n, room;
    bool failed;
};

/* Adds a row of the table of addresses, which is sorted by address. */
static bool range_row(void *to, const struct doc_cell *cells)
{
    struct ranges *r = to;
    uint64_t address = cells[0].as.count, size = cells[9].as.count;
    bool is_load = cells[8].as.count == MEMTRACE_LOAD;
    if (r->n == 0 || address > r->list[r->n - 1].last + GAP) {
        if (!array_reserve(&r->list, &r->room, r->n + 1, sizeof *r->list)) {
            r->failed = true;
            return false;
        }
        r->list[r->n++] = (struct range){.first = address, .last = address};
    }
    struct range *range = &r->list[r->n - 1];
    range->last = address + size - 1 > range->last ? address + size - 1 : range->last;
    range->loads += is_load;
    range->bytes += is_load ? size : 0;
    range->writes += !is_load;
    return true;
}

static int by_bytes(const void *a, const void *b)
{
    const struct range *p = a, *q = b;
    return p->bytes != q->bytes  ? (p->bytes < q->bytes ? 1 : -1)
           : p->first < q->first ? -1
                                 : p->first > q->first;
}

/* Writes the ranges of addresses through which most bytes go. */
static bool ranges_write(FILE *out, struct ws_memtrace *m)
{
    struct ranges r = {.n = 0};
    struct ws_memtrace_view view = {.m = m, .id = WS_MEMTRACE_ADDRESSES};
    struct doc doc = {.n = 0};
    bool good = ws_memtrace_rows(&view, range_row, &r) && !r.failed;
    if (r.n > 0) {
        qsort(r.list, r.n, sizeof *r.list, by_bytes);
    }
    struct doc_table *table =
        doc_table(&doc, "ranges", "", "from|to|stores and atomics|loads|bytes loaded");
    for (size_t i = 0; good && i < r.n && i < RANGES_MAX; i++) {
        const struct range *x = &r.list[i];
        doc_row(table, doc_integer(DOC_ADDRESS, x->first), doc_integer(DOC_ADDRESS, x->last),
                doc_count(x->writes), doc_count(x->loads), doc_count(x->bytes));
    }
    table->none = "none";
    table->is_first = true;
    good = good && section_write(out, "Addresses of communication", &doc) && !doc.no_memory;
    doc_free(&doc);
    free(r.list);
    return good;
}

bool ws_memtrace_page(struct ws_memtrace *m, struct ws_outs *outs, const char *path,
                      const char *title)
{
    struct ws_out *to = ws_out_begin(outs, path);
    FILE *f = to == NULL ? NULL : ws_out_stream(to);
    if (f == NULL) {
        return false;
    }
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", f);
    escape(f, title);
    fputs("</title>\n<style>body { font-family: sans-serif; margin: 2em; } pre { overflow: auto; "
          "}</style></head>\n"
          "<body><h1>Memory traces: ",
          f);
    escape(f, title);
    fprintf(f,
            "</h1>\n<p>Streams: %" PRIu32 "; launches: %zu; accesses: %" PRIu64 "; bytes: %" PRIu64
            "</p>\n",
            m->n_streams, m->n_launches, m->records, m->bytes);
    bool good = ws_memtrace_svg_print(m, f, false) &&
                (m->notes.n == 0 || table_write(f, m, WS_MEMTRACE_NOTES, "What is missing")) &&
                table_write(f, m, WS_MEMTRACE_FLOWS_KERNEL, "From kernel to kernel") &&
                table_write(f, m, WS_MEMTRACE_VOLUMES_KERNEL, "Volumes by launch") &&
                table_write(f, m, WS_MEMTRACE_TRANSFERS, "Who feeds whom, by launch and CTA") &&
                ranges_write(f, m) && table_write(f, m, WS_MEMTRACE_STREAMS, "Files");
    const struct ws_actors *actors = &m->book.actors;
    for (uint32_t i = 0; i < actors->names.n; i++) {
        if (actors->kernels[i].is_cut) {
            fprintf(f, "<p>#%" PRIu32 " is ", i + 1);
            escape(f, actors->kernels[i].label);
            fputs("</p>\n", f);
        }
    }
    fputs("</body></html>\n", f);
    if (!good) {
        ws_out_failed(to, "out of memory", 0);
    }
    return ws_out_stream_end(to, f) && good;
}
