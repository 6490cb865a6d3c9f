/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held.c - fills in the samples of models that a run has left out; see held.h.
 *
 * A table has the latest record of each LP as columns. Records of a sampling point replace those of
 * their LPs, and the fields that belong to the point are set in all records. The finished table is the
 * block that comes out: nothing is copied.
 *
 * Invariants
 *  1. The records of a point come in the order of the LPs in the table: a search begins behind the LP
 *     of the record before.
 *  2. `now` is the table of the current point, NULL if there is none; `fresh` marks the LPs whose
 *     records the point has.
 */
#include "access/held.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "access/stream.h"
#include "data/messages.h"
#include "store/array.h"

#define KIND_VIRTUAL 3u /* value of the field "kind": sampled at a virtual time */

struct table {
    uint32_t n;
    bool is_complete; /* true after the first sampling point, which has all LPs */
    uint8_t **values; /* owned; columns of the fields, and the payloads, as in struct fmt_columns */
    uint64_t *offsets;   /* owned; n + 1 offsets of payloads */
    size_t payload_room; /* size in bytes of the memory for payloads */
    bool *fresh;         /* owned; see invariant 2 */
};

struct ws_held {
    const struct ws_file *file;
    const struct fmt_schema *schema;
    int32_t kind, sample, lp, lp_ts; /* indices of fields */
    struct fmt_block next;           /* the block taken last */
    bool has_next;                   /* true if `next` is not decoded yet */
    struct fmt_block block;          /* the block before, of the current PE and part */
    bool has_pe;                     /* true if there is a current PE */
    struct fmt_columns in;           /* the records of `block` */
    uint32_t row;                    /* index of the next record */
    bool is_loose;                   /* true if records come out as they were written */
    bool is_ended;                   /* true if no more blocks of the current PE come */
    struct table tables[2]; /* for samples at GVT and by wall clock, and at virtual times */
    struct table *now;
    uint64_t point_kind, point_sample;
    uint32_t at; /* index in `now` from which the next LP is searched */
};

bool ws_held_any(const struct ws_file *file, uint32_t part, const struct fmt_schema *schema)
{
    const struct fmt_desc_set *descs = &ws_stream_part(file, part)->descs;
    bool any = false;
    for (size_t i = 0; i < descs->n; i++) {
        any |= descs->descs[i].kind == FMT_PAYLOAD_HELD;
    }
    return any && schema->role_field[FMT_ROLE_PAYLOAD_TYPE] >= 0 &&
           schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0 && ws_field_find(schema, "kind") >= 0 &&
           ws_field_find(schema, "sample") >= 0 && ws_field_find(schema, "lp") >= 0;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static size_t width_of(const struct ws_held *h, uint32_t field)
{
    return fmt_type_size(h->schema->fields[field].type);
}

static void table_free(struct table *t, uint32_t n_fields)
{
    for (uint32_t f = 0; t->values != NULL && f <= n_fields; f++) {
        free(t->values[f]);
    }
    free(t->values);
    free(t->offsets);
    free(t->fresh);
    *t = (struct table){0};
}

/* Copies record number `row` of the block to record number i of a table. */
static void record_copy(const struct ws_held *h, struct table *t, uint32_t i)
{
    const uint64_t *from = &h->in.payload_offset[h->row];
    for (uint32_t f = 0; f < h->schema->n_fields; f++) {
        const size_t width = width_of(h, f);
        memcpy(t->values[f] + i * width, h->in.values[f] + h->row * width, width);
    }
    memcpy(t->values[h->schema->n_fields] + t->offsets[i], h->in.payload + from[0],
           (size_t)(from[1] - from[0]));
    t->fresh[i] = true;
}

/* Adds the current record to a table. Returns false if memory is exhausted. */
static bool record_append(const struct ws_held *h, struct table *t)
{
    const uint32_t n_fields = h->schema->n_fields;
    const uint64_t *from = &h->in.payload_offset[h->row];
    const uint64_t end = (t->n > 0 ? t->offsets[t->n] : 0) + from[1] - from[0];
    if (t->values == NULL && (t->values = calloc(n_fields + 1, sizeof *t->values)) == NULL) {
        return false;
    }
    bool good = t->n < UINT32_MAX - 1 && array_append(&t->fresh, t->n, sizeof *t->fresh) &&
                array_append(&t->offsets, t->n + 1, sizeof *t->offsets) &&
                array_reserve(&t->values[n_fields], &t->payload_room, (size_t)end + 1, 1);
    for (uint32_t f = 0; f < n_fields; f++) {
        good = good && array_append(&t->values[f], t->n, width_of(h, f));
    }
    if (good) {
        t->offsets[0] = 0;
        t->offsets[t->n + 1] = end;
        record_copy(h, t, t->n++);
    }
    return good;
}

/* Replaces the record of an LP. Returns false if the table lacks the LP from h->at on, or has it with a
 * payload of another size. */
static bool record_replace(struct ws_held *h, struct table *t)
{
    const uint64_t *from = &h->in.payload_offset[h->row];
    const size_t width = width_of(h, (uint32_t)h->lp);
    const uint8_t *lps = t->values[h->lp], *lp = h->in.values[h->lp] + h->row * width;
    while (h->at < t->n && memcmp(lps + h->at * width, lp, width) != 0) {
        h->at++;
    }
    if (h->at == t->n || t->offsets[h->at + 1] - t->offsets[h->at] != from[1] - from[0]) {
        return false;
    }
    record_copy(h, t, h->at++);
    return true;
}

/* Leaves only those records in the table that the point has. */
static void table_thin(const struct ws_held *h, struct table *t)
{
    uint8_t *payloads = t->values[h->schema->n_fields];
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const uint64_t at = t->offsets[i], bytes = t->offsets[i + 1] - at;
        if (t->fresh[i]) {
            for (uint32_t f = 0; f < h->schema->n_fields; f++) {
                const size_t width = width_of(h, f);
                memmove(t->values[f] + n * width, t->values[f] + i * width, width);
            }
            memmove(payloads + t->offsets[n], payloads + at, (size_t)bytes);
            t->offsets[n + 1] = t->offsets[n] + bytes;
            n++;
        }
    }
    t->n = n;
}

