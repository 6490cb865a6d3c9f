/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_schema.h - one kind of record of a file as a table with typed columns: the basis of
 * exports.
 *
 * The columns have the names that table.h defines. A payload column has a type that holds the
 * values of all descriptions that share the column. For this purpose, unsigned integers, signed
 * integers and floating-point numbers are widened, and strings get the maximum length.
 *
 * If descriptions use one name for values of different classes (unsigned, signed, floating-point,
 * text), the class of the first description keeps the name. Each other class gets its own column:
 * NAME.unsigned, NAME.signed, NAME.float, NAME.text.
 */
#ifndef WARPSCOPE_READER_ACCESS_TABLE_SCHEMA_H
#define WARPSCOPE_READER_ACCESS_TABLE_SCHEMA_H

#include <assert.h>

#include "access/record_scan.h"
#include "access/table.h"

struct ws_column {
    const char *name;
    const char *unit;
    const char *text;
    uint32_t type; /* type of the values: enum fmt_type, or WS_TYPE_BYTES */
    /* Size of a value in bytes; for FMT_CHAR, maximum length; for WS_TYPE_BYTES, 0; for names,
     * 4. */
    uint32_t size;
    uint32_t measure; /* measure of the values: enum fmt_measure */
    /* Index of the field in the record; -1: the column has payload values or names, which not every
     * record has. */
    int32_t field;
    char *owned_name; /* owned; the name if table_schema.c composed it; otherwise NULL */
    /* If not NULL, the column holds names for the numbers in another column. Borrowed. */
    const struct ws_labels *labels;
};

struct ws_table_schema {
    const struct fmt_schema *schema;
    const char *name;           /* name of the table; unique in the file */
    struct ws_table table;      /* table with this kind of record only */
    struct fmt_superblock view; /* superblock of the file, reduced to this kind */
    struct ws_column *columns;
    uint32_t n_columns;
    int32_t bytes_column; /* index of the typed column for payloads shown as bytes; -1: none */
    char *owned_name;
    void *sink; /* data of the export format for this kind */
};

/* Fills kind with the columns for schema number `schema` of the file. with_labels: true to add the
 * columns of names (labels.h). kind must stay at its address. Returns false if out of memory. kind
 * must be freed with ws_table_schema_fini() even after an error. */
bool ws_table_schema_init(struct ws_table_schema *kind, const struct fmt_superblock *sb,
                          uint32_t schema, const struct fmt_desc_set *descs, bool with_labels);
void ws_table_schema_fini(struct ws_table_schema *kind);

/* Returns the index of the typed column that holds the values of the source's field, which is not an
 * array; WS_NO_COLUMN: the payloads are shown as bytes. */
uint32_t ws_table_schema_column(const struct ws_table_schema *kind,
                                const struct ws_label_source *source);
/* Sets the member `column` of all sources, and sorts them by column, those without a column last. The
 * labels must belong to no table: ws_label_place() finds nothing in them any more. */
void ws_table_schema_sort(const struct ws_table_schema *kind, struct ws_labels *labels);

/* A choice of the records in a decoded block. */
struct ws_rows {
    const struct fmt_columns *columns;
    const uint32_t *rows; /* [i]: index in the block of chosen record i; NULL: all records */
    /* [index in the block]: treatment of the record's payload; NULL if records of this kind have no
     * payload. */
    const int32_t *plans;
    uint32_t n;
};

static inline uint32_t ws_rows_row(const struct ws_rows *rows, uint32_t i)
{
    assert(i < rows->n);
    return rows->rows == NULL ? i : rows->rows[i];
}

/* Memory for the rows of a block, used again for each block. Zero-initialise. */
struct ws_rows_memory {
    uint32_t *rows; /* owned */
    int32_t *plans; /* owned */
    size_t max;     /* number of elements of each */
};

/* Sets *rows to the chosen records of a part, without treatments of payloads. Returns false if out of
 * memory. */
bool ws_rows_choose(struct ws_rows *rows, struct ws_rows_memory *memory,
                    const struct ws_part *part);
/* Finds the treatments of the payloads, which must be decoded; an invalid payload counts as a fault
 * of the file. Returns false if out of memory. */
bool ws_rows_plan(struct ws_rows *rows, struct ws_rows_memory *memory, const struct ws_part *part,
                  const struct ws_table *table);
void ws_rows_memory_free(struct ws_rows_memory *memory);

#endif
