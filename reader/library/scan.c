/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - walks over the chosen records of a kind, block by block; see warpscope/reader.h.
 */
#include "library/scan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/table_schema.h"

/* ---- Columns --------------------------------------------------------------------------------- */

static int field_add(struct wsr_scan *scan, const char *name, size_t length)
{
    const struct ws_table_schema *k = &scan->kind->columns;
    for (uint32_t c = 0; c < k->n_columns; c++) {
        if (strlen(k->columns[c].name) == length && memcmp(k->columns[c].name, name, length) == 0) {
            scan->chosen[scan->n_chosen++] = c;
            return WSR_OK;
        }
    }
    return ws_run_fail(scan->run, WSR_NOT_FOUND, "fields: %s has no field %.*s", k->name,
                       (int)(length > 200 ? 200 : length), name);
}

/* Sets scan->chosen to the columns in `names`, which are separated by commas; NULL: all columns.
 * Returns an enum wsr_status. */
static int fields_choose(struct wsr_scan *scan, const char *names)
{
    size_t n = scan->kind->columns.n_columns;
    for (const char *p = names; p != NULL && *p != '\0'; p++) {
        n += *p == ',';
    }
    scan->chosen = calloc(n + 1, sizeof *scan->chosen);
    scan->stored = calloc((size_t)scan->kind->columns.n_columns + 1, sizeof *scan->stored);
    if (scan->chosen == NULL || scan->stored == NULL) {
        return ws_run_fail_memory(scan->run);
    }
    if (names == NULL) {
        for (; scan->n_chosen < n; scan->n_chosen++) {
            scan->chosen[scan->n_chosen] = scan->n_chosen;
        }
        return WSR_OK;
    }
    for (const char *name = names;; name++) {
        size_t length = strcspn(name, ",");
        int status = field_add(scan, name, length);
        if (status != WSR_OK) {
            return status;
        }
        name += length;
        if (*name == '\0') {
            return WSR_OK;
        }
    }
}

/* Determines the fields that must be decoded for the chosen columns and for the selection. */
static void wanted_find(struct wsr_scan *scan)
{
    const struct ws_table_schema *k = &scan->kind->columns;
    for (uint32_t i = 0; i < scan->n_chosen; i++) {
        const struct ws_column *column = &k->columns[scan->chosen[i]];
        scan->stored[scan->chosen[i]] = true;
        scan->by_copy |= column->field < 0;
        if (column->field >= 0) {
            fmt_wanted_add(&scan->wanted, (uint32_t)column->field);
        } else if (column->labels != NULL) {
            fmt_wanted_add(&scan->wanted, (uint32_t)column->labels->field);
            scan->wanted.payload |= column->labels->kind == WS_LABELS_SOURCES;
        } else {
            scan->by_payload = true;
        }
    }
    if (scan->by_payload) {
        scan->wanted.payload = true;
        ws_want(&scan->wanted, k->schema->role_field[FMT_ROLE_PAYLOAD_TYPE]);
    }
    ws_select_wanted(&scan->select, k->schema, &scan->wanted);
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Opens part scan->live_part together with its journals. Returns an enum wsr_status. */
static int live_begin(struct wsr_scan *scan)
{
    assert(scan->live_part < ws_stream_parts(scan->kind->file));
    const struct ws_file *part = ws_stream_part(scan->kind->file, scan->live_part);
    const struct fmt_superblock *sb;
    struct fmt_error error = {0};
    uint32_t kind = 0;
    if (ws_live_open(&scan->live, part->path, &error) != FMT_OK) {
        return ws_run_fail(scan->run, ws_run_status(&error), "%s", error.text);
    }
    sb = scan->live->sb;
    if (sb->layout.file_id != part->sb->layout.file_id) {
        return ws_run_fail(scan->run, WSR_SYSTEM, "%s: was replaced", part->path);
    }
    while (kind < sb->n_schemas && sb->schemas[kind]->id != scan->kind->columns.schema->id) {
        kind++;
    }
    if (kind < sb->n_schemas) {
        ws_live_want(scan->live, kind, &scan->wanted);
    }
    return WSR_OK;
}

/* Returns the index of the part to read with its journals: the last part of a run that is still
 * going on or was killed. If no part has journals, or the caller does not want them, returns the
 * number of parts. */
static uint32_t live_find(const struct wsr_scan *scan)
{
    uint32_t n = ws_stream_parts(scan->kind->file), i = 0;
    bool wanted = (scan->run->flags & WSR_JOURNALS) != 0;
    while (i < n && !(wanted && scan->kind->files[i].journals > 0)) {
        i++;
    }
    return i;
}

static int scan_prepare(struct wsr_scan *scan, const struct wsr_select *select)
{
    struct wsr_run *run = scan->run;
    struct ws_file *s = scan->kind->file;
    int status = ws_run_select(run, &scan->select, select);
    if (status != WSR_OK) {
        return status;
    }
    ws_select_file(&scan->select, s->sb, &s->descs);
    struct ws_messages first = ws_run_keep_first(run);
    if (!ws_select_found(&scan->select, &first)) {
        return scan->select.where_failed ? ws_run_fail_memory(run) : WSR_NOT_FOUND;
    }
    status = fields_choose(scan, select == NULL ? NULL : select->fields);
    if (status != WSR_OK) {
        return status;
    }
    wanted_find(scan);
    scan->texts = calloc((size_t)scan->n_chosen + 1, sizeof *scan->texts);
    scan->shown = calloc((size_t)scan->n_chosen + 1, sizeof *scan->shown);
    scan->live_part = scan->live_first = live_find(scan);
    if (scan->live_part < ws_stream_parts(s)) {
        status = live_begin(scan);
    }
    if (status != WSR_OK) {
        return status;
    }
    bool good = scan->texts != NULL && scan->shown != NULL &&
                ws_record_batch_init(&scan->batch, &scan->kind->columns, scan->stored);
    return good ? WSR_OK : ws_run_fail_memory(run);
}

int wsr_scan_begin(wsr_scan **to, wsr_run *run, const struct wsr_kind *kind,
                   const struct wsr_select *select)
{
    if (to == NULL || run == NULL) {
        return WSR_INVALID;
    }
    *to = NULL;
    int status = ws_run_ready(run);
    if (status != WSR_OK) {
        return status;
    }
    const struct run_kind *found = NULL;
    for (size_t i = 0; i < run->n_kinds; i++) {
        found = &run->kinds[i].shown == kind ? &run->kinds[i] : found;
    }
    if (found == NULL) {
        return kind == NULL ? ws_run_fail(run, WSR_NOT_FOUND, "no such kind of records")
                            : ws_run_fail(run, WSR_INVALID, "a kind of records of another run");
    }
    struct wsr_scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) {
        return ws_run_fail_memory(run);
    }
    *scan = (struct wsr_scan){.run = run, .kind = found, .next = run->scans, .link = &run->scans};
    if (scan->next != NULL) {
        scan->next->link = &scan->next;
    }
    run->scans = scan;
    status = scan_prepare(scan, select);
    if (status == WSR_OK) {
        *to = scan;
    } else {
        wsr_scan_end(scan);
    }
    return status;
}

