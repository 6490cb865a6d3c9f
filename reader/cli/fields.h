/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.h - the option --fields: the columns to show, and their order.
 */
#ifndef WARPSCOPE_READER_CLI_FIELDS_H
#define WARPSCOPE_READER_CLI_FIELDS_H

#include "access/table.h"
#include "data/messages.h"

/* The names that --fields gives. Zero-initialise it before use, and call ws_fields_free() even
 * after an error. */
struct ws_fields {
    char *text; /* owned; the names one after another, each with its terminating zero */
    /* Owned; [i]: true if at least one kind of record examined so far has a column with name i. */
    bool *found;
    size_t n;         /* number of names; 0: all columns are shown */
    char known[1024]; /* names of the columns of all kinds examined so far, as in "a, b" */
};

/* Parses a list of names separated by commas. Returns false if a name is empty, or if out of
 * memory. */
bool ws_fields_parse(struct ws_fields *fields, const char *text);
void ws_fields_free(struct ws_fields *fields);

/* Searches the table for the names in `fields`, among the columns that records of kind number
 * `kind` have. Marks the names found in fields->found. Called for each kind that a command shows,
 * before the first record. */
void ws_fields_look(struct ws_fields *fields, const struct ws_table *table, uint32_t kind);

/* Makes the table show only the columns named in `fields`, or all columns if `fields` has no names.
 * Returns false if out of memory. */
bool ws_fields_apply(struct ws_fields *fields, struct ws_table *table);

/* Returns true if each name was found. Otherwise sends a line about each missing name to messages,
 * and returns false. Called after the last table was examined. */
bool ws_fields_found(const struct ws_fields *fields, const struct ws_messages *messages);

#endif
