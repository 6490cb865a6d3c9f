/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - the columns in which a file's records are shown, and a record as a row of cells.
 *
 * Columns: "record" (the kind, only if the file has several); the fields of the records; the fields
 * of the described payloads (united by name; arrays as name_0, name_1, ...); "payload" for bytes
 * without a description, as hex; and, if requested, names of numbers (labels.h). A payload field is
 * shown as payload.NAME if its name is taken: by a field of the records, "payload", "record" or a
 * column of names. Descriptions that would add more than WS_COLUMNS_MAX columns to the records'
 * columns are not used: their payloads are shown as hex.
 */
#ifndef WARPSCOPE_READER_ACCESS_TABLE_H
#define WARPSCOPE_READER_ACCESS_TABLE_H

#include "access/labels.h"
#include "format/format.h"

#define WS_COLUMNS_MAX 4096u
#define WS_NO_COLUMN   UINT32_MAX

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
    uint32_t n_record_columns;   /* columns before those of payloads */
    struct ws_cell *cells;       /* the current row, n_columns cells */
    uint32_t **field_column;     /* [schema][field] */
    int32_t **column_field;      /* [schema][column before the payloads']: -1 for none */
    uint32_t **element_column;   /* [desc][element, arrays unrolled]; NULL: shown as hex */
    int32_t hex_column;          /* -1: none */
    uint32_t first_label;        /* column of names; n_columns: none */
    struct ws_label_set *labels; /* [schema]; NULL: no names are shown */
    uint32_t **label_column;     /* [schema][number of its label]; WS_NO_COLUMN: not shown */
    uint32_t *shown;             /* owned; numbers of the columns to show, in order, see fields.h */
    uint32_t n_shown;
    bool chosen; /* true if shown is used; false: all columns are shown */
    bool
        type_names; /* set by the caller: print payload types as the owners of their descriptions */
};

/* Return the number of shown columns, and the column at place i of them. */
static inline uint32_t ws_table_shown(const struct ws_table *table)
{
    return table->chosen ? table->n_shown : table->n_columns;
}
static inline uint32_t ws_table_column(const struct ws_table *table, uint32_t i)
{
    return table->chosen ? table->shown[i] : i;
}

/* Makes the columns. Returns false if out of memory. ws_table_fini() must be called in any case. */
bool ws_table_init(struct ws_table *table, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs);
/* Adds columns of names, before the first row; none for types of LPs if type_names is set. Returns
 * false if out of memory. */
bool ws_table_add_labels(struct ws_table *table);
/* Returns true if records of kind number `kind` can have a value in the column. */
bool ws_table_has(const struct ws_table *table, uint32_t kind, uint32_t column);
void ws_table_fini(struct ws_table *table);

/*
 * Fills table->cells with record number row. Returns NULL, or the fault of its payload; the cells
 * of the record's fields are filled even then.
 */
const char *ws_table_fill(struct ws_table *table, const struct fmt_columns *columns, uint32_t row);

/* Like ws_table_fill(), but fills only the cells from n_record_columns on. For callers that print
 * the other cells directly from the decoded block, by column_field. */
const char *ws_table_fill_payload(struct ws_table *table, const struct fmt_columns *columns,
                                  uint32_t row);

/* Returns the fault of a record's payload (its type or size), or NULL. */
const char *ws_payload_check(const struct fmt_desc_set *descs, uint32_t type, uint64_t size);

#endif
