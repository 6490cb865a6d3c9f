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
    scan->blocks = (struct ws_blocks){.file = scan->kind->file,
                                      .select = &scan->select,
                                      .schema = k->schema,
                                      .wanted = &scan->wanted,
                                      .columns = &scan->columns};
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

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
    ws_select_free(&scan->select);
    free(scan->texts);
    free(scan->shown);
    free(scan->chosen);
    free(scan->stored);
    ws_rows_memory_free(&scan->memory);
    free(scan);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Decodes the next block that may contain chosen records, sets scan->rows to the chosen ones, and
 * finds the plans for their payloads. Returns an enum wsr_status; WSR_END after the last record. */
static int rows_next(struct wsr_scan *scan)
{
    struct ws_file *s = scan->kind->file;
    struct ws_part part;
    bool found = false, good = true;
    for (; scan->pe < s->sb->layout.n_pes; scan->pe++, scan->pe_begun = false) {
        if (!scan->pe_begun) {
            ws_walk_init(&scan->blocks.walk, s, scan->pe);
            scan->pe_begun = true;
        }
        found = ws_select_pe(&scan->select, scan->pe) && ws_blocks_next(&scan->blocks, &part);
        if (found || scan->blocks.no_memory) {
            break;
        }
    }
    if (found) {
        scan->at = 0;
        good = ws_rows_choose(&scan->rows, &scan->memory, s, &part,
                              scan->by_payload ? &scan->kind->columns : NULL);
    }
    return !good || scan->blocks.no_memory ? ws_run_fail_memory(scan->run)
           : found                         ? WSR_OK
                                           : WSR_END;
}

int wsr_scan_next(wsr_scan *scan, const struct wsr_block **block)
{
    if (scan == NULL || block == NULL) {
        return WSR_INVALID;
    }
    *block = NULL;
    int status = WSR_OK;
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
