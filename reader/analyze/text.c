/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - prints the results as readable text, 80 columns wide; see output.h.
 */
#include <math.h>
#include <string.h>

#include "analyze/output.h"
#include "render/plot.h"
#include "show/show.h"

static void parallelism_print(FILE *out, const struct analyze *a, const struct doc *doc)
{
    const struct doc_table *t = doc_find(doc, "parallelism");
    double values[ANALYZE_BINS], low, high;
    char from[WS_COUNT_MAX], to[WS_COUNT_MAX];
    for (size_t i = 0; t != NULL && i < t->n_rows; i++) {
        const struct doc_cell *cell = &t->cells[i * t->n_columns + 4];
        values[i] = cell->kind == DOC_REAL ? cell->as.real : (double)NAN;
    }
    if (t == NULL || t->n_rows < 2 || !ws_plot_range(values, t->n_rows, &low, &high)) {
        return;
    }
    doc_heading(out, "events that could run at once, over virtual time");
    ws_stats_line_text(out, "parallelism", values, (uint32_t)t->n_rows, 0.0, high,
                       a->options->utf8);
    fprintf(out, "  %-12s from virtual time %s to %s", "", ws_number_text(from, a->first_ts),
            ws_number_text(to, a->last_ts));
    fprintf(out, ": %s to %s\n", ws_number_text(from, low), ws_number_text(to, high));
}

void analyze_print_text(FILE *out, const struct analyze *a, const struct doc *doc)
{
    ws_stats_run_text(out, a->trace.file->sb);
    doc_findings_print(out, doc);
    for (uint32_t i = 0; i < doc->n; i++) {
        if (strcmp(doc->tables[i].name, "widths") == 0) {
            parallelism_print(out, a, doc);
        }
        doc_table_print(out, &doc->tables[i]);
    }
}
