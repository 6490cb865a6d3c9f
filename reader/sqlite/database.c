/* SPDX-License-Identifier: BSD-3-Clause */
/* database.c - see database.h. */
#include "sqlite/database.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "store/array.h"
#include "text/utf8.h"

bool ws_sqlite_open(struct ws_sqlite *s, struct ws_outs *outs, const char *path)
{
    s->out = ws_out_begin_name(outs, path);
    if (s->out == NULL) {
        return false;
    }
    if (sqlite3_open_v2(s->out->temp, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK) {
        return ws_sqlite_failed(s);
    }
    return ws_sqlite_run(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -4096; BEGIN;");
}

bool ws_sqlite_close(struct ws_sqlite *s)
{
    sqlite3_finalize(s->put);
    s->put = NULL;
    if (!ws_sqlite_run(s, "COMMIT")) {
        return false;
    }
    if (sqlite3_close(s->db) != SQLITE_OK) {
        return ws_sqlite_failed(s);
    }
    s->db = NULL;
    return ws_out_end(s->out);
}

void ws_sqlite_free(struct ws_sqlite *s)
{
    sqlite3_finalize(s->put);
    sqlite3_close_v2(s->db);
    free(s->text);
    s->put = NULL;
    s->db = NULL;
    s->text = NULL;
}

bool ws_sqlite_failed(struct ws_sqlite *s)
{
    char words[400];
    snprintf(words, sizeof words, "cannot write: %s", sqlite3_errmsg(s->db));
    return ws_out_failed(s->out, words, 0);
}

bool ws_sqlite_run(struct ws_sqlite *s, const char *sql)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || ws_sqlite_failed(s);
}

sqlite3_stmt *ws_sqlite_prepare(struct ws_sqlite *s, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        ws_sqlite_failed(s);
    }
    return statement;
}

bool ws_sqlite_step(struct ws_sqlite *s, sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    bool good = result == SQLITE_DONE || ws_sqlite_failed(s);
    sqlite3_reset(statement);
    return good;
}

bool ws_sqlite_text(struct ws_sqlite *s, sqlite3_stmt *statement, int number, const void *text,
                    size_t size)
{
    assert(number > 0);
    if (!array_reserve(&s->text, &s->text_size, utf8_repair_max(size), 1)) {
        return ws_out_failed(s->out, "out of memory", 0);
    }
    const char *end = utf8_repair(s->text, text, size);
    sqlite3_bind_text(statement, number, s->text, (int)(end - s->text), SQLITE_TRANSIENT);
    return true;
}

void ws_sqlite_f64(sqlite3_stmt *statement, int number, double value)
{
    if (isnan(value)) {
        sqlite3_bind_null(statement, number);
    } else {
        sqlite3_bind_double(statement, number, value);
    }
}

void ws_sqlite_u64(struct ws_sqlite *s, sqlite3_stmt *statement, int number, uint64_t value,
                   const char *name)
{
    if (value > INT64_MAX && !s->large_said) {
        ws_say(&ws_on_stderr,
               "%s: note: %s %" PRIu64 " is more than SQLite's whole numbers can be; such values"
               " become negative: the same 64 bits",
               s->path, name, value);
        s->large_said = true;
    }
    sqlite3_bind_int64(statement, number, (sqlite3_int64)value);
}

bool ws_sqlite_cell(struct ws_sqlite *s, sqlite3_stmt *statement, int *number,
                    const struct doc_cell *cell, const char *name)
{
    bool is_text = cell->kind == DOC_NAME || cell->kind == DOC_PATH;
    if (cell->kind == DOC_TRIPLE) {
        for (int part = 0; part < 3; part++) {
            sqlite3_bind_int64(statement, (*number)++, doc_triple_part(cell->as.count, part));
        }
    } else if (is_text && cell->as.text != NULL) {
        return ws_sqlite_text(s, statement, (*number)++, cell->as.text, strlen(cell->as.text));
    } else if (cell->kind == DOC_NONE || is_text) {
        sqlite3_bind_null(statement, (*number)++);
    } else if (cell->kind >= DOC_REAL && cell->kind <= DOC_BAR) {
        ws_sqlite_f64(statement, (*number)++, cell->as.real);
    } else {
        ws_sqlite_u64(s, statement, (*number)++, cell->as.count, name);
    }
    return true;
}

bool ws_sqlite_put_row(struct ws_sqlite *s, const char *sql, const struct doc_cell *cells, size_t n)
{
    if (s->put == NULL || s->sql != sql) {
        sqlite3_finalize(s->put);
        s->put = ws_sqlite_prepare(s, sql);
        s->sql = sql;
    }
    int number = 1;
    bool good = s->put != NULL;
    for (size_t i = 0; good && i < n; i++) {
        good = ws_sqlite_cell(s, s->put, &number, &cells[i], "a count");
    }
    return good && ws_sqlite_step(s, s->put);
}
