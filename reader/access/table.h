/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - the columns in which the records of a file are shown, and the cells of one record.
 *
 * The columns, in order:
 *
 *   - "record": the kind of record, only if the file has several kinds
 *   - the fields of the records
 *   - the fields of the described payloads; fields with the same name share a column, and
 *     arrays have the columns NAME_0, NAME_1, ...
 *   - "payload": bytes without a description, as hex
 *   - if requested, names for numeric values (labels.h)
 *
 * A payload field is shown as payload.NAME if its name is taken: by a field of the records,
 * "payload", "record" or a column of names. Descriptions that would add more than WS_COLUMNS_MAX
 * columns to the records' columns are not used: their payloads are shown as hex.
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
    struct fmt_value value; /* the value, for kind VALUE */
    /* The bytes, for kinds TEXT and HEX; borrowed from the decoded block or the file's schema. */
    const void *bytes;
    size_t size;
};

struct ws_table {
    const struct fmt_superblock *sb;  /* borrowed; superblock of the file */
    const struct fmt_desc_set *descs; /* borrowed; payload descriptions of the file */
    char **names;                     /* owned; names of the columns */
    uint32_t n_columns, columns_max;
    uint32_t n_record_columns; /* number of columns before those of payloads */
    struct ws_cell *cells;     /* owned; cells of the current record, n_columns elements */
    uint32_t **field_column;   /* [kind of record][field]: column of the field */
    /* [kind of record][column]: field of the column, for columns before those of payloads; -1:
     * none. */
    int32_t **column_field;
    /* [description][element]: column of the element of a payload. [description] is NULL if payloads
     * of this description are shown as hex. */
    uint32_t **element_column;
    int32_t hex_column; /* index of the column for payloads shown as hex; -1: none */
    /* Index of the first column of names for numeric values; n_columns: none. */
    uint32_t first_label;
    /* [kind of record]: names for numeric values; NULL: no names are shown. */
    struct ws_label_set *labels;
    /* [kind of record][index in the label set]: column of the names; WS_NO_COLUMN: not shown. */
    uint32_t **label_column;
    uint32_t *shown; /* owned; indices of the columns to show, in order, see fields.h */
    uint32_t n_shown;
    bool chosen; /* true if only the columns in `shown` are shown; false: all columns */
    /* Set by the caller: true to print, in place of a payload type, the name of the owner of its
     * description. */
    bool type_names;
};

/* Returns the number of shown columns. */
static inline uint32_t ws_table_shown(const struct ws_table *table)
{
    return table->chosen ? table->n_shown : table->n_columns;
}
/* Returns the index of the shown column at position i. */
static inline uint32_t ws_table_column(const struct ws_table *table, uint32_t i)
{
    return table->chosen ? table->shown[i] : i;
}

/* Builds the columns of the table. Returns false if out of memory. ws_table_fini() must be called
 * even after an error. */
bool ws_table_init(struct ws_table *table, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs);
/* Adds to the table columns of names for numeric values. Must be called before the first record is
 * filled in. If table->type_names is true, adds no column for LP types. Returns false if out of
 * memory. */
bool ws_table_add_labels(struct ws_table *table);
/* Returns true if records of kind number `kind` can have a value in the column. */
bool ws_table_has(const struct ws_table *table, uint32_t kind, uint32_t column);
void ws_table_fini(struct ws_table *table);

/*
 * Fills table->cells with record number `row` of a decoded block. Returns NULL, or the error in the
 * record's payload. The cells of the record's fields are filled even if there is an error.
 */
const char *ws_table_fill(struct ws_table *table, const struct fmt_columns *columns, uint32_t row);

/* Like ws_table_fill(), but fills only the cells from n_record_columns on. For callers that find
 * the other values in the decoded block themselves, by column_field. */
const char *ws_table_fill_payload(struct ws_table *table, const struct fmt_columns *columns,
                                  uint32_t row);

/* Returns the error in the type or size of a payload; NULL if there is none. */
const char *ws_payload_check(const struct fmt_desc_set *descs, uint32_t type, uint64_t size);

#endif