/* ---- Points ---------------------------------------------------------------------------------- */

static bool is_of_point(const struct ws_held *h, uint32_t field)
{
    const int32_t *roles = h->schema->role_field, f = (int32_t)field;
    return f == h->kind || f == h->sample || f == roles[FMT_ROLE_VIRTUAL_TIME] ||
           f == roles[FMT_ROLE_REAL_TIME] || (f == h->lp_ts && h->point_kind == KIND_VIRTUAL);
}

/* Sets the n values of a column, `width` bytes each, to the value at `from`. */
static void column_fill(uint8_t *column, const uint8_t *from, size_t width, size_t n)
{
    memcpy(column, from, width);
    for (size_t done = 1, more; done < n; done += more) {
        more = done < n - done ? done : n - done;
        memcpy(column + done * width, column, more * width);
    }
}

/* Begins the sampling point of the current record. */
static void point_begin(struct ws_held *h, uint64_t kind, uint64_t sample)
{
    struct table *t = &h->tables[kind == KIND_VIRTUAL];
    h->now = t;
    h->at = 0;
    h->point_kind = kind;
    h->point_sample = sample;
    for (uint32_t f = 0; t->n > 0 && f < h->schema->n_fields; f++) {
        const size_t width = width_of(h, f);
        if (is_of_point(h, f)) {
            column_fill(t->values[f], h->in.values[f] + h->row * width, width, t->n);
        }
    }
    if (t->n > 0) {
        memset(t->fresh, 0, t->n * sizeof *t->fresh);
    }
}

static double point_time(const struct ws_held *h, uint32_t role)
{
    const int32_t field = h->schema->role_field[role];
    return field < 0 ? (double)NAN
                     : ws_value_number(
                           fmt_value_read(h->now->values[field], h->schema->fields[field].type));
}

/* Ends the current point, and gives its records out. */
static void point_end(struct ws_held *h, struct fmt_block *block, struct fmt_columns *columns)
{
    struct table *t = h->now;
    *block = h->block;
    block->n_records = t->n;
    block->min_virtual_time = block->max_virtual_time = point_time(h, FMT_ROLE_VIRTUAL_TIME);
    block->min_real_time = block->max_real_time = point_time(h, FMT_ROLE_REAL_TIME);
    columns->schema = h->schema;
    columns->n_records = t->n;
    columns->values = t->values;
    columns->payload = t->values[h->schema->n_fields];
    columns->payload_offset = t->offsets;
    t->is_complete = true;
    h->now = NULL;
}

