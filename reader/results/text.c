/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - the results as readable text, 80 columns; see results.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/colour.h"
#include "render/layout.h"
#include "render/plot.h"
#include "results/results.h"
#include "text/utf8.h"

#define NAME_MAX_IN 24u /* maximum width of a column of names, in characters */

void ws_result_heading(FILE *out, const char *title)
{
    fprintf(out, "\n%s%s%s\n", ws_colour(out, WS_COLOUR_HEADING), title,
            ws_colour(out, WS_COLOUR_END));
}

const char *ws_result_cell_text(char to[WS_RESULT_CELL_MAX], const struct ws_result_cell *cell)
{
    switch (cell->kind) {
    case WS_RESULT_COUNT:
        return ws_count_text(to, cell->as.count);
    case WS_RESULT_REAL:
        return ws_number_fit(to, cell->as.real, 11);
    case WS_RESULT_SHARE:
        snprintf(to, WS_RESULT_CELL_MAX,
                 cell->as.real < 0.00095 && cell->as.real > 0.0 ? "%.3f %%" : "%.1f %%",
                 100.0 * cell->as.real);
        return to;
    case WS_RESULT_SECONDS:
        return ws_seconds_text(to, cell->as.real);
    case WS_RESULT_TEXT:
        return utf8_plain(to, WS_RESULT_CELL_MAX, cell->as.text, NAME_MAX_IN);
    case WS_RESULT_NONE:
    default:
        to[0] = '\0';
        return to;
    }
}

/* Returns true if the column holds names, which are aligned at the left. */
static bool is_name(const struct ws_result_table *t, uint32_t column)
{
    assert(column < t->n_columns);
    return t->n_rows > 0 && t->cells[column].kind == WS_RESULT_TEXT;
}

static bool is_shown(const struct ws_result_table *t, uint32_t column)
{
    bool any = false;
    for (size_t row = 0; row < t->n_rows && !any; row++) {
        any = t->cells[row * t->n_columns + column].kind != WS_RESULT_NONE;
    }
    return any && t->columns[column].heading != NULL;
}

/* Computes widths, the widths of the columns in characters; 0: the column is not shown. If a line
 * is too long, columns of names become narrower. */
static void widths_find(const struct ws_result_table *t, size_t rows,
                        unsigned widths[WS_RESULT_COLUMNS_MAX])
{
    char text[WS_RESULT_CELL_MAX];
    size_t line = 0;
    for (uint32_t c = 0; c < t->n_columns; c++) {
        widths[c] = 0;
        if (!is_shown(t, c)) {
            continue;
        }
        widths[c] = (unsigned)utf8_columns(t->columns[c].heading, strlen(t->columns[c].heading));
        for (size_t row = 0; row < rows; row++) {
            const char *cell = ws_result_cell_text(text, &t->cells[row * t->n_columns + c]);
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
    char cut[WS_RESULT_CELL_MAX];
    utf8_plain(cut, sizeof cut, text, width);
    size_t pad = width - utf8_columns(cut, strlen(cut));
    fprintf(out, "  %*s%s", left ? 0 : (int)pad, "", cut);
    if (left && !last) {
        fprintf(out, "%*s", (int)pad, "");
    }
}

void ws_result_print(FILE *out, const struct ws_result_table *t)
{
    size_t rows = t->n_rows < t->n_text ? t->n_rows : t->n_text;
    unsigned widths[WS_RESULT_COLUMNS_MAX];
    uint32_t last = 0;
    char text[WS_RESULT_CELL_MAX];
    if (t->title == NULL || rows == 0) {
        return;
    }
    ws_result_heading(out, t->title);
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
                const char *words =
                    row == 0 ? t->columns[c].heading
                             : ws_result_cell_text(text, &t->cells[(row - 1) * t->n_columns + c]);
                cell_print(out, words, widths[c], is_name(t, c), c == last);
            }
        }
        fputc('\n', out);
    }
    if (rows < t->n_rows && t->n_json == SIZE_MAX) {
        fprintf(out, "  ... and %zu more (--json has all)\n", t->n_rows - rows);
    }
}

/* Prints the text of a finding after a dash, broken into lines. */
static void finding_print(FILE *out, const char *words)
{
    size_t column = 0;
    const char *indent = "- ";
    while (*words != '\0') {
        size_t word = strcspn(words, " ");
        /* The per cent sign stays on the line of its number. */
        word += strncmp(words + word, " %", 2) == 0 ? 2 : 0;
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

void ws_result_findings_print(FILE *out, const struct ws_result_findings *findings)
{
    for (uint32_t i = 0; i < findings->n; i++) {
        finding_print(out, findings->words[i]);
    }
}
