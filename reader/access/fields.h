/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.h - the option --fields: the columns to show, and their order.
 */
#ifndef WARPSCOPE_READER_ACCESS_FIELDS_H
#define WARPSCOPE_READER_ACCESS_FIELDS_H

#include "access/table.h"
#include "data/messages.h"

#define WS_FIELDS_OPTION                                                                           \
    {                                                                                              \
        "fields", "A,B",                                                                           \
            "these columns only, in this order; each is in some kind\n"                            \
            "of record that is shown"                                                              \
    }

/* The names that --fields gives. Zero-initialise; free in any case. */
struct ws_fields {
    char *text;  /* owned; the names, each with its terminating zero */
    bool *found; /* owned; for each name, true if an examined kind of records has the column */
    size_t n;    /* number of names; 0: all columns are shown */
    char *known; /* owned; names of the columns of all examined kinds, "a, b" */
};

/* Parses a list of names, "a,b". Returns false for an empty name, or if out of memory. */
bool ws_fields_parse(struct ws_fields *fields, const char *text);
void ws_fields_free(struct ws_fields *fields);

/* Looks up the names among the columns that records of kind number `kind` of the table have, before
 * anything is shown. A name is known if at least one kind has such a column. */
void ws_fields_look(struct ws_fields *fields, const struct ws_table *table, uint32_t kind);

/* Makes the table show only the named columns. Returns false if out of memory. */
bool ws_fields_apply(struct ws_fields *fields, struct ws_table *table);

/* Called after the last table was examined. Returns true if each name was in a table, otherwise
 * after a line for each missing one. */
bool ws_fields_found(const struct ws_fields *fields, const struct ws_messages *messages);

#endif
