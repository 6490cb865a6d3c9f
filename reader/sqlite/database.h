/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database.h - a SQLite database that a command writes in one transaction. An incomplete database
 * is removed, see cli/out.h.
 */
#ifndef WARPSCOPE_READER_SQLITE_DATABASE_H
#define WARPSCOPE_READER_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "cli/out.h"

/* The open database. Initialise it with zeros. */
struct ws_sqlite {
    struct ws_out *out;
    sqlite3 *db;
    const char *path; /* borrowed; path that notes name */
    bool large_said;  /* true if the note that large numbers become negative has been printed */
};

/* Creates the database, and begins its transaction. Returns false after an error message. */
bool ws_sqlite_open(struct ws_sqlite *s, struct ws_outs *outs, const char *path);
/* Ends the transaction, and closes the database. Returns false after an error message. */
bool ws_sqlite_close(struct ws_sqlite *s);
/* Closes the database if it is open, after an error. */
void ws_sqlite_free(struct ws_sqlite *s);

/* Prints SQLite's latest error message. Returns false. */
bool ws_sqlite_failed(struct ws_sqlite *s);
/* Runs the statements in sql. Returns false after an error message. */
bool ws_sqlite_run(struct ws_sqlite *s, const char *sql);
/* Returns a statement compiled from sql; NULL after an error message. The caller frees the
 * statement with sqlite3_finalize(), which accepts NULL. */
sqlite3_stmt *ws_sqlite_prepare(struct ws_sqlite *s, const char *sql);
/* Runs an insert statement whose values are bound. Returns false after an error message. */
bool ws_sqlite_step(struct ws_sqlite *s, sqlite3_stmt *statement);

/* Binds a string (NULL: the value NULL) to a parameter of a statement. number: index of the
 * parameter, counted from 1. The string must stay valid until the statement has run. */
void ws_sqlite_text(sqlite3_stmt *statement, int number, const char *text);
/* Like ws_sqlite_text(), but replaces invalid UTF-8, and keeps a copy of the string. Returns false
 * after an error message. */
bool ws_sqlite_name(struct ws_sqlite *s, sqlite3_stmt *statement, int number, const char *name);
/* Like ws_sqlite_text(), for a floating-point number. NaN becomes NULL. */
void ws_sqlite_f64(sqlite3_stmt *statement, int number, double value);
/* Like ws_sqlite_text(), for an unsigned integer. Since SQLite's integers are signed, a value that
 * is too large becomes negative. The function then prints a note with `name`, the name of the
 * column, once per database. */
void ws_sqlite_u64(struct ws_sqlite *s, sqlite3_stmt *statement, int number, uint64_t value,
                   const char *name);

#endif
