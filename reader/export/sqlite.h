/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite.h - declarations that the parts of the SQLite export share.
 */
#ifndef WARPSCOPE_READER_EXPORT_SQLITE_H
#define WARPSCOPE_READER_EXPORT_SQLITE_H

#include <sqlite3.h>

#include "export/export.h"

/* State of the export: the database, in x->state. */
struct ws_sqlite {
    struct ws_out *out;
    sqlite3 *db;
    bool large_said; /* true if the note on negative numbers was printed */
};

/* Prints SQLite's error message. Returns false. */
bool ws_sqlite_failed(struct ws_export *x);
bool ws_sqlite_run(struct ws_export *x, const char *sql);
/* Returns the compiled statement, NULL on failure. The caller frees it with sqlite3_finalize(),
 * which accepts NULL. */
sqlite3_stmt *ws_sqlite_prepare(struct ws_export *x, const char *sql);
/* Runs an insert statement whose values are bound. */
bool ws_sqlite_step(struct ws_export *x, sqlite3_stmt *statement);

/* Binds a string to a parameter of a statement. number: index of the parameter, from 1. text must
 * stay valid until the statement has run. */
void ws_sqlite_text(sqlite3_stmt *statement, int number, const char *text);
void ws_sqlite_f64(sqlite3_stmt *statement, int number, double value);
/* Like ws_sqlite_text(), for an integer. name: column to print in the note that the value became
 * negative, since SQLite integers are signed. */
void ws_sqlite_u64(struct ws_export *x, sqlite3_stmt *statement, int number, uint64_t value,
                   const char *name);

/* Creates the database, with the tables about the run. */
bool ws_sqlite_open(struct ws_export *x);
/* Writes to the database the facts of the run that the current record file describes, and how its
 * PEs ended. */
bool ws_sqlite_file(struct ws_export *x);

/* Stores the SQL name of a column in `to`. size: length of the column's own name plus 16. It
 * differs from earlier names even without regard to case, as SQLite requires. */
void ws_sqlite_column(char *to, size_t size, const struct ws_table_schema *kind, uint32_t column);

/* Writes the current file's payload types. */
bool ws_sqlite_types(struct ws_export *x);
/* For a kind of record, writes the names of numeric values (labels.h), and a view that joins them
 * with the records. table: name of the kind's table. */
bool ws_sqlite_labels(struct ws_export *x, const struct ws_table_schema *kind, const char *table);

#endif
