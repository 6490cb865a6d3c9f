/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database.h - a SQLite database that a command writes in one transaction. An incomplete database
 * is removed, see cli/out.h.
 */
#ifndef WARPSCOPE_READER_SQLITE_DATABASE_H
#define WARPSCOPE_READER_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "cli/out.h"
#include "data/cell.h"

/* The open database. Initialise it with zeros. */
struct ws_sqlite {
    struct ws_out *out;
    sqlite3 *db;
    const char *path;  /* borrowed; path that notes name */
    bool large_said;   /* true if the note that large numbers become negative has been printed */
    const char *sql;   /* borrowed; the latest statement of ws_sqlite_put(), */
    sqlite3_stmt *put; /* owned; compiled */
    char *text;        /* owned; memory for conversions to UTF-8 */
    size_t text_size;
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

/* Bind a value to a parameter of a statement. number: index of the parameter, counted from 1. Invalid
 * UTF-8 in a text is replaced, since other programs, unlike SQLite, fail on it. NaN becomes NULL.
 * Since SQLite's integers are signed, a number that is too large becomes negative; a note with
 * `name`, the name of the column, is then printed once per database. ws_sqlite_text() returns false
 * after an error message. */
bool ws_sqlite_text(struct ws_sqlite *s, sqlite3_stmt *statement, int number, const void *text,
                    size_t size);
void ws_sqlite_f64(sqlite3_stmt *statement, int number, double value);
void ws_sqlite_u64(struct ws_sqlite *s, sqlite3_stmt *statement, int number, uint64_t value,
                   const char *name);
/* Like these, for a cell; three parameters for a triple. *number: index of the first parameter; set
 * to that of the next one. */
bool ws_sqlite_cell(struct ws_sqlite *s, sqlite3_stmt *statement, int *number,
                    const struct doc_cell *cell, const char *name);

/* Runs the insert statement `sql`, a literal, with the values of n cells. Returns false after an
 * error message. */
bool ws_sqlite_put_row(struct ws_sqlite *s, const char *sql, const struct doc_cell *cells,
                       size_t n);
#define ws_sqlite_put(s, sql, ...)                                                                 \
    ws_sqlite_put_row(s, sql, (const struct doc_cell[]){__VA_ARGS__},                              \
                      sizeof((const struct doc_cell[]){__VA_ARGS__}) / sizeof(struct doc_cell))

#endif
