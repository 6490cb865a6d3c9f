/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kinds.c - describes kinds of records and their fields; see warpscope/reader.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "library/run.h"

_Static_assert(WSR_U8 == FMT_U8 - 1 && WSR_F64 == FMT_F64 - 1 && WSR_TEXT == FMT_CHAR - 1,
               "types in the order of the format");
_Static_assert((int)WSR_LEVEL == FMT_LEVEL && (int)WSR_COUNTER == FMT_COUNTER &&
                   (int)WSR_CHANGE == FMT_CHANGE && (int)WSR_IDENTITY == FMT_IDENTITY,
               "measures as in the format");

/* Returns the name of the field whose values have the names in labels. For a payload field, returns
 * the name of its column, or NULL if the payloads are shown as bytes. */
static const char *names_of(const struct ws_table_schema *k, const struct ws_labels *labels)
{
    assert(labels->field >= 0);
    if (labels->kind != WS_LABELS_SOURCES) {
        return k->schema->fields[labels->field].name;
    }
    uint32_t column = ws_table_schema_column(k, &labels->sources[0]);
    return column == WS_NO_COLUMN ? NULL : k->columns[column].name;
}

static void field_describe(struct wsr_field *to, const struct ws_table_schema *k, uint32_t c)
{
    assert(c < k->n_columns);
    const struct ws_column *column = &k->columns[c];
    *to = (struct wsr_field){
        .name = column->name,
        .unit = column->unit,
        .text = column->text,
        .type = column->type == WS_TYPE_BYTES ? WSR_BYTES : (enum wsr_type)(column->type - 1),
        .size = column->size,
        .measure =
            column->measure <= FMT_IDENTITY ? (enum wsr_measure)column->measure : WSR_NO_MEASURE,
        .optional = column->field < 0};
    if (column->labels != NULL) {
        to->type = WSR_NAME;
        to->size = sizeof(uint32_t);
        to->names = (const char *const *)column->labels->known.names;
        to->n_names = column->labels->known.n;
        to->names_of = names_of(k, column->labels);
    }
}

/* Fills the gaps of a kind. Returns false if out of memory. */
static bool gaps_make(struct run_kind *k)
{
    const struct ws_file *s = k->file;
    bool began = false; /* true if an earlier part has the kind */
    k->gaps = calloc((size_t)ws_stream_parts(s) + 1, sizeof *k->gaps);
    for (uint32_t i = 0; k->gaps != NULL && i < ws_stream_parts(s); i++) {
        if (!ws_part_records(ws_stream_part(s, i), k->columns.schema)) {
            continue;
        }
        const struct ws_cover cover = ws_stream_cover(s, i);
        struct ws_cover gap = {.virtual_to = cover.virtual_from, .real_to = cover.real_from};
        if (began ? ws_stream_gap(s, i, k->columns.schema, &gap) : gap.virtual_to > 0.0) {
            k->gaps[k->shown.n_gaps++] =
                (struct wsr_gap){gap.virtual_from, gap.virtual_to, gap.real_from, gap.real_to};
        }
        began = true;
    }
    k->shown.gaps = k->shown.n_gaps > 0 ? k->gaps : NULL;
    return k->gaps != NULL;
}

static bool part_count(const struct ws_part *part, void *ctx)
{
    uint64_t *n = ctx;
    *n += part->columns->n_records;
    return true;
}

/* Returns the number of records of a kind, with those that are filled in. */
static uint64_t records_count(struct ws_file *s, uint32_t schema)
{
    uint64_t n = 0;
    bool holds = false;
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        holds |= ws_held_any(s, i, s->sb->schemas[schema]);
    }
    if (!holds) {
        return s->kind_records[schema];
    }
    ws_scan_kind(s, s->sb->schemas[schema], NULL, WS_ALL_PES, part_count, &n);
    return n;
}

static int kind_make(struct wsr_run *run, struct run_kind *k, size_t stream, uint32_t schema)
{
    struct ws_file *s = k->file = ws_run_stream(run, stream);
    k->files = &run->files[run->paths.streams[stream].first];
    if (!ws_table_schema_init(&k->columns, s->sb, schema, &s->descs, true)) {
        return ws_run_fail_memory(run);
    }
    k->fields = calloc(k->columns.n_columns, sizeof *k->fields);
    if (k->fields == NULL) {
        return ws_run_fail_memory(run);
    }
    for (uint32_t c = 0; c < k->columns.n_columns; c++) {
        field_describe(&k->fields[c], &k->columns, c);
    }
    k->shown = (struct wsr_kind){.name = k->columns.name,
                                 .text = k->columns.schema->text,
                                 .file = k->files,
                                 .records = records_count(s, schema),
                                 .fields = k->fields,
                                 .n_fields = k->columns.n_columns};
    return gaps_make(k) ? WSR_OK : ws_run_fail_memory(run);
}

int ws_run_kinds_make(struct wsr_run *run)
{
    size_t n = 0;
    for (size_t k = 0; k < run->paths.n_streams; k++) {
        const struct ws_file *stream = ws_run_stream(run, k);
        n += stream->pes != NULL ? stream->sb->n_schemas : 0;
    }
    run->kinds = calloc(n + 1, sizeof *run->kinds);
    if (run->kinds == NULL) {
        return ws_run_fail_memory(run);
    }
    for (size_t k = 0; k < run->paths.n_streams; k++) {
        const struct ws_file *stream = ws_run_stream(run, k);
        for (uint32_t s = 0; stream->pes != NULL && s < stream->sb->n_schemas; s++) {
            int status = kind_make(run, &run->kinds[run->n_kinds++], k, s);
            if (status != WSR_OK) {
                return status;
            }
        }
    }
    return WSR_OK;
}

void ws_run_kinds_free(struct wsr_run *run)
{
    for (size_t i = 0; i < run->n_kinds; i++) {
        ws_table_schema_fini(&run->kinds[i].columns);
        free(run->kinds[i].fields);
        free(run->kinds[i].gaps);
    }
    free(run->kinds);
}

size_t wsr_kind_count(const wsr_run *run)
{
    return run == NULL ? 0 : run->n_kinds;
}

const struct wsr_kind *wsr_kind_at(const wsr_run *run, size_t i)
{
    return i < wsr_kind_count(run) ? &run->kinds[i].shown : NULL;
}

const struct wsr_kind *wsr_kind(const wsr_run *run, const char *name)
{
    for (size_t i = 0; name != NULL && i < wsr_kind_count(run); i++) {
        if (strcmp(run->kinds[i].shown.name, name) == 0) {
            return &run->kinds[i].shown;
        }
    }
    return NULL;
}
