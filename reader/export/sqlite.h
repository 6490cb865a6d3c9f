/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite.h - declarations that the parts of the SQLite export share.
 */
#ifndef WARPSCOPE_READER_EXPORT_SQLITE_H
#define WARPSCOPE_READER_EXPORT_SQLITE_H

#include <sqlite3.h>

#include "export/export.h"

/* State of the format: the open database. x->state points to it. */
struct ws_sqlite {
    struct ws_out *out;
    sqlite3 *db;
    bool large_said; /* true if the note that large numbers become negative has been printed */
};

/* Prints SQLite's latest error message. Returns false. */
bool ws_sqlite_failed(struct ws_export *x);
/* Runs the statements in sql. Returns false after an error message. */
bool ws_sqlite_run(struct ws_export *x, const char *sql);
/* Returns a statement compiled from sql; NULL after an error message. The caller frees the
 * statement with sqlite3_finalize(), which accepts NULL. */
sqlite3_stmt *ws_sqlite_prepare(struct ws_export *x, const char *sql);
/* Runs an insert statement whose values are bound. Returns false after an error message. */
bool ws_sqlite_step(struct ws_export *x, sqlite3_stmt *statement);

/* Binds a string (NULL: the value NULL) to a parameter of a statement. number: index of the
 * parameter, counted from 1. The string must stay valid until the statement has run. */
void ws_sqlite_text(sqlite3_stmt *statement, int number, const char *text);
/* Like ws_sqlite_text(), for a floating-point number. NaN becomes NULL. */
void ws_sqlite_f64(sqlite3_stmt *statement, int number, double value);
/* Like ws_sqlite_text(), for an unsigned integer. Since SQLite's integers are signed, a value that
 * is too large becomes negative. The function then prints a note with `name`, the name of the
 * column, once per export. */
void ws_sqlite_u64(struct ws_export *x, sqlite3_stmt *statement, int number, uint64_t value,
                   const char *name);

/* Creates the database, with empty tables for facts about the run. Returns false after an error
 * message. */
bool ws_sqlite_open(struct ws_export *x);
/* Writes to the database what the current stream states about the run: its facts, the parts of the
 * stream, how the PEs ended, and the payload types. Returns false after an error message. */
bool ws_sqlite_file(struct ws_export *x);

/* Stores in `to` the name that a column has in SQL. It differs from the names of earlier columns
 * even if case is ignored, as SQLite requires. size: number of bytes in `to`, at least the length
 * of the column's own name plus 16. */
void ws_sqlite_column(char *to, size_t size, const struct ws_table_schema *kind, uint32_t column);

/* Writes the names of numeric values (labels.h) in a kind of record to the database. Creates a view
 * that shows the names beside the records in `table`, the table of this kind. Returns false after
 * an error message. */
bool ws_sqlite_labels(struct ws_export *x, const struct ws_table_schema *kind, const char *table);

#endif