void wsr_scan_end(wsr_scan *scan)
{
    if (scan == NULL) {
        return;
    }
    *scan->link = scan->next;
    if (scan->next != NULL) {
        scan->next->link = scan->link;
    }
    for (uint32_t i = 0; scan->texts != NULL && i < scan->n_chosen; i++) {
        free(scan->texts[i].bytes);
        free(scan->texts[i].offsets);
    }
    ws_record_batch_fini(&scan->batch);
    fmt_columns_free(&scan->columns);
    ws_live_close(scan->live);
    ws_select_free(&scan->select);
    free(scan->texts);
    free(scan->shown);
    free(scan->chosen);
    free(scan->stored);
    ws_rows_memory_free(&scan->memory);
    free(scan->types);
    free(scan->values);
    free(scan);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Sets scan->rows to the chosen records of the block in scan->now, or to all of them if `all` is
 * true. Finds the plans for their payloads. Returns an enum wsr_status. */
static int rows_choose(struct wsr_scan *scan, bool all)
{
    const struct ws_part part = {&scan->block, &scan->now, &scan->select, all};
    scan->at = 0;
    return ws_rows_choose(&scan->rows, &scan->memory, scan->kind->file, &part,
                          scan->by_payload ? &scan->kind->columns : NULL)
               ? WSR_OK
               : ws_run_fail_memory(scan->run);
}

/* Converts the payload types of the current block to ids of the stream, in a copy. Returns an enum
 * wsr_status. */
static int live_types_map(struct wsr_scan *scan)
{
    const struct ws_file *part = ws_stream_part(scan->kind->file, scan->live_part);
    const struct fmt_schema *schema = scan->kind->columns.schema;
    int32_t field = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    struct fmt_columns *now = &scan->now;
    if (part->type_ids == NULL || field < 0 || now->values[field] == NULL) {
        return WSR_OK;
    }
    size_t size = (size_t)now->n_records * sizeof(uint32_t);
    uint8_t *types = realloc(scan->types, size + 1);
    scan->types = types == NULL ? scan->types : types;
    if (scan->values == NULL) {
        scan->values = calloc((size_t)schema->n_fields + 1, sizeof *scan->values);
    }
    if (types == NULL || scan->values == NULL) {
        return ws_run_fail_memory(scan->run);
    }
    memcpy(types, now->values[field], size);
    ws_part_types_map(part, types, now->n_records);
    memcpy(scan->values, now->values, schema->n_fields * sizeof *scan->values);
    scan->values[field] = types;
    now->values = scan->values;
    return WSR_OK;
}

/* Closes part scan->live_part and opens the next one. Returns WSR_END after the last part. */
static int live_end(struct wsr_scan *scan)
{
    struct fmt_error error = {.status = FMT_ERR_DAMAGED, .pe = FMT_NO_PE, .offset = FMT_NO_OFFSET};
    snprintf(error.text, sizeof error.text, "%s", scan->live->damage);
    if (error.text[0] != '\0') {
        ws_file_fault(scan->kind->file, &error);
    }
    if (++scan->live_part < ws_stream_parts(scan->kind->file)) {
        ws_live_close(scan->live);
        scan->live = NULL;
        return live_begin(scan);
    }
    scan->ended = true;
    return WSR_END;
}

/* Reads the next records of the parts that are read with their journals. Returns WSR_END after the
 * last record. */
static int live_next(struct wsr_scan *scan)
{
    struct fmt_error error = {0};
    struct ws_live_rows rows;
    enum ws_live_got got;
    do {
        got = ws_live_next(scan->live, &rows, &error);
    } while (got == WS_LIVE_ROWS && !ws_select_pe(&scan->select, rows.pe));
    switch (got) {
    case WS_LIVE_ROWS:
        scan->block = (struct fmt_block){.pe = rows.pe, .part = scan->live_part};
        scan->now = *rows.columns;
        /* Replaces the schema of the part by the equal one of the stream. */
        scan->now.schema = scan->kind->columns.schema;
        int status = live_types_map(scan);
        return status != WSR_OK ? status : rows_choose(scan, !ws_select_given(&scan->select));
    case WS_LIVE_ROUND:
        return live_end(scan);
    case WS_LIVE_REPLACED:
        return ws_run_fail(scan->run, WSR_SYSTEM, "%s: was replaced or removed",
                           scan->kind->files[scan->live_part].path);
    default:
        return ws_run_fail(scan->run, ws_run_status(&error), "%s", error.text);
    }
}

/* Decodes the next block that may contain chosen records, and sets scan->rows to the chosen ones.
 * After the last block, reads the parts with journals. Returns WSR_END after the last record. */
static int rows_next(struct wsr_scan *scan)
{
    struct ws_file *s = scan->kind->file;
    struct fmt_error error = {0};
    for (; scan->pe < s->sb->layout.n_pes; scan->pe++, scan->pe_begun = false) {
        if (!ws_select_pe(&scan->select, scan->pe)) {
            continue;
        }
        if (!scan->pe_begun) {
            ws_walk_init(&scan->walk, s, scan->pe);
            scan->walk.end = scan->live_first;
            scan->pe_begun = true;
        }
        enum fmt_status status;
        while ((status = ws_walk_next(&scan->walk, &scan->block)) != FMT_END) {
            if (status != FMT_OK || scan->block.schema != scan->kind->columns.schema) {
                continue; /* wsr_open() has already reported structural faults */
            }
            enum ws_share share = ws_select_block(&scan->select, &scan->block);
            if (share == WS_SHARE_NONE) {
                continue;
            }
            status = ws_file_decode(s, &scan->block, &scan->wanted, &scan->columns, &error);
            if (status == FMT_ERR_MEMORY) {
                return ws_run_fail_memory(scan->run);
            }
            if (status == FMT_OK) {
                scan->now = scan->columns;
                return rows_choose(scan, share == WS_SHARE_ALL);
            }
            ws_file_fault(s, &error);
        }
    }
    return scan->live != NULL ? live_next(scan) : WSR_END;
}

int wsr_scan_next(wsr_scan *scan, const struct wsr_block **block)
{
    if (scan == NULL || block == NULL) {
        return WSR_INVALID;
    }
    *block = NULL;
    int status = scan->ended ? WSR_END : WSR_OK;
    while (status == WSR_OK && scan->at == scan->rows.n) {
        status = rows_next(scan);
    }
    if (status == WSR_OK) {
        status = ws_run_block_fill(scan);
    }
    if (status == WSR_OK) {
        *block = &scan->out;
    } else if (status == WSR_END) {
        /* Keeps the sentence about an empty selection for wsr_message(). */
        struct ws_messages first = ws_run_keep_first(scan->run);
        ws_select_answer(&scan->select, &first);
    }
    return status;
}
