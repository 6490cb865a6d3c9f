/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - prints the results as readable text, 80 columns wide; see output.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/output.h"
#include "cli/colour.h"
#include "render/layout.h"
#include "render/plot.h"
#include "show/show.h"
#include "text/utf8.h"

static void parallelism_print(FILE *out, const struct analyze *a, const struct ws_results *tables)
{
    const struct ws_result_table *t = ws_result_of(tables, "parallelism");
    double values[ANALYZE_BINS], low, high;
    char from[WS_COUNT_MAX], to[WS_COUNT_MAX];
    for (size_t i = 0; t != NULL && i < t->n_rows; i++) {
        const struct ws_result_cell *cell = &t->cells[i * t->n_columns + 4];
        values[i] = cell->kind == WS_RESULT_REAL ? cell->as.real : (double)NAN;
    }
    if (t == NULL || t->n_rows < 2 || !ws_plot_range(values, t->n_rows, &low, &high)) {
        return;
    }
    ws_result_heading(out, "events that could run at once, over virtual time");
    ws_stats_line_text(out, "parallelism", values, (uint32_t)t->n_rows, 0.0, high,
                       a->options->utf8);
    fprintf(out, "  %-12s from virtual time %s to %s", "", ws_number_text(from, a->first_ts),
            ws_number_text(to, a->last_ts));
    fprintf(out, ": %s to %s\n", ws_number_text(from, low), ws_number_text(to, high));
}

static void ties_print(FILE *out, const struct ws_results *tables)
{
    const struct ws_result_table *t = ws_result_of(tables, "ties");
    char text[WS_RESULT_CELL_MAX];
    if (t == NULL || t->cells[1].as.count == 0) {
        return;
    }
    ws_result_heading(out, "ties");
    for (size_t row = 0; row < t->n_rows; row++) {
        const struct ws_result_cell *cells = t->cells + row * t->n_columns;
        fprintf(out, "  %-48s %14s", cells[0].as.text, ws_result_cell_text(text, &cells[1]));
        fprintf(out, "%s%s\n", cells[2].kind == WS_RESULT_NONE ? "" : "  ",
                ws_result_cell_text(text, &cells[2]));
    }
}

void analyze_print_text(FILE *out, const struct analyze *a, const struct ws_results *tables)
{
    struct ws_result_findings findings = {.n = 0};
    ws_stats_run_text(out, a->trace.file->sb);
    analyze_findings_find(&findings, a);
    ws_result_findings_print(out, &findings);
    for (uint32_t i = 0; i < tables->n; i++) {
        if (strcmp(tables->list[i].name, "widths") == 0) {
            parallelism_print(out, a, tables);
        }
        ws_result_print(out, &tables->list[i]);
        if (strcmp(tables->list[i].name, "ties") == 0) {
            ties_print(out, tables);
        }
    }
}
