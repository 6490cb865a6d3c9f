/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_schema.h - one kind of record of a file as a table with typed columns: the basis of
 * exports.
 *
 * The columns have the names of table.h. A column of payload fields has a type that holds the
 * values of all descriptions that share it: unsigned integers, signed integers and floating-point
 * numbers are widened, strings get the greatest length. If descriptions give a name to values of
 * different such classes, the class of the first description keeps the name. Each other class gets
 * its own column: NAME.unsigned, NAME.signed, NAME.float, NAME.text.
 */
#ifndef WARPSCOPE_READER_ACCESS_TABLE_SCHEMA_H
#define WARPSCOPE_READER_ACCESS_TABLE_SCHEMA_H

#include <assert.h>

#include "access/table.h"

/* Type in addition to enum fmt_type: bytes without a description. */
#define WS_TYPE_BYTES 100u

struct ws_column {
    const char *name;
    const char *unit;
    const char *text;
    uint32_t type;    /* type of the values: enum fmt_type, or WS_TYPE_BYTES */
    uint32_t size;    /* size of a value in bytes; for FMT_CHAR the greatest length; for BYTES 0 */
    uint32_t measure; /* enum fmt_measure */
    /* Number of the record's field; -1: a payload value, which not every record has. */
    int32_t field;
    char *owned_name; /* owned; name of the column, if this file composed it */
    /* If not NULL, the column holds names for the numbers in another column. */
    const struct ws_labels *labels;
};

/* The place of an element in a payload. */
struct ws_element {
    uint32_t column; /* number of the typed column */
    uint32_t place;  /* index of the column in table.h, which several descriptions may share */
    uint32_t type;   /* type in this description: enum fmt_type */
    uint32_t count;  /* length of the string, for FMT_CHAR */
    uint32_t order;  /* position among the values of the description */
    uint64_t offset; /* offset from the start of the payload, in bytes */
};

/* A plan: how payloads of one description become cells. */
struct ws_plan {
    /* Elements, by ascending place without duplicates; NULL: payload as bytes. */
    struct ws_element *elements;
    uint32_t n;
};

struct ws_table_schema {
    const struct fmt_schema *schema;
    const char *name;           /* name of the table; unique in the file */
    struct ws_table table;      /* table of this kind only */
    struct fmt_superblock view; /* superblock of the file, reduced to this kind */
    struct ws_column *columns;
    uint32_t n_columns;
    struct ws_plan *plans; /* plan for each description */
    int32_t bytes_column;  /* typed column for payloads shown as bytes; -1: none */
    char *owned_name;
    void *sink; /* pointer for use by the export format */
};

/* Treatment of a record's payload: the number of a plan, or one of these values. */
#define WS_PLAN_NONE  (-1) /* the record has no payload */
#define WS_PLAN_BYTES (-2)
/* The payload's size or type contradicts its description: treated as no payload. */
#define WS_PLAN_WRONG (-3)

/* Makes the columns for records of the file's schema number `schema`. with_labels: adds the
 * columns of names (labels.h). The kind must not move. Returns false if out of memory. Must be
 * freed with ws_table_schema_fini() in any case. */
bool ws_table_schema_init(struct ws_table_schema *kind, const struct fmt_superblock *sb,
                          uint32_t schema, const struct fmt_desc_set *descs, bool with_labels);
void ws_table_schema_fini(struct ws_table_schema *kind);

/* Returns the plan for a payload of that type and size. Sets *words to the error in the payload,
 * if there is one. */
int32_t ws_table_schema_plan(const struct ws_table_schema *kind, uint32_t type, uint64_t size,
                             const char **words);

/* For each source in labels, returns the index of the typed column that holds the values of the
 * source's field. It is WS_NO_COLUMN if the payloads are shown as bytes. The caller frees the
 * array. Returns NULL if out of memory. */
uint32_t *ws_table_schema_sources(const struct ws_table_schema *kind,
                                  const struct ws_labels *labels);

/* Some records of a decoded block. */
struct ws_rows {
    const struct fmt_columns *columns;
    const uint32_t *rows; /* numbers of the records in the block; NULL: all records */
    const int32_t *plans; /* plan for each record; NULL if records of this kind have no payload */
    uint32_t n;
};

static inline uint32_t ws_rows_row(const struct ws_rows *rows, uint32_t i)
{
    assert(i < rows->n);
    return rows->rows == NULL ? i : rows->rows[i];
}

/* Returns the length of a string of at most size bytes: it ends before its first zero byte, if it
 * has one. */
static inline uint32_t ws_text_length(const uint8_t *text, uint32_t size)
{
    uint32_t n = 0;
    while (n < size && text[n] != 0) {
        n++;
    }
    return n;
}

#endif
