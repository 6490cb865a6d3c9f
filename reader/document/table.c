/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - makes documents; see document.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/known.h"
#include "document/document.h"
#include "store/array.h"

/* Adds a copy of text to a list of owned strings. Returns the copy; NULL if out of memory. */
static char *text_keep(struct doc *doc, char ***list, size_t *n, size_t *room, const char *text)
{
    char *copy = array_reserve(list, room, *n + 1, sizeof **list) ? strdup(text) : NULL;
    if (copy == NULL) {
        doc->no_memory = true;
        return NULL;
    }
    (*list)[(*n)++] = copy;
    return copy;
}

static char *copy_make(struct doc *doc, const char *text)
{
    return text_keep(doc, &doc->texts, &doc->n_texts, &doc->texts_room, text);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Reads one description of a column, see doc_table(), and cuts it into its parts. */
static void column_read(struct doc_table *t, char *text)
{
    bool is_hidden = text[0] == '(';
    char *name = text + is_hidden, *heading = strchr(text, '=');
    size_t length = heading != NULL ? (size_t)(heading - name) : strlen(name);
    length -= is_hidden;
    name[length] = '\0';
    enum doc_kind kind = length == 0               ? DOC_NONE
                         : name[length - 1] == '$' ? DOC_NAME
                         : name[length - 1] == '@' ? DOC_TRIPLE
                                                   : DOC_NONE;
    if (kind != DOC_NONE) {
        name[length - 1] = '\0';
    }
    doc_column(t, name, is_hidden ? NULL : heading != NULL ? heading + 1 : name);
    t->columns[t->n_columns - 1].kind = kind;
}

struct doc_table *doc_table(struct doc *doc, const char *name, const char *title,
                            const char *columns)
{
    assert(doc->n < DOC_TABLES_MAX);
    struct doc_table *t = &doc->tables[doc->n++];
    *t = (struct doc_table){
        .doc = doc, .name = name, .title = title, .n_text = SIZE_MAX, .n_json = SIZE_MAX};
    char *rest = copy_make(doc, columns);
    for (char *text; rest != NULL && (text = strsep(&rest, "|")) != NULL;) {
        column_read(t, text);
    }
    return t;
}

void doc_column(struct doc_table *t, const char *name, const char *heading)
{
    assert(t->n_columns < DOC_COLUMNS_MAX && t->n_rows == 0);
    t->columns[t->n_columns++] = (struct doc_column){.name = name, .heading = heading};
}

struct doc_cell *doc_row_add(struct doc_table *t, const struct doc_cell *cells, size_t n)
{
    if (t->doc->no_memory ||
        !array_reserve(&t->cells, &t->room, (t->n_rows + 1) * t->n_columns, sizeof *t->cells)) {
        t->doc->no_memory = true;
        return t->doc->lost;
    }
    assert(n <= t->n_columns);
    struct doc_cell *row = t->cells + t->n_rows++ * t->n_columns;
    memcpy(row, cells, n * sizeof *row);
    memset(row + n, 0, (t->n_columns - n) * sizeof *row);
    return row;
}

void doc_dist_row(struct doc_table *t, const char *what, const struct ws_histogram *h,
                  enum doc_kind kind)
{
    static const double parts[] = {0.5, 0.9, 0.99};
    if (h->n > 0) {
        struct doc_cell *cell =
            doc_row(t, doc_name(what), doc_count(h->n), doc_measure(kind, ws_histogram_mean(h)));
        for (uint32_t i = 3; i + 1 < t->n_columns; i++) {
            cell[i] = doc_measure(kind, ws_histogram_quantile(h, parts[i - 3]));
        }
        cell[t->n_columns - 1] = doc_measure(kind, h->max);
    }
}

struct doc_table *doc_totals(struct doc *doc)
{
    return doc_table(doc, "totals", "", "what=|total|per second|per virtual time");
}

void doc_total_row(struct doc_table *t, const char *words, uint64_t count, double wall,
                   double virtual)
{
    doc_row(t, doc_text(t->doc, "%s", words), doc_count(count),
            doc_if(wall > 0.0, doc_real((double)count / wall)),
            doc_if(virtual > 0.0, doc_real((double)count / virtual)));
}

const struct doc_table *doc_find(const struct doc *doc, const char *name)
{
    for (uint32_t i = 0; i < doc->n; i++) {
        if (strcmp(doc->tables[i].name, name) == 0) {
            return &doc->tables[i];
        }
    }
    return NULL;
}

bool doc_rows(const struct doc_table *t, doc_row_f row, void *to)
{
    if (t->source != NULL) {
        return t->source(t->from, row, to);
    }
    for (size_t i = 0; i < t->n_rows && row(to, t->cells + i * t->n_columns); i++) {
    }
    return true;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

struct doc_cell doc_text(struct doc *doc, const char *words, ...)
{
    char text[4096];
    WS_FORMAT(text, sizeof text, words);
    const char *copy = copy_make(doc, text);
    return doc_name(copy == NULL ? "" : copy);
}

void doc_finding_add(struct doc *doc, const char *words)
{
    text_keep(doc, &doc->findings, &doc->n_findings, &doc->findings_room, words);
}

static void texts_free(char **texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(texts[i]);
    }
    free(texts);
}

void doc_free(struct doc *doc)
{
    for (uint32_t i = 0; i < doc->n; i++) {
        free(doc->tables[i].cells);
    }
    texts_free(doc->texts, doc->n_texts);
    texts_free(doc->findings, doc->n_findings);
    *doc = (struct doc){.n = 0};
}
