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
 *     lp_names (lp, name)                    names that the model gave to LPs
 *     payload_types, labels, TABLE_named     names of numbers, see sqlite_labels.c
 *
 * SQLite's integers are signed: a u64 of 2^63 or more becomes the negative integer with the same
 * bits, and a note reports it. NaN becomes NULL. The export is one transaction. It needs no
 * journal, because an incomplete database is removed.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/lp_names.h"
#include "export/sqlite.h"
#include "render/text.h"
#include "text/text_new.h"

struct sink {
    sqlite3_stmt *insert;
};

/* ---- Tables about the run, and how its PEs ended --------------------------------------------- */

/* Creates the database, with empty tables about the run. Returns false after an error message. */
static bool database_begin(struct ws_export *x)
{
    char *path = ws_export_path(x, NULL, x->format->extension);
    bool good = path != NULL && ws_sqlite_open(x->state, &x->outs, path);
    free(path);
    return good &&
           ws_sqlite_run(x->state,
                         "CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
                         "CREATE TABLE parts (stream TEXT, part INTEGER, path TEXT,"
                         " virtual_from REAL, virtual_to REAL, real_from REAL, real_to REAL,"
                         " records INTEGER);"
                         "CREATE TABLE fields (\"table\" TEXT, name TEXT, type TEXT, unit TEXT,"
                         " text TEXT);"
                         "CREATE TABLE ends (stream TEXT, pe INTEGER, code INTEGER, gvt REAL,"
                         " real_time REAL, text TEXT, records INTEGER, dropped INTEGER);"
                         "CREATE TABLE counters (stream TEXT, pe INTEGER, name TEXT,"
                         " value INTEGER);"
                         "CREATE TABLE lp_names (lp INTEGER PRIMARY KEY, name TEXT);"
                         "CREATE TABLE payload_types (stream TEXT, id INTEGER, lp_type TEXT,"
                         " kind INTEGER, kind_name TEXT, size INTEGER,"
                         " PRIMARY KEY (stream, id)) WITHOUT ROWID;"
                         "CREATE TABLE labels (\"table\" TEXT, \"column\" TEXT,"
                         " payload_type INTEGER, code INTEGER, name TEXT,"
                         " PRIMARY KEY (\"table\", \"column\", payload_type, code))"
                         " WITHOUT ROWID;");
}

/* Writes the facts of the run in part `number` of a stream to the table `run`. If an earlier part
 * or stream has another value for a fact, the key in the table is STREAM.KEY for part 1, and
 * STREAM-NUMBER.KEY for other parts. Returns false after an error message. */
static bool facts_write(struct ws_export *x, const struct ws_file *part, uint32_t number)
{
    const struct fmt_superblock *sb = part->sb;
    char name[48];
    bool good = true;
    snprintf(name, sizeof name, "%s", fmt_stream_name(sb->stream));
    if (number > 1) {
        snprintf(name, sizeof name, "%s-%" PRIu32, fmt_stream_name(sb->stream), number);
    }
    for (uint32_t i = 0; good && i < sb->n_run; i++) {
        good = ws_sqlite_put(x->state,
                             "INSERT INTO run SELECT CASE WHEN EXISTS (SELECT 1 FROM run WHERE key"
                             " = ?1) THEN ?3 || '.' || ?1 ELSE ?1 END, ?2"
                             " WHERE NOT EXISTS (SELECT 1 FROM run WHERE key = ?1 AND value = ?2)"
                             " ON CONFLICT DO NOTHING",
                             doc_name(sb->run[i].key), doc_name(sb->run[i].value), doc_name(name));
    }
    return good;
}

static struct doc_cell time_cell(double time)
{
    return doc_real(isfinite(time) ? time : (double)NAN);
}

/* Writes a row for part i of the stream to the table `parts`: the number of the part, its path, and
 * the times that it covers. Returns false after an error message. */
static bool part_write(struct ws_export *x, uint32_t i, uint32_t number)
{
    assert(i < ws_stream_parts(x->stream));
    const struct ws_file *part = ws_stream_part(x->stream, i);
    struct ws_cover cover = ws_stream_cover(x->stream, i);
    return ws_sqlite_put(x->state, "INSERT INTO parts VALUES (?,?,?,?,?,?,?,?)",
                         doc_name(fmt_stream_name(part->sb->stream)), doc_count(number),
                         doc_name(part->path), time_cell(cover.virtual_from),
                         time_cell(cover.virtual_to), time_cell(cover.real_from),
                         time_cell(cover.real_to), doc_count(part->records));
}

static bool parts_write(struct ws_export *x)
{
    const struct ws_files *files = &x->files;
    const uint32_t *numbers = files->numbers + files->streams[x->stream - x->streams].first;
    bool good = true;
    for (uint32_t i = 0; good && i < ws_stream_parts(x->stream); i++) {
        const struct ws_file *part = ws_stream_part(x->stream, i);
        good =
            part->pes == NULL || (facts_write(x, part, numbers[i]) && part_write(x, i, numbers[i]));
    }
    return good;
}

