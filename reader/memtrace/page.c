/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.c - writes a page with the results of traces: "warpscope report" of a directory of traces.
 */
#include <inttypes.h>

#include "memtrace/output.h"
#include "render/text.h"

/* Rows that a table of the page has at most. */
enum { ROWS_MAX = 100 };

static const char style[] =
    ":root { color-scheme: light dark; --soft: #566173; --line: #d9dee6; --panel: #fff;"
    " --page: #f5f6f8; }\n"
    "@media (prefers-color-scheme: dark) { :root { --soft: #9aa6b8; --line: #303948;"
    " --panel: #1a202a; --page: #12161d; } }\n"
    "body { margin: 0 auto; max-width: 1100px; padding: 0 16px 32px; background: var(--page);"
    " font: 14px/1.45 system-ui, \"Noto Sans\", \"DejaVu Sans\", sans-serif;"
    " font-variant-numeric: tabular-nums; }\n"
    "h1 { font-size: 20px; margin: 16px 0 4px; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 15px; margin: 0 0 8px; }\n"
    "p { color: var(--soft); margin: 6px 0 0; overflow-wrap: anywhere; }\n"
    "section { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;"
    " padding: 12px 16px; margin: 14px 0 0; }\n"
    ".wide { overflow: auto; max-height: 480px; }\n"
    "svg { max-width: 100%; height: auto; border-radius: 4px; }\n"
    "table { border-collapse: collapse; }\n"
    "th { position: sticky; top: 0; background: var(--panel); color: var(--soft);"
    " font-weight: 600; }\n"
    "th, td { padding: 3px 12px 3px 0; text-align: right; white-space: nowrap; }\n"
    ".name { text-align: left; }\n"
    "tbody tr { border-top: 1px solid var(--line); }\n"
    "@media (max-width: 600px) { body { font-size: 12px; padding: 0 8px 24px; }"
    " section { padding: 10px; } th, td { padding-right: 7px; } }\n";

static bool table_write(FILE *out, struct ws_memtrace *m, enum ws_memtrace_table_id id,
                        const char *title)
{
    struct doc doc = {.n = 0};
    struct ws_memtrace_view view = {.m = m, .id = id, .for_text = true};
    struct doc_table *table = ws_memtrace_table(&doc, &view);
    table->title = title;
    table->n_text = ROWS_MAX;
    table->more = "warpscope memtrace shows all";
    bool good = doc_table_html(out, table) && !doc.no_memory;
    doc_free(&doc);
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
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          f);
    ws_xml_print(f, title, SIZE_MAX);
    fprintf(f, "</title>\n<style>\n%s</style></head>\n<body><h1>Memory traces: ", style);
    ws_xml_print(f, title, SIZE_MAX);
    fprintf(f,
            "</h1>\n<p>Streams: %" PRIu32 "; launches: %zu; accesses: %" PRIu64 "; bytes: %" PRIu64
            "</p>\n<section>",
            m->n_streams, m->n_launches, m->records, m->bytes);
    bool good = ws_memtrace_matrix(m, false, true, f);
    fputs("</section>\n", f);
    good = good && (m->notes.n == 0 || table_write(f, m, WS_MEMTRACE_NOTES, "What is missing")) &&
           table_write(f, m, WS_MEMTRACE_FLOWS_KERNEL, "From kernel to kernel") &&
           table_write(f, m, WS_MEMTRACE_ALLOCATIONS, "Hot allocations") &&
           table_write(f, m, WS_MEMTRACE_LINES, "Hot lines of the source") &&
           table_write(f, m, WS_MEMTRACE_RANGES, "Hot ranges of addresses") &&
           table_write(f, m, WS_MEMTRACE_VOLUMES_KERNEL, "Volumes by launch") &&
           table_write(f, m, WS_MEMTRACE_TRANSFERS, "Who feeds whom, by launch and CTA") &&
           table_write(f, m, WS_MEMTRACE_STREAMS, "Files");
    const struct ws_actors *actors = &m->book.actors;
    for (uint32_t i = 0; i < actors->names.n; i++) {
        if (actors->kernels[i].is_cut) {
            fprintf(f, "<p>#%" PRIu32 " is ", i + 1);
            ws_xml_print(f, actors->kernels[i].label, SIZE_MAX);
            fputs("</p>\n", f);
        }
    }
    fputs("</body></html>\n", f);
    if (!good) {
        ws_out_failed(to, "out of memory", 0);
    }
    return ws_out_stream_end(to, f) && good;
}
