/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_inserts - prints the processor seconds of inserting the rows of a table of numbers into a new
 * SQLite database by a prepared statement, in one transaction. This bounds what an export costs.
 *
 *     bench_inserts DATABASE TABLE NEW
 *
 * Replaces NEW, and removes it at the end. Rows are read in groups, whose reading does not count.
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define GROUP       1024
#define COLUMNS_MAX 64

struct number {
    int type;
    sqlite3_int64 whole;
    double real;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends the program with a message if a call of SQLite has failed. */
static void check(sqlite3 *db, bool good)
{
    if (!good) {
        fprintf(stderr, "bench_inserts: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static sqlite3_stmt *statement(sqlite3 *db, char *sql)
{
    sqlite3_stmt *made;
    check(db, sql != NULL && sqlite3_prepare_v2(db, sql, -1, &made, NULL) == SQLITE_OK);
    sqlite3_free(sql);
    return made;
}

/* Reads the next rows to numbers. Returns their number. */
static int rows_read(sqlite3_stmt *from, struct number numbers[][COLUMNS_MAX], int columns)
{
    int n = 0;
    for (; n < GROUP && sqlite3_step(from) == SQLITE_ROW; n++) {
        for (int c = 0; c < columns; c++) {
            numbers[n][c] = (struct number){.type = sqlite3_column_type(from, c),
                                            .whole = sqlite3_column_int64(from, c),
                                            .real = sqlite3_column_double(from, c)};
            if (numbers[n][c].type == SQLITE_TEXT || numbers[n][c].type == SQLITE_BLOB) {
                fputs("bench_inserts: a value is no number\n", stderr);
                exit(1);
            }
        }
    }
    return n;
}

static void row_insert(sqlite3 *db, sqlite3_stmt *to, const struct number *row, int columns)
{
    for (int c = 0; c < columns; c++) {
        if (row[c].type == SQLITE_INTEGER) {
            sqlite3_bind_int64(to, c + 1, row[c].whole);
        } else if (row[c].type == SQLITE_FLOAT) {
            sqlite3_bind_double(to, c + 1, row[c].real);
        } else {
            sqlite3_bind_null(to, c + 1);
        }
    }
    check(db, sqlite3_step(to) == SQLITE_DONE);
    sqlite3_reset(to);
}

int main(int argc, char **argv)
{
    static struct number numbers[GROUP][COLUMNS_MAX];
    sqlite3 *old, *db;
    if (argc != 4) {
        fputs("usage: bench_inserts DATABASE TABLE NEW\n", stderr);
        return 2;
    }
    unlink(argv[3]);
    check(old, sqlite3_open_v2(argv[1], &old, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    sqlite3_stmt *from = statement(old, sqlite3_mprintf("SELECT * FROM \"%w\"", argv[2]));
    int columns = sqlite3_column_count(from);
    check(old, columns <= COLUMNS_MAX);
    double seconds = -now();
    check(db, sqlite3_open(argv[3], &db) == SQLITE_OK);
    char *create = sqlite3_mprintf("SELECT sql FROM sqlite_master WHERE name = '%q'", argv[2]);
    sqlite3_stmt *schema = statement(old, create);
    check(old, sqlite3_step(schema) == SQLITE_ROW);
    sqlite3_exec(db,
                 "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = "
                 "EXCLUSIVE; BEGIN;",
                 NULL, NULL, NULL);
    check(db, sqlite3_exec(db, (const char *)sqlite3_column_text(schema, 0), NULL, NULL, NULL) ==
                  SQLITE_OK);
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, "INSERT INTO \"%w\" VALUES (?", argv[2]);
    for (int c = 1; c < columns; c++) {
        sqlite3_str_appendall(sql, ",?");
    }
    sqlite3_str_appendall(sql, ")");
    sqlite3_stmt *to = statement(db, sqlite3_str_finish(sql));
    for (int n = GROUP; n == GROUP;) { /* behind the last row, SQLite would begin again */
        seconds += now();
        n = rows_read(from, numbers, columns);
        seconds -= now();
        for (int i = 0; i < n; i++) {
            row_insert(db, to, numbers[i], columns);
        }
    }
    check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_finalize(to);
    sqlite3_close(db);
    printf("%.6f\n", seconds + now());
    unlink(argv[3]);
    return 0;
}
