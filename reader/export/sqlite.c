/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite.c - writes records as a database: a table per kind of record, and these tables:
 *
 *     run (key, value)                       the facts of the run
 *     parts (stream, part, path, virtual_from, virtual_to, real_from, real_to, records)   the files
 *                                            of each stream and the times that they cover
 *     fields (table, name, type, unit, text) the meaning of the columns
 *     ends (stream, pe, code, gvt, real_time, text, records, dropped)   how each PE ended; NULLs
 *                                            for a PE whose last file has no end
 *     counters (stream, pe, name, value)     final counters of the PEs
 *     payload_types, labels, TABLE_named     names of numbers, see sqlite_labels.c
 *
 * SQLite's integers are signed: a u64 of 2^63 or more becomes the negative integer with the same
 * bits, and a note reports it. NaN becomes NULL. The export is one transaction. It needs no
 * journal, because an incomplete database is removed.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export/sqlite.h"
#include "render/text.h"
#include "text/text_new.h"

struct sink {
    sqlite3_stmt *insert;
};

/* ---- Beginning and end ----------------------------------------------------------------------- */

static bool file_begin(struct ws_export *x)
{
    struct ws_sqlite *s = x->state;
    return (s->out != NULL || ws_sqlite_begin(x)) && ws_sqlite_file(x);
}

static bool end(struct ws_export *x)
{
    struct ws_sqlite *s = x->state;
    return s->out == NULL || ws_sqlite_close(s);
}

static void fini(struct ws_export *x)
{
    ws_sqlite_free(x->state);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Returns the name of the table for a kind of record. It differs from the names of the tables that
 * every export has, and from those of SQLite. The caller frees it. */
static char *table_name(const char *kind)
{
    static const char *const ours[] = {"run",      "parts",         "fields", "ends",
                                       "counters", "payload_types", "labels"};
    static const char view[] = "_named";
    size_t length = strlen(kind), tail = sizeof view - 1;
    bool taken = strncasecmp(kind, "sqlite_", 7) == 0;
    taken |= length > tail && strcasecmp(kind + length - tail, view) == 0;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        taken |= strcasecmp(kind, ours[i]) == 0;
    }
    return text_new("%s%s", taken ? "records_" : "", kind);
}

static bool table_is_new(struct ws_export *x, const char *table)
{
    struct ws_sqlite *s = x->state;
    sqlite3_stmt *find =
        ws_sqlite_prepare(x->state, "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE");
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_text(find, 1, table, -1, SQLITE_STATIC);
    int result = sqlite3_step(find);
    sqlite3_finalize(find);
    if (result == SQLITE_ROW) {
        char words[300];
        snprintf(words, sizeof words,
                 "several files have records %.60s; a database holds one run: export one at a time",
                 table);
        return ws_out_failed(s->out, words, 0);
    }
    return result == SQLITE_DONE || ws_sqlite_failed(x->state);
}

static const char *sql_type(uint32_t type)
{
    return type <= FMT_I64    ? "INTEGER"
           : type <= FMT_F64  ? "REAL"
           : type == FMT_CHAR ? "TEXT"
                              : "BLOB";
}

/* Appends to `create` the SQL that creates the table, and to `insert` the SQL that adds a row to
 * it. Writes the meaning of its columns to the table `fields`. Returns false after an error
 * message. */
static bool columns_write(struct ws_export *x, const struct ws_table_schema *kind,
                          const char *table, sqlite3_str *create, sqlite3_str *insert)
{
    bool good = true;
    sqlite3_str_appendf(create, "CREATE TABLE \"%w\" (", table);
    sqlite3_str_appendf(insert, "INSERT INTO \"%w\" VALUES (", table);
    for (uint32_t c = 0; good && c < kind->n_columns; c++) {
        const struct ws_column *column = &kind->columns[c];
        char *name = ws_sqlite_column(kind, c);
        if (name == NULL) {
            return ws_no_memory(&x->outs.failed);
        }
        sqlite3_str_appendf(create, "%s\"%w\" %s", c > 0 ? ", " : "", name, sql_type(column->type));
        sqlite3_str_appendall(insert, c > 0 ? ",?" : "?");
        const char *type = column->type == WS_TYPE_BYTES ? "bytes" : fmt_type_name(column->type);
        good = ws_sqlite_put(x->state, WS_SQLITE_FIELDS, doc_name(table), doc_name(name),
                             doc_name(type), doc_name(column->unit), doc_name(column->text));
        free(name);
    }
    sqlite3_str_appendall(create, ")");
    sqlite3_str_appendall(insert, ")");
    return good;
}

