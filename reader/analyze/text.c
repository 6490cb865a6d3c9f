/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - the results as readable text, 80 columns; see output.h.
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

#define CELL_MAX    128u
#define NAME_MAX_IN 24u /* widest column of names */

static void heading_print(FILE *out, const char *title)
{
    fprintf(out, "\n%s%s%s\n", ws_colour(out, WS_COLOUR_HEADING), title,
            ws_colour(out, WS_COLOUR_END));
}

static const char *cell_text(char to[CELL_MAX], const struct analyze_cell *cell)
{
    switch (cell->kind) {
    case ANALYZE_COUNT:
        return ws_count_text(to, cell->as.count);
    case ANALYZE_REAL:
        return ws_number_fit(to, cell->as.real, 11);
    case ANALYZE_SHARE:
        snprintf(to, CELL_MAX,
                 cell->as.real < 0.00095 && cell->as.real > 0.0 ? "%.3f %%" : "%.1f %%",
                 100.0 * cell->as.real);
        return to;
    case ANALYZE_SECONDS:
        return ws_seconds_text(to, cell->as.real);
    case ANALYZE_TEXT:
        return utf8_plain(to, CELL_MAX, cell->as.text, NAME_MAX_IN);
    case ANALYZE_NONE:
    default:
        to[0] = '\0';
        return to;
    }
}

/* Returns true if the column has names, which are aligned at the left. */
static bool is_name(const struct analyze_table *t, uint32_t column)
{
    return t->n_rows > 0 && t->cells[column].kind == ANALYZE_TEXT;
}

static bool is_shown(const struct analyze_table *t, uint32_t column)
{
    bool any = false;
    for (size_t row = 0; row < t->n_rows && !any; row++) {
        any = t->cells[row * t->n_columns + column].kind != ANALYZE_NONE;
    }
    return any && t->columns[column].heading != NULL;
}

/* Computes the widths of the columns in characters; 0: not shown. Names give way if the line gets
 * too long. */
static void widths_find(const struct analyze_table *t, size_t rows,
                        unsigned widths[ANALYZE_COLUMNS_MAX])
{
    char text[CELL_MAX];
    size_t line = 0;
    for (uint32_t c = 0; c < t->n_columns; c++) {
        widths[c] = 0;
        if (!is_shown(t, c)) {
            continue;
        }
        widths[c] = (unsigned)utf8_columns(t->columns[c].heading, strlen(t->columns[c].heading));
        for (size_t row = 0; row < rows; row++) {
            const char *cell = cell_text(text, &t->cells[row * t->n_columns + c]);
            unsigned width = (unsigned)utf8_columns(cell, strlen(cell));
            widths[c] = width > widths[c] ? width : widths[c];
        }
        line += widths[c] + 2;
    }
    for (uint32_t c = 0; c < t->n_columns && line > WS_PAGE_WIDTH; c++) {
        while (is_name(t, c) && widths[c] > WS_LAYOUT_NAME_MIN && line > WS_PAGE_WIDTH) {
            widths[c]--;
            line--;
        }
    }
}

static void cell_print(FILE *out, const char *text, unsigned width, bool left, bool last)
{
    char cut[CELL_MAX];
    utf8_plain(cut, sizeof cut, text, width);
    size_t pad = width - utf8_columns(cut, strlen(cut));
    fprintf(out, "  %*s%s", left ? 0 : (int)pad, "", cut);
    if (left && !last) {
        fprintf(out, "%*s", (int)pad, "");
    }
}

