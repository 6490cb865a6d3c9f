/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - the columns in which the records of a file are shown, and what a record has in each.
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

#include <assert.h>
#include <string.h>

#include "access/labels.h"
#include "format/format.h"

#define WS_COLUMNS_MAX 4096u
#define WS_NO_COLUMN   UINT32_MAX

/* A cell: the value that a record has in a column. */
struct ws_cell {
    /* The value, in the bytes of the decoded block or of the file's schema; borrowed. NULL: the record
     * has no value in this column. */
    const void *bytes;
    size_t size; /* of a text or of bytes; undefined for a number */
    /* Type of the value: enum fmt_type, FMT_CHAR for texts, or WS_TYPE_BYTES. */
    uint32_t type;
};

/* Type of values, in addition to enum fmt_type: bytes without a description. */
#define WS_TYPE_BYTES 100u

/* An element of a payload. */
struct ws_element {
    uint32_t
        place; /* index of the column in the table; elements of several descriptions share it */
    uint32_t column; /* index of the typed column that shows the element (table_schema.h) */
    uint32_t type;   /* type of the element in this description: enum fmt_type */
    uint32_t count;  /* for FMT_CHAR: length of the string in bytes */
    uint64_t offset; /* offset from the start of the payload, in bytes */
    const struct fmt_payload_field *field; /* borrowed; the field that has the element */
};

/* A plan: the way in which payloads of one description become cells. */
struct ws_plan {
    /* Owned; the elements, sorted by `place`, with one element per place; NULL: payloads are shown
     * as bytes. */
    struct ws_element *elements;
    uint32_t n;
    uint64_t text_bytes; /* sum of the sizes of its strings */
};

/* Treatment of a record's payload: the index of a plan, or one of these values. */
#define WS_PLAN_NONE  (-1) /* the record has no payload */
#define WS_PLAN_BYTES (-2)
/* The payload's size or type contradicts its description: treated as no payload. */
#define WS_PLAN_WRONG (-3)

/* The type, size and treatment of the latest payload, since those of the next one are mostly the
 * same. Zero-initialise. */
struct ws_plan_last {
    bool known;
    uint32_t type;
    uint64_t size;
    int32_t plan;
    const char *words; /* the error in the payload; NULL: none */
};

struct ws_table {
    const struct fmt_superblock *sb;  /* borrowed; superblock of the file */
    const struct fmt_desc_set *descs; /* borrowed; payload descriptions of the file */
    uint32_t n_kinds;                 /* number of kinds of records, and of plans: the file */
    size_t n_plans;                   /* may be closed before the table is freed */
    char **names;                     /* owned; names of the columns */
    uint32_t n_columns, columns_max;
    uint32_t n_record_columns; /* number of columns before those of payloads */
    /* [kind of record][column]: field of the column, for columns before those of payloads; -1:
     * none. */
    int32_t **column_field;
    struct ws_plan *plans; /* owned; [i]: plan for payload description i */
    int32_t hex_column;    /* index of the column for payloads shown as hex; -1: none */
    /* Index of the first column of names for numeric values; n_columns: none. */
    uint32_t first_label;
    /* [kind of record]: names for numeric values; NULL: no names are shown. */
    struct ws_label_set *labels;
    uint32_t *shown; /* owned; indices of the columns to show, in order, see cli/select.h */
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
/* Returns the names that records of kind number `kind` have in a column; NULL if they have none. */
const struct ws_labels *ws_table_labels(const struct ws_table *table, uint32_t kind,
                                        int64_t column);
/* Returns true if records of kind number `kind` can have a value in the column. */
bool ws_table_has(const struct ws_table *table, uint32_t kind, uint32_t column);
void ws_table_fini(struct ws_table *table);

/* Sets *last to the treatment of payloads of this type and size. */
void ws_table_plan_find(const struct ws_table *table, struct ws_plan_last *last, uint32_t type,
                        uint64_t size);

/* Returns the treatment of the payload of record number `row` of a decoded block. *last: zeros, or
 * the result for another record. Sets last->words to the error in the payload, or to NULL. */
static inline int32_t ws_table_plan(const struct ws_table *table, struct ws_plan_last *last,
                                    const struct fmt_columns *columns, uint32_t row)
{
    assert(row < columns->n_records);
    const int32_t *roles = columns->schema->role_field;
    uint64_t size = 0;
    uint32_t type = 0;
    if (roles[FMT_ROLE_PAYLOAD_TYPE] >= 0) {
        memcpy(&type, columns->values[roles[FMT_ROLE_PAYLOAD_TYPE]] + row * sizeof type,
               sizeof type);
    }
    if (roles[FMT_ROLE_PAYLOAD_SIZE] >= 0) {
        size = columns->payload_offset[row + 1] - columns->payload_offset[row];
    }
    if (!last->known || type != last->type || size != last->size) {
        ws_table_plan_find(table, last, type, size);
    }
    return last->plan;
}

/* Returns the element of a plan in a column; NULL if there is none. */
const struct ws_element *ws_table_element(const struct ws_plan *plan, uint32_t column);

/* Returns true if the column has the names of LP types: records with the same description then have the
 * same name. */
bool ws_table_is_type(const struct ws_table *table, uint32_t kind, uint32_t column);

/* Returns what the record has in the column. plan: treatment of its payload. */
struct ws_cell ws_table_cell(const struct ws_table *table, const struct fmt_columns *columns,
                             uint32_t row, int32_t plan, uint32_t column);

/* Returns the error in the type or size of a payload; NULL if there is none. */
const char *ws_payload_check(const struct fmt_desc_set *descs, uint32_t type, uint64_t size);

#endif
