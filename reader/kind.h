/*
 * kind.h - one kind of record of a file as a table with typed columns: what exports are made of.
 *
 * The columns have the names of table.h. A column of payload fields has a type that holds the
 * values of all descriptions that share it: whole numbers without sign, with sign, and
 * floating-point numbers are widened, texts get the greatest length. Where descriptions give a name
 * to values of different such classes, the first description's class keeps the name and each other
 * gets a column of its own: NAME.unsigned, NAME.signed, NAME.float, NAME.text.
 */
#ifndef WARPSCOPE_READER_KIND_H
#define WARPSCOPE_READER_KIND_H

#include "table.h"

/* enum fmt_type, and bytes that no description covers. */
#define WS_TYPE_BYTES 100u

struct ws_column {
    const char *name;
    const char *unit;
    const char *text;
    uint32_t type;    /* enum fmt_type, or WS_TYPE_BYTES */
    uint32_t size;    /* bytes of a value; of FMT_CHAR the greatest length; of BYTES 0 */
    int32_t field;    /* number of the record's field; -1: from the payload, not in every record */
    char *owned_name; /* name, where this file made it */
    const struct ws_labels *labels; /* not NULL: the names of another column's values */
};

/* A value in a payload. */
struct ws_element {
    uint32_t column; /* typed */
    uint32_t place;  /* the column in table.h's order, where descriptions share all of a name */
    uint32_t type;   /* enum fmt_type, of this description */
    uint32_t count;  /* FMT_CHAR: length */
    uint32_t order;  /* among the values of the description */
    uint64_t offset; /* within the payload */
};

/* How payloads of one description become cells. */
struct ws_plan {
    struct ws_element *elements; /* by ascending place, none twice; NULL: payload as bytes */
    uint32_t n;
};

struct ws_kind {
    const struct fmt_schema *schema;
    const char *name;           /* of the table; different from the file's other kinds */
    struct ws_table table;      /* of this kind alone */
    struct fmt_superblock view; /* the file's, with this kind alone */
    struct ws_column *columns;
    uint32_t n_columns;
    struct ws_plan *plans; /* by number of description */
    int32_t bytes_column;  /* typed column of payloads as bytes; -1: none */
    char *owned_name;
    void *sink; /* of the format */
};

/* What to do with a record's payload: number of a plan, or one of these. */
#define WS_PLAN_NONE  (-1) /* no payload */
#define WS_PLAN_BYTES (-2)
#define WS_PLAN_WRONG (-3) /* not of its description's size or type: shown as no payload */

/* Makes the columns for records of the file's schema number, with those of names (labels.h) or
 * without. The kind must stay where it is. False: out of memory. Call ws_kind_fini() in any case.
 */
bool ws_kind_init(struct ws_kind *kind, const struct fmt_superblock *sb, uint32_t schema,
                  const struct fmt_desc_set *descs, bool with_labels);
void ws_kind_fini(struct ws_kind *kind);

/* The plan for a payload of that type and size. words: what is wrong with it, if it is. */
int32_t ws_kind_plan(const struct ws_kind *kind, uint32_t type, uint64_t size, const char **words);

/* Some records of a decoded block. */
struct ws_rows {
    const struct fmt_columns *columns;
    const uint32_t *rows; /* numbers of the records; NULL: all */
    const int32_t *plans; /* by number of record; NULL if such records have no payload */
    uint32_t n;
};

static inline uint32_t ws_rows_row(const struct ws_rows *rows, uint32_t i)
{
    return rows->rows == NULL ? i : rows->rows[i];
}

/* Bytes of a text without the zeros at its end. */
static inline uint32_t ws_text_length(const uint8_t *text, uint32_t size)
{
    uint32_t n = 0;
    while (n < size && text[n] != 0) {
        n++;
    }
    return n;
}

#endif
