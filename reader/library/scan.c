/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - walks over the chosen records of a kind, block by block; see warpscope/reader.h.
 *
 * If all records of a decoded block are chosen, and all chosen columns are fields of the record,
 * the program gets pointers into the block. Otherwise the columns come from a batch
 * (access/record_batch.h). The batch only points to strings, so these are copied to contiguous
 * memory.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_batch.h"
#include "library/run.h"

/* Strings of one column of a block, in contiguous memory. */
struct scan_texts {
    uint8_t *bytes; /* owned; the strings, one after another */
    /* Owned; [i]: offset of string i in bytes; NULL for columns of numbers. */
    uint64_t *offsets;
    size_t size; /* size of the memory at `bytes`, in bytes */
};

struct wsr_scan {
    struct wsr_run *run;
    struct wsr_scan *next, **link; /* links in the run's list of open scans */
    const struct run_kind *kind;
    struct ws_select select;
    uint32_t *chosen; /* owned; indices of the n_chosen columns that the program gets */
    uint32_t n_chosen;
    bool *stored; /* owned; [i]: true if `chosen` contains column i */
    struct fmt_wanted wanted;
    bool by_payload; /* true if a chosen column comes from payloads */
    bool by_copy;    /* true if a chosen column is not a field of the record */
    /* The following members belong to the current block of the file. */
    uint32_t pe;
    bool pe_begun;
    struct ws_blocks blocks;
    struct fmt_columns columns; /* owned; the decoded block */
    struct ws_rows_memory memory;
    struct ws_rows rows; /* the chosen records of the current block */
    uint32_t at;         /* number of chosen records already returned to the program */
    /* The following members belong to the block that the program gets. */
    struct ws_record_batch batch;
    struct scan_texts *texts; /* owned; n_chosen elements: strings of each column */
    struct wsr_column *shown; /* owned; n_chosen elements: columns as the program gets them */
    struct wsr_block out;
};

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
    ws_blocks_fini(&scan->blocks);
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
        good = ws_rows_choose(&scan->rows, &scan->memory, &part) &&
               (!scan->by_payload ||
                ws_rows_plan(&scan->rows, &scan->memory, &part, &scan->kind->columns.table));
    }
    return !good || scan->blocks.no_memory ? ws_run_fail_memory(scan->run)
           : found                         ? WSR_OK
                                           : WSR_END;
}

/* ---- Blocks as the program gets them --------------------------------------------------------- */

/* Copies the strings of a column to texts, one after another. Returns false if out of memory. */
static bool texts_fill(struct scan_texts *texts, const struct ws_record_batch *batch,
                       const struct ws_record_batch_column *from)
{
    size_t size = 0;
    for (uint32_t i = 0; i < batch->n; i++) {
        size += from->present[i] ? ws_record_batch_bytes(from, i).size : 0;
    }
    if (texts->offsets == NULL) {
        texts->offsets = calloc((size_t)batch->capacity + 1, sizeof *texts->offsets);
    }
    if (texts->bytes == NULL || size > texts->size) {
        free(texts->bytes);
        texts->bytes = malloc(size + 1);
        texts->size = texts->bytes == NULL ? 0 : size;
    }
    if (texts->offsets == NULL || texts->bytes == NULL) {
        return false;
    }
    uint64_t at = 0;
    for (uint32_t i = 0; i < batch->n; i++) {
        texts->offsets[i] = at;
        if (from->present[i]) {
            struct ws_bytes text = ws_record_batch_bytes(from, i);
            memcpy(texts->bytes + at, text.bytes, text.size);
            at += text.size;
        }
    }
    texts->offsets[batch->n] = at;
    return true;
}

/* Sets to zero those of the n values of a column that are absent. size: size of a value in
 * bytes. */
static void absent_clear(const struct ws_record_batch_column *column, uint32_t n, size_t size)
{
    assert(column->present != NULL);
    for (uint32_t i = 0; i < n; i++) {
        if (!column->present[i]) {
            memset(column->memory + i * size, 0, size);
        }
    }
}

/* Sets the columns in scan->shown to the fields of the decoded block, of which all records are
 * chosen. */
static void show_in_place(struct wsr_scan *scan)
{
    assert(scan->at == 0);
    const struct ws_table_schema *k = &scan->kind->columns;
    for (uint32_t i = 0; i < scan->n_chosen; i++) {
        uint32_t c = scan->chosen[i];
        scan->shown[i] = (struct wsr_column){.field = &scan->kind->fields[c],
                                             .values = scan->columns.values[k->columns[c].field]};
    }
    scan->out.n = scan->rows.n;
}

static int show_stored(struct wsr_scan *scan)
{
    const struct ws_table_schema *k = &scan->kind->columns;
    struct ws_record_batch *batch = &scan->batch;
    ws_record_batch_fill(batch, &scan->rows, scan->at);
    for (uint32_t i = 0; i < scan->n_chosen; i++) {
        uint32_t c = scan->chosen[i];
        const struct ws_record_batch_column *from = &batch->columns[c];
        const struct wsr_field *field = &scan->kind->fields[c];
        struct wsr_column *to = &scan->shown[i];
        *to = (struct wsr_column){.field = field, .values = from->values, .present = from->present};
        if (field->type == WSR_TEXT || field->type == WSR_BYTES) {
            if (!texts_fill(&scan->texts[i], batch, from)) {
                return ws_run_fail_memory(scan->run);
            }
            to->values = scan->texts[i].bytes;
            to->offsets = scan->texts[i].offsets;
        } else if (k->columns[c].field < 0 && field->type != WSR_NAME) {
            absent_clear(from, batch->n, field->size);
        }
    }
    scan->out.n = batch->n;
    return WSR_OK;
}

/* Fills scan->out with chosen records from number scan->at on, and advances scan->at. Returns an
 * enum wsr_status. */
static int block_fill(struct wsr_scan *scan)
{
    int status = WSR_OK;
    assert(scan->at < scan->rows.n);
    if (!scan->by_copy && scan->rows.rows == NULL) {
        show_in_place(scan);
    } else {
        status = show_stored(scan);
    }
    scan->out.pe = scan->blocks.block.pe;
    scan->out.n_columns = scan->n_chosen;
    scan->out.columns = scan->shown;
    scan->at += scan->out.n;
    return status;
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
        status = block_fill(scan);
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
