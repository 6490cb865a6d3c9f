/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - declarations that the parts of the text export share: the file of one kind of record.
 */
#ifndef WARPSCOPE_READER_EXPORT_TEXT_H
#define WARPSCOPE_READER_EXPORT_TEXT_H

#include <string.h>

#include "export/export.h"

/* The output file of one kind of records. */
struct ws_text_sink {
    struct ws_out *out;
    bool json;
    bool lines; /* true for JSON lines */
    bool tabs;
    bool cells;        /* true if rows are formatted cell by cell */
    bool any;          /* true if a row has been written */
    uint32_t n_fields; /* number of columns of the record's fields, which come first */
    uint32_t n_places; /* number of columns without those of names, in the order of table.h */
    uint32_t n_columns;
    size_t row_max;   /* longest row in bytes, without strings and bytes */
    size_t *plan_max; /* for each plan, the most bytes of its strings */
    char **labels;    /* for JSON: the text "name": of each column */
    size_t *label_lengths;
};

/* Write the text before and after a row's values. Return the end of the text. */
static inline char *ws_text_row_begin(const struct ws_text_sink *k, char *to)
{
    if (k->json && !k->lines) {
        memcpy(to, k->any ? ",\n" : "\n", 2);
        to += k->any ? 2 : 1;
    }
    if (k->json) {
        *to++ = '{';
    }
    return to;
}

static inline char *ws_text_row_end(struct ws_text_sink *k, char *to)
{
    if (k->json) {
        *to++ = '}';
    }
    if (!k->json || k->lines) {
        *to++ = '\n';
    }
    k->any = true;
    return to;
}

/* Writes a row of the shown columns, cell by cell. Returns false on failure. */
bool ws_text_row_cells(struct ws_text_sink *k, struct ws_table_schema *kind,
                       const struct fmt_columns *c, uint32_t row);

#endif
