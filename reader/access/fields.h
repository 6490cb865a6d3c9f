/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.h - the option --fields: which columns are shown, in which order.
 */
#ifndef WARPSCOPE_READER_ACCESS_FIELDS_H
#define WARPSCOPE_READER_ACCESS_FIELDS_H

#include "access/table.h"

#define WS_FIELDS_OPTION                                                                           \
    {                                                                                              \
        "fields", "A,B", "these columns only, in this order"                                       \
    }

/* Zero-initialise; free in any case. */
struct ws_fields {
    char *text;  /* owned; the names, each with its terminator */
    bool *found; /* owned; in some table so far */
    size_t n;    /* 0: all columns */
    char *known; /* owned; columns of the tables so far, "a, b" */
};

/* Takes "a,b". False: an empty name, or out of memory. */
bool ws_fields_parse(struct ws_fields *fields, const char *text);
void ws_fields_free(struct ws_fields *fields);

/* Makes the table show the columns of that name only. False: out of memory. */
bool ws_fields_apply(struct ws_fields *fields, struct ws_table *table);

/* After the last table: was each name in one of them? What was not is said on stderr. */
bool ws_fields_found(const struct ws_fields *fields);

#endif
