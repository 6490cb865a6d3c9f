/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c - tables of results; see output.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/output.h"
#include "store/array.h"

struct analyze_table *analyze_table_begin(struct analyze_tables *tables, const char *name,
                                          const char *title, const struct analyze_column *columns)
{
    assert(tables->n < ANALYZE_TABLES_MAX);
    struct analyze_table *t = &tables->list[tables->n++];
    *t = (struct analyze_table){
        .name = name, .title = title, .n_text = SIZE_MAX, .n_json = SIZE_MAX};
    for (; columns->name != NULL; columns++) {
        assert(t->n_columns < ANALYZE_COLUMNS_MAX);
        t->columns[t->n_columns++] = *columns;
    }
    return t;
}

struct analyze_cell *analyze_table_row(struct analyze_tables *tables, struct analyze_table *t)
{
    if (!array_reserve(&t->cells, &t->room, (t->n_rows + 1) * t->n_columns, sizeof *t->cells)) {
        tables->no_memory = true;
        return tables->lost;
    }
    struct analyze_cell *row = t->cells + t->n_rows++ * t->n_columns;
    memset(row, 0, t->n_columns * sizeof *row);
    return row;
}

const char *analyze_table_text(struct analyze_tables *tables, struct analyze_table *t,
                               const char *words, ...)
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

const struct analyze_table *analyze_table_of(const struct analyze_tables *tables, const char *name)
{
    for (uint32_t i = 0; i < tables->n; i++) {
        if (strcmp(tables->list[i].name, name) == 0) {
            return &tables->list[i];
        }
    }
    return NULL;
}

void analyze_tables_make(struct analyze_tables *tables, const struct analyze *a)
{
    *tables = (struct analyze_tables){0};
    analyze_tables_paths(tables, a);
    analyze_tables_structure(tables, a);
    analyze_tables_lps(tables, a);
}

void analyze_tables_free(struct analyze_tables *tables)
{
    for (uint32_t i = 0; i < tables->n; i++) {
        struct analyze_table *t = &tables->list[i];
        for (size_t k = 0; k < t->n_texts; k++) {
            free(t->texts[k]);
        }
        free(t->texts);
        free(t->cells);
    }
    *tables = (struct analyze_tables){0};
}
