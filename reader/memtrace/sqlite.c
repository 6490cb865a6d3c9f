/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite.c - writes the results of an analysis to a database with the tables of tables.h. The
 * coordinates of a CTA are three columns: x, y and z. Addresses of 2^63 and more become the
 * negative numbers with the same bits. The database is written in one transaction; an incomplete
 * database is removed.
 */
#include "memtrace/output.h"
#include "sqlite/database.h"

const char *const ws_memtrace_sqlite_missing = NULL;

/* The database, and the statement `insert` that adds a row to the current table. */
struct base {
    struct ws_sqlite s;
    const struct doc_table *table; /* table that is written */
    sqlite3_stmt *insert;
    uint64_t rows;
    bool failed;
};

static bool table_begin(struct base *b, const struct doc_table *table)
{
    sqlite3_str *create = sqlite3_str_new(b->s.db), *insert = sqlite3_str_new(b->s.db);
    const char *comma = "";
    sqlite3_str_appendf(create, "CREATE TABLE %s (", table->name);
    sqlite3_str_appendf(insert, "INSERT INTO %s VALUES (", table->name);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const struct doc_column *c = &table->columns[i];
        bool is_triple = c->kind == DOC_TRIPLE;
        for (int part = 0; part < (is_triple ? 3 : 1); part++) {
            sqlite3_str_appendf(create, "%s%s%.2s %s", comma, c->name,
                                is_triple ? &"_x_y_z"[2 * part] : "",
                                c->kind == DOC_NAME ? "TEXT" : "INTEGER");
            sqlite3_str_appendf(insert, "%s?", comma);
            comma = ", ";
        }
    }
    sqlite3_str_appendall(create, ")");
    sqlite3_str_appendall(insert, ")");
    char *create_sql = sqlite3_str_finish(create), *insert_sql = sqlite3_str_finish(insert);
    bool good = create_sql != NULL && insert_sql != NULL;
    good = good ? ws_sqlite_run(&b->s, create_sql) : ws_out_failed(b->s.out, "out of memory", 0);
    b->insert = good ? ws_sqlite_prepare(&b->s, insert_sql) : NULL;
    sqlite3_free(create_sql);
    sqlite3_free(insert_sql);
    return b->insert != NULL;
}

static bool row_write(void *to, const struct doc_cell *cells)
{
    struct base *b = to;
    int number = 1;
    bool good = true;
    for (uint32_t c = 0; c < b->table->n_columns && good; c++) {
        good = ws_sqlite_cell(&b->s, b->insert, &number, &cells[c], b->table->columns[c].name);
    }
    bool stop = ++b->rows % 1024 == 0 && ws_interrupt_waits() != 0;
    b->failed |= !good || stop || !ws_sqlite_step(&b->s, b->insert);
    return !b->failed;
}

static bool tables_write(struct base *b, struct ws_memtrace *m)
{
    struct doc doc = {.n = 0};
    struct ws_memtrace_view view = {.m = m};
    bool good = true;
    for (int id = 0; id < WS_MEMTRACE_TABLES && good; id++) {
        view.id = (enum ws_memtrace_table_id)id;
        b->table = ws_memtrace_table(&doc, &view);
        good = table_begin(b, b->table);
        if (good && !doc_rows(b->table, row_write, b)) {
            good = ws_out_failed(b->s.out, "out of memory", 0);
        }
        good = good && !b->failed;
        sqlite3_finalize(b->insert);
        b->insert = NULL;
    }
    good = good && (!doc.no_memory || ws_out_failed(b->s.out, "out of memory", 0));
    doc_free(&doc);
    return good;
}

bool ws_memtrace_sqlite(struct ws_memtrace *m, struct ws_outs *outs, const char *path)
{
    struct base b = {.s.path = path};
    bool good = ws_sqlite_open(&b.s, outs, path) && tables_write(&b, m) && ws_sqlite_close(&b.s);
    ws_sqlite_free(&b.s);
    return good;
}
