/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.c - passes the records of one stream to a format; see export.h.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/stream_files.h"
#include "cli/interrupt.h"
#include "export/export.h"
#include "text/text_new.h"

char *ws_export_path(struct ws_export *x, const char *name, const char *extension)
{
    const struct ws_file *s = x->stream;
    const char *prefix = ws_path_name(s->path);
    size_t stem = x->files.streams[s - x->streams].stem, n = stem - (size_t)(prefix - s->path);
    if (stem == strlen(s->path) && n > 4 && strcmp(prefix + n - 4, ".bin") == 0) {
        n -= 4;
    }
    char *path = x->file != NULL
                     ? strdup(x->file)
                     : text_new("%s%s%.*s%s%s%s", x->folder == NULL ? "" : x->folder,
                                x->folder == NULL ? "" : "/", (int)n, prefix,
                                name == NULL ? "" : "-", name == NULL ? "" : name, extension);
    if (path == NULL) {
        ws_no_memory(&x->outs.failed);
    }
    return path;
}

struct ws_out *ws_export_out(struct ws_export *x, const char *name)
{
    char *path = ws_export_path(x, name, x->format->extension);
    struct ws_out *out = path == NULL ? NULL : ws_out_begin(&x->outs, path);
    free(path);
    return out;
}

/* ---- Kinds of records --- */

static bool kinds_make(struct ws_export *x)
{
    const struct fmt_superblock *sb = x->stream->sb;
    x->n_kinds = 0;
    x->kinds = calloc(sb->n_schemas, sizeof *x->kinds);
    x->by_schema = calloc(sb->n_schemas, sizeof *x->by_schema);
    x->batches = calloc(sb->n_schemas, sizeof *x->batches);
    if (x->kinds == NULL || x->by_schema == NULL || x->batches == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        if (!ws_select_schema(&x->select, sb->schemas[i])) {
            continue;
        }
        struct ws_table_schema *kind = x->by_schema[i] = &x->kinds[x->n_kinds++];
        bool good = ws_table_schema_init(kind, sb, i, &x->stream->descs, x->format->with_labels);
        if (x->format->kind_batch != NULL) {
            good = good && ws_record_batch_init(&x->batches[x->n_kinds - 1], kind, NULL);
        }
        kind->sink = calloc(1, x->format->sink_size + 1);
        if (!good || kind->sink == NULL) {
            return ws_no_memory(&x->outs.failed);
        }
    }
    return true;
}

static void kinds_free(struct ws_export *x)
{
    for (uint32_t i = 0; x->kinds != NULL && i < x->n_kinds; i++) {
        if (x->format->kind_fini != NULL && x->kinds[i].sink != NULL) {
            x->format->kind_fini(&x->kinds[i]);
        }
        free(x->kinds[i].sink);
        ws_record_batch_fini(&x->batches[i]);
        ws_table_schema_fini(&x->kinds[i]);
    }
    free(x->batches);
    free(x->kinds);
    free(x->by_schema);
    x->kinds = NULL;
    x->batches = NULL;
    x->by_schema = NULL;
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Passes the records to the format. */
static bool rows_write(struct ws_export *x, struct ws_table_schema *kind,
                       const struct ws_rows *rows)
{
    if (x->format->kind_rows != NULL) {
        return rows->n == 0 || x->format->kind_rows(x, kind, rows);
    }
    for (uint32_t first = 0; first < rows->n;) {
        struct ws_record_batch *batch = &x->batches[kind - x->kinds];
        ws_record_batch_fill(batch, rows, first);
        if (!x->format->kind_batch(x, kind, batch)) {
            return false;
        }
        first += batch->n;
    }
    return true;
}

static bool part_export(const struct ws_part *part, void *ctx)
{
    struct ws_export *x = ctx;
    const struct fmt_schema *schema = part->columns->schema;
    struct ws_table_schema *kind = x->by_schema[ws_schema_number(part->file->sb, schema)];
    struct ws_rows rows;
    if (ws_interrupt_waits() != 0) {
        return false;
    }
    ws_progress_add(&x->progress, part->block->n_records);
    if (!ws_rows_choose(&rows, &x->rows, part) ||
        (kind != NULL && !ws_rows_plan(&rows, &x->rows, part, &kind->table))) {
        return ws_no_memory(&x->outs.failed);
    }
    assert(kind != NULL || rows.n == 0);
    return rows_write(x, kind, &rows);
}

static bool file_steps(struct ws_export *x)
{
    const struct ws_export_format *f = x->format;
    if (!kinds_make(x) || (f->file_begin != NULL && !f->file_begin(x))) {
        return false;
    }
    for (uint32_t i = 0; i < x->n_kinds; i++) {
        if (f->kind_begin != NULL && !f->kind_begin(x, &x->kinds[i])) {
            return false;
        }
    }
    if (!ws_scan(x->stream, &x->select, NULL, part_export, x)) {
        return false;
    }
    for (uint32_t i = 0; i < x->n_kinds; i++) {
        if (f->kind_end != NULL && !f->kind_end(x, &x->kinds[i])) {
            return false;
        }
    }
    return f->file_end == NULL || f->file_end(x);
}

bool ws_export_file(struct ws_export *x, struct ws_file *s)
{
    if (s->pes == NULL) {
        return true; /* the error was reported when the file was opened */
    }
    ws_select_file(&x->select, s->sb, &s->descs);
    x->stream = s;
    ws_progress_begin(&x->progress, s->path, s->records);
    bool good = file_steps(x);
    ws_progress_hide(&x->progress);
    kinds_free(x);
    return good;
}