static void table_print(FILE *out, const struct analyze_table *t)
{
    size_t rows = t->n_rows < t->n_text ? t->n_rows : t->n_text;
    unsigned widths[ANALYZE_COLUMNS_MAX];
    uint32_t last = 0;
    char text[CELL_MAX];
    if (t->title == NULL || rows == 0) {
        return;
    }
    heading_print(out, t->title);
    if (t->note != NULL) {
        fprintf(out, "  %s\n", t->note);
    }
    widths_find(t, rows, widths);
    for (uint32_t c = 0; c < t->n_columns; c++) {
        last = widths[c] > 0 ? c : last;
    }
    for (size_t row = 0; row <= rows; row++) {
        for (uint32_t c = 0; c <= last; c++) {
            if (widths[c] > 0) {
                const char *words = row == 0
                                        ? t->columns[c].heading
                                        : cell_text(text, &t->cells[(row - 1) * t->n_columns + c]);
                cell_print(out, words, widths[c], is_name(t, c), c == last);
            }
        }
        fputc('\n', out);
    }
    if (rows < t->n_rows && t->n_json == SIZE_MAX) {
        fprintf(out, "  ... and %zu more (--json has all)\n", t->n_rows - rows);
    }
}

/* Prints words, broken into lines, after a dash. */
static void finding_print(FILE *out, const char *words)
{
    size_t column = 0;
    const char *indent = "- ";
    while (*words != '\0') {
        size_t word = strcspn(words, " ");
        word += strncmp(words + word, " %", 2) == 0 ? 2 : 0; /* stays with its number */
        if (column > 0 && column + 1 + utf8_columns(words, word) > WS_PAGE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        fputs(column > 0 ? " " : indent, out);
        column += column > 0 ? 1 : 2;
        indent = "  ";
        fwrite(words, 1, word, out);
        column += utf8_columns(words, word);
        words += word;
        words += strspn(words, " ");
    }
    fputc('\n', out);
}

/* ---- Pictures -------------------------------------------------------------------------------- */

static void parallelism_print(FILE *out, const struct analyze *a,
                              const struct analyze_tables *tables)
{
    const struct analyze_table *t = analyze_table_of(tables, "parallelism");
    double values[ANALYZE_BINS], low, high;
    char from[WS_COUNT_MAX], to[WS_COUNT_MAX];
    for (size_t i = 0; t != NULL && i < t->n_rows; i++) {
        const struct analyze_cell *cell = &t->cells[i * t->n_columns + 4];
        values[i] = cell->kind == ANALYZE_REAL ? cell->as.real : (double)NAN;
    }
    if (t == NULL || t->n_rows < 2 || !ws_plot_range(values, t->n_rows, &low, &high)) {
        return;
    }
    heading_print(out, "events that could run at once, over virtual time");
    ws_stats_line_text(out, "parallelism", values, (uint32_t)t->n_rows, 0.0, high,
                       a->options->utf8);
    fprintf(out, "  %-12s from virtual time %s to %s", "", ws_number_text(from, a->first_ts),
            ws_number_text(to, a->last_ts));
    fprintf(out, ": %s to %s\n", ws_number_text(from, low), ws_number_text(to, high));
}

static void ties_print(FILE *out, const struct analyze_tables *tables)
{
    const struct analyze_table *t = analyze_table_of(tables, "ties");
    char text[CELL_MAX];
    if (t == NULL || t->cells[1].as.count == 0) {
        return;
    }
    heading_print(out, "ties");
    for (size_t row = 0; row < t->n_rows; row++) {
        const struct analyze_cell *cells = t->cells + row * t->n_columns;
        fprintf(out, "  %-48s %14s", cells[0].as.text, cell_text(text, &cells[1]));
        fprintf(out, "%s%s\n", cells[2].kind == ANALYZE_NONE ? "" : "  ",
                cell_text(text, &cells[2]));
    }
}

void analyze_print_text(FILE *out, const struct analyze *a, const struct analyze_tables *tables)
{
    struct analyze_findings findings = {.n = 0};
    ws_stats_run_text(out, a->trace.file->sb);
    analyze_findings_find(&findings, a);
    for (uint32_t i = 0; i < findings.n; i++) {
        finding_print(out, findings.words[i]);
    }
    for (uint32_t i = 0; i < tables->n; i++) {
        if (strcmp(tables->list[i].name, "widths") == 0) {
            parallelism_print(out, a, tables);
        }
        table_print(out, &tables->list[i]);
        if (strcmp(tables->list[i].name, "ties") == 0) {
            ties_print(out, tables);
        }
    }
}
