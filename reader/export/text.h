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
    bool lines;        /* true for JSON lines: one object per line, without an array */
    bool tabs;         /* true for TSV */
    bool cells;        /* true if rows are formatted cell by cell */
    bool any;          /* true if a row has been written */
    uint32_t n_fields; /* number of columns for fields of the record, which are the first columns */
    uint32_t n_places; /* number of columns before those for names of values (labels.h) */
    uint32_t n_columns;
    size_t row_max;        /* maximum length of a row in bytes, without strings and raw payloads */
    size_t *plan_max;      /* owned; [plan]: maximum length in bytes of the strings in a payload */
    char **labels;         /* owned; [column]: its name as a key of JSON, in quotes, with a colon */
    size_t *label_lengths; /* owned; [column]: length of its key in bytes */
};

/* Writes to `to` the text before the values of a row. Returns the end of the text. */
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

/* Writes to `to` the text after the values of a row. Returns the end of the text. */
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

/* Writes the shown columns of record `row` to the output, cell by cell. Returns false on
 * failure. */
bool ws_text_row_cells(struct ws_text_sink *k, struct ws_table_schema *kind,
                       const struct fmt_columns *c, uint32_t row);

#endif
