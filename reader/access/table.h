/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - the columns that a file's records are shown in, and a record as a row of cells.
 *
 * Columns: "record" (the kind, only if the file has several), the fields of the records, the fields
 * of the described payloads (union by name; arrays as name_0, name_1, ...), and "payload" for bytes
 * that no description covers, as hex; at the end, if asked for, names of numbers (labels.h). A
 * payload field that is called like a field of the records, "payload", "record" or a column of
 * names is shown as payload.NAME. Descriptions that would add more than
 * WS_COLUMNS_MAX columns to the records' are not used: their payloads are shown as hex.
 */
#ifndef WARPSCOPE_READER_ACCESS_TABLE_H
#define WARPSCOPE_READER_ACCESS_TABLE_H

#include "access/labels.h"
#include "format/format.h"

#define WS_COLUMNS_MAX 4096u

enum ws_cell_kind { WS_CELL_EMPTY = 0, WS_CELL_VALUE, WS_CELL_TEXT, WS_CELL_HEX };

struct ws_cell {
    enum ws_cell_kind kind;
    struct fmt_value value; /* VALUE */
    const void *bytes;      /* TEXT, HEX: borrowed from the decoded block or the file's schema */
    size_t size;
};

struct ws_table {
    const struct fmt_superblock *sb;  /* borrowed */
    const struct fmt_desc_set *descs; /* borrowed */
    char **names;                     /* of the columns; owned */
    uint32_t n_columns, columns_max;
    uint32_t n_record_columns;   /* those before the payloads' */
    struct ws_cell *cells;       /* the current row, n_columns */
    uint32_t **field_column;     /* [schema][field] */
    int32_t **column_field;      /* [schema][column before the payloads']: -1 for none */
    uint32_t **element_column;   /* [desc][element, arrays unrolled]; NULL: shown as hex */
    int32_t hex_column;          /* -1: none */
    uint32_t first_label;        /* column of names; n_columns: none */
    struct ws_label_set *labels; /* [schema]; NULL: no names are shown */
    uint32_t (*label_column)[WS_LABELS_MAX]; /* [schema][of its labels] */
    uint32_t *shown; /* owned; numbers of the columns to show, in order, see fields.h */
    uint32_t n_shown;
    bool chosen;     /* shown counts; otherwise all columns are shown */
    bool type_names; /* set it: payload types as the owners of their descriptions */
};

/* The columns that are shown, and the number of the i-th of them. */
static inline uint32_t ws_table_shown(const struct ws_table *table)
{
    return table->chosen ? table->n_shown : table->n_columns;
}
static inline uint32_t ws_table_column(const struct ws_table *table, uint32_t i)
{
    return table->chosen ? table->shown[i] : i;
}

/* Makes the columns. False: out of memory. Call ws_table_fini() in any case. */
bool ws_table_init(struct ws_table *table, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs);
/* Adds columns of names, before the first row. The same. */
bool ws_table_add_labels(struct ws_table *table);
void ws_table_fini(struct ws_table *table);

/*
 * Fills table->cells with record number row. NULL, or what is wrong with its payload (then the
 * cells of the record's fields are filled).
 */
const char *ws_table_fill(struct ws_table *table, const struct fmt_columns *columns, uint32_t row);

/* The same, but only the cells from n_record_columns on are filled: for callers that write the
 * others as they stand in the decoded block, by column_field. */
const char *ws_table_fill_payload(struct ws_table *table, const struct fmt_columns *columns,
                                  uint32_t row);

/* What is wrong with a record's payload (its type and size), or NULL. */
const char *ws_payload_check(const struct fmt_desc_set *descs, uint32_t type, uint64_t size);

#endif
