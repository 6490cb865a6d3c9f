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

bool ws_sqlite_file(struct ws_export *x)
{
    struct ws_sqlite *s = x->state;
    s->path = x->stream->path;
    return parts_write(x) && ends_write(x) && types_write(x);
}