/* Context of end_write(), which receives the blocks of each PE. */
struct ends {
    struct ws_export *x;
    const char *name; /* of the stream */
    uint32_t part;    /* index of the last readable part; its end is the end of the stream */
    bool good;
};

#define ENDS "INSERT INTO ends VALUES (?,?,?,?,?,?,?,?)"

static bool end_write(struct ws_file *stream, const struct fmt_block *block, void *ctx)
{
    struct ends *e = ctx;
    struct fmt_end end = {0};
    const struct fmt_end_info *info = &end.info;
    const struct ws_pe *pe = &stream->pes[block->pe];
    if (block->kind != FMT_BLOCK_END || block->part != e->part ||
        fmt_block_read_end(ws_file_reader(stream, block), block, &end, NULL) != FMT_OK) {
        return true;
    }
    bool several = stream->n_parts > 0;
    bool unknown = pe->unknown_loss || info->records_dropped == FMT_DROPPED_UNKNOWN;
    for (uint32_t i = 0; e->good && i < info->n_counters; i++) {
        e->good =
            ws_sqlite_put(e->x->state, "INSERT INTO counters VALUES (?,?,?,?)", doc_name(e->name),
                          doc_count(block->pe), doc_name(info->counters[i].name),
                          doc_count(info->counters[i].value));
    }
    e->good =
        e->good &&
        ws_sqlite_put(e->x->state, ENDS, doc_name(e->name), doc_count(block->pe),
                      doc_count(info->code), doc_real(info->gvt), doc_real(info->real_time),
                      doc_name(info->text), doc_count(several ? pe->records : info->records),
                      doc_if(!unknown, doc_count(several ? pe->dropped : info->records_dropped)));
    fmt_end_free(&end);
    return false;
}

static bool ends_write(struct ws_export *x)
{
    struct ends e = {.x = x, .name = fmt_stream_name(x->stream->sb->stream), .good = true};
    for (uint32_t i = 0; i < ws_stream_parts(x->stream); i++) {
        e.part = ws_stream_part(x->stream, i)->pes != NULL ? i : e.part;
    }
    for (uint32_t pe = 0; e.good && pe < x->stream->sb->layout.n_pes; pe++) {
        if (ws_file_each(x->stream, pe, end_write, &e)) {
            const struct doc_cell none = doc_none();
            e.good = ws_sqlite_put(x->state, ENDS, doc_name(e.name), doc_count(pe), none, none,
                                   none, none, none, none);
        }
    }
    return e.good;
}

/* Writes the names of the LPs that earlier streams did not name. Returns false after an error
 * message. */
static bool lp_names_write(struct ws_export *x)
{
    const char *name;
    uint64_t lp;
    bool good = true;
    for (size_t i = 0; good && (name = ws_lp_name_at(&x->stream->descs, i, &lp)) != NULL; i++) {
        good = name[0] == '\0' ||
               ws_sqlite_put(x->state, "INSERT OR IGNORE INTO lp_names VALUES (?,?)", doc_count(lp),
                             doc_name(name));
    }
    return good;
}

/* Writes the payload types of the stream. Returns false after an error message. */
static bool types_write(struct ws_export *x)
{
    const struct fmt_desc_set *descs = &x->stream->descs;
    bool good = true;
    for (size_t d = 0; good && d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        good = ws_sqlite_put(x->state, "INSERT OR IGNORE INTO payload_types VALUES (?,?,?,?,?,?)",
                             doc_name(fmt_stream_name(x->stream->sb->stream)), doc_count(desc->id),
                             doc_name(desc->owner[0] == '\0' ? NULL : desc->owner),
                             doc_count(desc->kind), doc_name(ws_payload_kind_name(desc->kind)),
                             doc_count(desc->size));
    }
    return good;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

static bool file_begin(struct ws_export *x)
{
    struct ws_sqlite *s = x->state;
    if (s->out == NULL && !database_begin(x)) {
        return false;
    }
    s->path = x->stream->path;
    return parts_write(x) && ends_write(x) && lp_names_write(x) && types_write(x);
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
    static const char *const ours[] = {"run",      "parts",    "fields",        "ends",
                                       "counters", "lp_names", "payload_types", "labels"};
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
    if (from->present != NULL && !from->present[i]) {
        sqlite3_bind_null(insert, number);
        return true;
    }
    if (column->type == FMT_CHAR || column->type == WS_TYPE_BYTES) {
        struct ws_bytes bytes = ws_record_batch_bytes(from, i);
        if (column->type == FMT_CHAR) {
            return ws_sqlite_text(x->state, insert, number, bytes.bytes, bytes.size);
        }
        sqlite3_bind_blob64(insert, number, bytes.bytes, bytes.size, SQLITE_STATIC);
        return true;
    }
    struct fmt_value v = fmt_value_read(from->values + (size_t)i * column->size, column->type);
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
    .extension = ".sqlite",
    .state_size = sizeof(struct ws_sqlite),
    .sink_size = sizeof(struct sink),
    .file_begin = file_begin,
    .kind_begin = kind_begin,
    .kind_batch = kind_batch,
    .end = end,
    .kind_fini = kind_fini,
    .fini = fini,
};