/* Gives out the rest of the block as it was written. */
static void rest_give(struct ws_held *h, struct fmt_block *block, struct fmt_columns *columns)
{
    struct fmt_columns in = h->in;
    *block = h->block;
    block->n_records = in.n_records -= h->row;
    for (uint32_t f = 0; f < h->schema->n_fields; f++) {
        in.values[f] += h->row * width_of(h, f);
    }
    in.payload_offset += h->row;
    h->in = *columns;
    h->in.n_records = h->row = 0;
    *columns = in;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

struct ws_held *ws_held_create(const struct ws_file *file, const struct fmt_schema *schema)
{
    struct ws_held *h = calloc(1, sizeof *h);
    if (h != NULL) {
        h->file = file;
        h->schema = schema;
        h->kind = ws_field_find(schema, "kind");
        h->sample = ws_field_find(schema, "sample");
        h->lp = ws_field_find(schema, "lp");
        h->lp_ts = ws_field_find(schema, "lp_ts");
    }
    return h;
}

void ws_held_free(struct ws_held *h)
{
    if (h != NULL) {
        table_free(&h->tables[0], h->schema->n_fields);
        table_free(&h->tables[1], h->schema->n_fields);
        fmt_columns_free(&h->in);
        free(h);
    }
}

void ws_held_take(struct ws_held *h, const struct fmt_block *block)
{
    assert(!h->has_next && h->row == h->in.n_records);
    h->next = *block;
    h->has_next = true;
}

void ws_held_end(struct ws_held *h)
{
    h->is_ended = true;
}

/* Adds the next record to its point. Returns FMT_END if the record belongs to a later point. */
static enum fmt_status record_take(struct ws_held *h)
{
    const uint64_t kind = ws_whole_at(&h->in, h->kind, h->row);
    const uint64_t sample = ws_whole_at(&h->in, h->sample, h->row);
    if (h->now != NULL && (kind != h->point_kind || sample != h->point_sample)) {
        return FMT_END;
    }
    if (h->now == NULL) {
        point_begin(h, kind, sample);
    }
    if (!h->now->is_complete) {
        if (!record_append(h, h->now)) {
            return FMT_ERR_MEMORY;
        }
    } else if (!record_replace(h, h->now)) {
        h->is_loose = true; /* the file is damaged */
        return FMT_END;
    }
    h->row++;
    return FMT_OK;
}

/* Ends the current PE and part. Returns true if a last point comes out; the PE is then still to be
 * ended. */
static bool pe_end(struct ws_held *h, struct fmt_block *block, struct fmt_columns *columns)
{
    if (h->now != NULL) {
        if (!ws_stream_part(h->file, h->block.part)->pes[h->block.pe].ended) {
            table_thin(h, h->now);
        }
        point_end(h, block, columns);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        h->tables[i].n = 0;
        h->tables[i].is_complete = false;
    }
    h->has_pe = h->is_ended = false;
    return false;
}

/* Decodes the block taken last, the first one of a PE if there is no current one. */
static enum fmt_status next_decode(struct ws_held *h, struct fmt_error *error)
{
    if (!h->has_pe) {
        const struct ws_pe *pe = &ws_stream_part(h->file, h->next.part)->pes[h->next.pe];
        h->is_loose = pe->missing > 0 || pe->dropped > 0 || pe->unknown_loss || pe->overwritten > 0;
        h->has_pe = true;
    }
    h->block = h->next;
    h->has_next = false;
    h->row = 0;
    enum fmt_status status = ws_file_decode(h->file, &h->block, NULL, &h->in, error);
    if (status != FMT_OK) {
        h->in.n_records = 0;
        h->is_loose = true;
    }
    return status;
}

/* Adds the records of the block to the current point. Returns FMT_OK if a block comes out. */
static enum fmt_status records_take(struct ws_held *h, struct fmt_block *block,
                                    struct fmt_columns *columns, struct fmt_error *error)
{
    enum fmt_status status = FMT_OK;
    while (status == FMT_OK && !h->is_loose && h->row < h->in.n_records) {
        status = record_take(h);
    }
    if (status == FMT_ERR_MEMORY) {
        h->row = h->in.n_records;
        status = ws_fault_memory(error, NULL);
    } else if (h->is_loose && h->now != NULL) {
        table_thin(h, h->now);
        point_end(h, block, columns);
        status = FMT_OK;
    } else if (h->row < h->in.n_records) {
        (h->is_loose ? rest_give : point_end)(h, block, columns);
        status = FMT_OK;
    } else {
        status = FMT_END;
    }
    return status;
}

enum fmt_status ws_held_next(struct ws_held *h, struct fmt_block *block,
                             struct fmt_columns *columns, struct fmt_error *error)
{
    enum fmt_status status;
    while ((status = records_take(h, block, columns, error)) == FMT_END) {
        const bool is_other = h->has_pe && h->has_next &&
                              (h->block.pe != h->next.pe || h->block.part != h->next.part);
        if ((is_other || h->is_ended) && pe_end(h, block, columns)) {
            return FMT_OK;
        }
        if (!h->has_next) {
            return FMT_END;
        }
        if ((status = next_decode(h, error)) != FMT_OK) {
            return status;
        }
    }
    return status;
}