static bool table_make(struct ws_export *x, struct sink *k, const struct ws_table_schema *kind,
                       const char *table)
{
    struct ws_sqlite *s = x->state;
    sqlite3_str *create = sqlite3_str_new(s->db), *insert = sqlite3_str_new(s->db);
    bool good = table_is_new(x, table) && columns_write(x, kind, table, create, insert);
    char *create_sql = sqlite3_str_finish(create), *insert_sql = sqlite3_str_finish(insert);
    if (good && (create_sql == NULL || insert_sql == NULL)) {
        good = ws_no_memory(&x->outs.failed);
    }
    if (good && ws_sqlite_run(x->state, create_sql)) {
        k->insert = ws_sqlite_prepare(x->state, insert_sql);
    }
    sqlite3_free(create_sql);
    sqlite3_free(insert_sql);
    return k->insert != NULL;
}

static bool kind_begin(struct ws_export *x, struct ws_table_schema *kind)
{
    char *table = table_name(kind->name);
    bool good = table != NULL
                    ? table_make(x, kind->sink, kind, table) && ws_sqlite_labels(x, kind, table)
                    : ws_no_memory(&x->outs.failed);
    free(table);
    return good;
}

static void kind_fini(struct ws_table_schema *kind)
{
    sqlite3_finalize(((struct sink *)kind->sink)->insert);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool cell_bind(struct ws_export *x, sqlite3_stmt *insert, const struct ws_column *column,
                      const struct ws_record_batch_column *from, uint32_t c, uint32_t i)
{
    int number = (int)c + 1;
    struct ws_bytes bytes;
    struct fmt_value v;
    if (from->present != NULL && !from->present[i]) {
        sqlite3_bind_null(insert, number);
        return true;
    }
    if (column->type == FMT_CHAR || column->type == WS_TYPE_BYTES) {
        memcpy(&bytes, from->values + i * sizeof bytes, sizeof bytes);
        if (column->type == FMT_CHAR) {
            return ws_sqlite_text(x->state, insert, number, bytes.bytes, bytes.size);
        }
        sqlite3_bind_blob64(insert, number, bytes.bytes, bytes.size, SQLITE_STATIC);
        return true;
    }
    v = fmt_value_read(from->values + (size_t)i * column->size, column->type);
    if (column->type <= FMT_U64) {
        ws_sqlite_u64(x->state, insert, number, v.as.u, column->name);
    } else if (column->type <= FMT_I64) {
        sqlite3_bind_int64(insert, number, v.as.i);
    } else {
        ws_sqlite_f64(insert, number, v.as.f);
    }
    return true;
}

static bool kind_batch(struct ws_export *x, struct ws_table_schema *kind,
                       const struct ws_record_batch *batch)
{
    sqlite3_stmt *insert = ((struct sink *)kind->sink)->insert;
    bool good = true;
    for (uint32_t i = 0; good && i < batch->n; i++) {
        for (uint32_t c = 0; good && c < kind->n_columns; c++) {
            good = cell_bind(x, insert, &kind->columns[c], &batch->columns[c], c, i);
        }
        good = good && ws_sqlite_step(x->state, insert);
    }
    return good;
}

const struct ws_export_format ws_export_sqlite = {
    .name = "sqlite",
    .extension = "sqlite",
    .state_size = sizeof(struct ws_sqlite),
    .sink_size = sizeof(struct sink),
    .file_begin = file_begin,
    .kind_begin = kind_begin,
    .kind_batch = kind_batch,
    .end = end,
    .kind_fini = kind_fini,
    .fini = fini,
};
