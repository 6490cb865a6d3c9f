/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - what the parts of export_text.c share: the file of one kind of record.
 */
#ifndef WARPSCOPE_READER_EXPORT_TEXT_H
#define WARPSCOPE_READER_EXPORT_TEXT_H

#include <string.h>

#include "export/export.h"

/* One kind's file. */
struct ws_text_sink {
    struct ws_out *out;
    bool json;
    bool lines; /* JSON lines */
    bool tabs;
    bool cells;        /* cell by cell */
    bool any;          /* was a row written? */
    uint32_t n_fields; /* columns of the record's fields come first */
    uint32_t n_places; /* and those of payloads: all but names, as table.h has them */
    uint32_t n_columns;
    size_t row_max;   /* bytes of a row without texts and bytes */
    size_t *plan_max; /* bytes of a plan's texts */
    char **labels;    /* JSON: "name": */
    size_t *label_lengths;
};

/* What stands in front of a row's values, and behind them. Return the end of what they wrote. */
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

/* Writes a row of the columns that are shown, cell by cell. False: failed. */
bool ws_text_row_cells(struct ws_text_sink *k, struct ws_table_schema *kind,
                       const struct fmt_columns *c, uint32_t row);

#endif
