/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c - tables of results; see results.h. */
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"
#include "store/array.h"

struct ws_result_table *ws_result_begin(struct ws_results *tables, const char *name,
                                        const char *title, const struct ws_result_column *columns)
{
    assert(tables->n < WS_RESULTS_MAX);
    struct ws_result_table *t = &tables->list[tables->n++];
    *t = (struct ws_result_table){
        .name = name, .title = title, .n_text = SIZE_MAX, .n_json = SIZE_MAX};
    for (; columns->name != NULL; columns++) {
        assert(t->n_columns < WS_RESULT_COLUMNS_MAX);
        t->columns[t->n_columns++] = *columns;
    }
    return t;
}

struct ws_result_cell *ws_result_row(struct ws_results *tables, struct ws_result_table *t)
{
    assert(t->n_columns > 0 && t->n_columns <= WS_RESULT_COLUMNS_MAX);
    if (!array_reserve(&t->cells, &t->room, (t->n_rows + 1) * t->n_columns, sizeof *t->cells)) {
        tables->no_memory = true;
        return tables->lost;
    }
    struct ws_result_cell *row = t->cells + t->n_rows++ * t->n_columns;
    memset(row, 0, t->n_columns * sizeof *row);
    return row;
}

const char *ws_result_text(struct ws_results *tables, struct ws_result_table *t, const char *words,
                           ...)
{
    char text[256];
    va_list args;
    va_start(args, words);
    vsnprintf(text, sizeof text, words, args);
    va_end(args);
    char *copy = array_reserve(&t->texts, &t->texts_room, t->n_texts + 1, sizeof *t->texts)
                     ? strdup(text)
                     : NULL;
    if (copy == NULL) {
        tables->no_memory = true;
        return "";
    }
    t->texts[t->n_texts++] = copy;
    return copy;
}

const struct ws_result_table *ws_result_of(const struct ws_results *results, const char *name)
{
    for (uint32_t i = 0; i < results->n; i++) {
        if (strcmp(results->list[i].name, name) == 0) {
            return &results->list[i];
        }
    }
    return NULL;
}

void ws_results_free(struct ws_results *tables)
{
    for (uint32_t i = 0; i < tables->n; i++) {
        struct ws_result_table *t = &tables->list[i];
        for (size_t k = 0; k < t->n_texts; k++) {
            free(t->texts[k]);
        }
        free(t->texts);
        free(t->cells);
    }
    *tables = (struct ws_results){0};
}

void ws_result_say(struct ws_result_findings *findings, const char *words, ...)
{
    assert(findings->n <= WS_RESULT_FINDINGS_MAX);
    va_list args;
    if (findings->n == WS_RESULT_FINDINGS_MAX) {
        return;
    }
    va_start(args, words);
    vsnprintf(findings->words[findings->n++], sizeof findings->words[0], words, args);
    va_end(args);
}
