/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite.h - declarations that the parts of the SQLite export share.
 */
#ifndef WARPSCOPE_READER_EXPORT_SQLITE_H
#define WARPSCOPE_READER_EXPORT_SQLITE_H

#include <sqlite3.h>

#include "export/export.h"

/* The database: x->state. */
struct ws_sqlite {
    struct ws_out *out;
    sqlite3 *db;
    bool large_said; /* true if a note on a negative number was printed */
};

/* Prints SQLite's message. Returns false. */
bool ws_sqlite_failed(struct ws_export *x);
bool ws_sqlite_run(struct ws_export *x, const char *sql);
/* Returns NULL on failure. The caller frees it with sqlite3_finalize(), which accepts NULL. */
sqlite3_stmt *ws_sqlite_prepare(struct ws_export *x, const char *sql);
/* Runs an insert whose values are bound. */
bool ws_sqlite_step(struct ws_export *x, sqlite3_stmt *statement);

/* Binds a value to place number (from 1) of a statement. text must stay valid until the statement
 * has run. */
void ws_sqlite_text(sqlite3_stmt *statement, int number, const char *text);
void ws_sqlite_f64(sqlite3_stmt *statement, int number, double value);
/* name: for the note if the value becomes negative. */
void ws_sqlite_u64(struct ws_export *x, sqlite3_stmt *statement, int number, uint64_t value,
                   const char *name);

/* Begins the database, with the tables of the run. */
bool ws_sqlite_open(struct ws_export *x);
/* Writes the current file's facts of the run and of its PEs' ends. */
bool ws_sqlite_file(struct ws_export *x);

/* Stores the name of a column (size: bytes of the kind's name of it plus 16). It differs from
 * earlier names even without regard to case, as SQLite requires. */
void ws_sqlite_column(char *to, size_t size, const struct ws_table_schema *kind, uint32_t column);

/* Writes the current file's payload types. */
bool ws_sqlite_types(struct ws_export *x);
/* Writes the names of a kind's numbers, and the view that joins them. table: name of its table. */
bool ws_sqlite_labels(struct ws_export *x, const struct ws_table_schema *kind, const char *table);

#endif
