/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block.c - provides the columns of a block to the program; see warpscope/reader.h.
 *
 * If all records of a decoded block are chosen, and all chosen columns are fields of the record,
 * the program gets pointers into the block. Otherwise the columns come from a batch
 * (access/record_batch.h). The batch only points to strings, so these are copied to contiguous
 * memory.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "library/scan.h"

/* Copies the strings of a column to texts, one after another. Returns false if out of memory. */
static bool texts_fill(struct scan_texts *texts, const struct ws_record_batch *batch,
                       const struct ws_record_batch_column *from)
{
    size_t size = 0;
    for (uint32_t i = 0; i < batch->n; i++) {
        struct ws_bytes text;
        memcpy(&text, from->values + i * sizeof text, sizeof text);
        size += from->present[i] ? text.size : 0;
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
        struct ws_bytes text;
        texts->offsets[i] = at;
        if (from->present[i]) {
            memcpy(&text, from->values + i * sizeof text, sizeof text);
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
    assert(column->flags != NULL);
    for (uint32_t i = 0; i < n; i++) {
        if (!column->flags[i]) {
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

int ws_run_block_fill(struct wsr_scan *scan)
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
