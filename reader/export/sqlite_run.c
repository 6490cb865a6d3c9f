/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite_run.c - writes the tables that describe the run and how its PEs ended. sqlite.c lists all tables.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/sqlite.h"

bool ws_sqlite_begin(struct ws_export *x)
{
    char *path = ws_export_path(x, NULL);
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
    sqlite3_stmt *insert = ws_sqlite_prepare(
        x->state, "INSERT INTO run SELECT CASE WHEN EXISTS (SELECT 1 FROM run WHERE key = ?1)"
                  " THEN ?3 || '.' || ?1 ELSE ?1 END, ?2"
                  " WHERE NOT EXISTS (SELECT 1 FROM run WHERE key = ?1 AND value = ?2)"
                  " ON CONFLICT DO NOTHING");
    bool good = insert != NULL;
    snprintf(name, sizeof name, "%s", fmt_stream_name(sb->stream));
    if (number > 1) {
        snprintf(name, sizeof name, "%s-%" PRIu32, fmt_stream_name(sb->stream), number);
    }
    for (uint32_t i = 0; good && i < sb->n_run; i++) {
        ws_sqlite_text(insert, 1, sb->run[i].key);
        ws_sqlite_text(insert, 2, sb->run[i].value);
        ws_sqlite_text(insert, 3, name);
        good = ws_sqlite_step(x->state, insert);
    }
    sqlite3_finalize(insert);
    return good;
}

/* Writes a row for part i of the stream to the table `parts`: the number of the part, its path, and
 * the times that it covers. Returns false after an error message. */
static bool part_write(struct ws_export *x, uint32_t i, uint32_t number)
{
    assert(i < ws_stream_parts(x->stream));
    const struct ws_file *part = ws_stream_part(x->stream, i);
    sqlite3_stmt *insert =
        ws_sqlite_prepare(x->state, "INSERT INTO parts VALUES (?,?,?,?,?,?,?,?)");
    struct ws_cover cover = ws_stream_cover(x->stream, i);
    const double times[] = {cover.virtual_from, cover.virtual_to, cover.real_from, cover.real_to};
    if (insert == NULL) {
        return false;
    }
    ws_sqlite_text(insert, 1, fmt_stream_name(part->sb->stream));
    sqlite3_bind_int64(insert, 2, number);
    ws_sqlite_text(insert, 3, part->path);
    for (int t = 0; t < 4; t++) {
        ws_sqlite_f64(insert, 4 + t, isfinite(times[t]) ? times[t] : (double)NAN);
    }
    ws_sqlite_u64(x->state, insert, 8, part->records, "records");
    bool good = ws_sqlite_step(x->state, insert);
    sqlite3_finalize(insert);
    return good;
}

static bool parts_write(struct ws_export *x)
{
    const struct ws_files *files = x->files;
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
    sqlite3_stmt *end, *counter;
    uint32_t part; /* index of the last readable part; its end is the end of the stream */
    bool good;
};

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
    sqlite3_bind_int64(e->end, 3, info->code);
    ws_sqlite_f64(e->end, 4, info->gvt);
    ws_sqlite_f64(e->end, 5, info->real_time);
    ws_sqlite_text(e->end, 6, info->text);
    ws_sqlite_u64(e->x->state, e->end, 7, several ? pe->records : info->records, "records");
    if (pe->unknown_loss || info->records_dropped == FMT_DROPPED_UNKNOWN) {
        sqlite3_bind_null(e->end, 8);
    } else {
        ws_sqlite_u64(e->x->state, e->end, 8, several ? pe->dropped : info->records_dropped,
                      "dropped");
    }
    for (uint32_t i = 0; e->good && i < info->n_counters; i++) {
        ws_sqlite_text(e->counter, 3, info->counters[i].name);
        ws_sqlite_u64(e->x->state, e->counter, 4, info->counters[i].value, info->counters[i].name);
        e->good = ws_sqlite_step(e->x->state, e->counter);
    }
    e->good = e->good && ws_sqlite_step(e->x->state, e->end);
    fmt_end_free(&end);
    return false;
}

static bool ends_write(struct ws_export *x)
{
    const char *stream = fmt_stream_name(x->stream->sb->stream);
    struct ends e = {
        .x = x,
        .end = ws_sqlite_prepare(x->state, "INSERT INTO ends VALUES (?,?,?,?,?,?,?,?)"),
        .counter = ws_sqlite_prepare(x->state, "INSERT INTO counters VALUES (?,?,?,?)")};
    e.good = e.end != NULL && e.counter != NULL;
    for (uint32_t i = 0; i < ws_stream_parts(x->stream); i++) {
        e.part = ws_stream_part(x->stream, i)->pes != NULL ? i : e.part;
    }
    for (uint32_t pe = 0; e.good && pe < x->stream->sb->layout.n_pes; pe++) {
        sqlite3_clear_bindings(e.end);
        ws_sqlite_text(e.end, 1, stream);
        ws_sqlite_text(e.counter, 1, stream);
        sqlite3_bind_int64(e.end, 2, pe);
        sqlite3_bind_int64(e.counter, 2, pe);
        if (ws_file_each(x->stream, pe, end_write, &e)) {
            e.good = ws_sqlite_step(x->state, e.end);
        }
    }
    sqlite3_finalize(e.end);
    sqlite3_finalize(e.counter);
    return e.good;
}

/* Writes the payload types of the stream. Returns false after an error message. */
static bool types_write(struct ws_export *x)
{
    const struct fmt_desc_set *descs = &x->stream->descs;
    sqlite3_stmt *insert =
        ws_sqlite_prepare(x->state, "INSERT OR IGNORE INTO payload_types VALUES (?,?,?,?,?,?)");
    bool good = insert != NULL;
    for (size_t d = 0; good && d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        ws_sqlite_text(insert, 1, fmt_stream_name(x->stream->sb->stream));
        sqlite3_bind_int64(insert, 2, desc->id);
        ws_sqlite_text(insert, 3, desc->owner[0] == '\0' ? NULL : desc->owner);
        sqlite3_bind_int64(insert, 4, desc->kind);
        ws_sqlite_text(insert, 5, ws_payload_kind_name(desc->kind));
        sqlite3_bind_int64(insert, 6, desc->size);
        good = ws_sqlite_step(x->state, insert);
    }
    sqlite3_finalize(insert);
    return good;
}

bool ws_sqlite_file(struct ws_export *x)
{
    struct ws_sqlite *s = x->state;
    s->path = x->stream->path;
    return parts_write(x) && ends_write(x) && types_write(x);
}
