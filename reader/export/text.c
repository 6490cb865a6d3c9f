/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - writes records as CSV, TSV, JSON and JSON lines, one file per kind of record. The text
 * is that of "warpscope dump".
 *
 * Rows are formatted in the output's buffer. Since the maximum size of a row is known beforehand,
 * one check of space per row suffices. TSV, and rows of which only some columns are shown, are
 * formatted cell by cell.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/text.h"
#include "render/text.h"
#include "text/csv.h"
#include "text/json.h"

/* ---- Beginning and end ----------------------------------------------------------------------- */

static bool labels_make(struct ws_text_sink *k, const struct ws_table *t)
{
    k->labels = calloc(t->n_columns, sizeof *k->labels);
    k->label_lengths = calloc(t->n_columns, sizeof *k->label_lengths);
    if (k->labels == NULL || k->label_lengths == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < t->n_columns; i++) {
        size_t length = strlen(t->names[i]);
        k->labels[i] = malloc(length + 4);
        if (k->labels[i] == NULL) {
            return false;
        }
        k->label_lengths[i] = (size_t)snprintf(k->labels[i], length + 4, "\"%s\":", t->names[i]);
        k->row_max += k->label_lengths[i];
    }
    return true;
}

/* Returns the maximum length in bytes of a name in labels, as a JSON string. */
static size_t labels_max(const struct ws_labels *labels)
{
    size_t most = 0;
    for (uint32_t i = 0; i < labels->n; i++) {
        size_t size = json_string_max(strlen(labels->names[i]));
        most = size > most ? size : most;
    }
    return most;
}

static bool sink_make(struct ws_text_sink *k, const struct ws_table_schema *kind)
{
    assert(kind->table.first_label <= kind->table.n_columns);
    const struct ws_table *t = &kind->table;
    size_t n_plans = t->descs->n;
    k->n_fields = kind->schema->n_fields;
    k->n_places = t->first_label;
    k->n_columns = t->n_columns;
    k->row_max = 16 + (size_t)t->n_columns * (DECIMAL_MAX + 1);
    k->plan_max = calloc(n_plans + 1, sizeof *k->plan_max);
    if (k->plan_max == NULL || !labels_make(k, t)) {
        return false;
    }
    for (uint32_t i = k->n_places; i < k->n_columns; i++) {
        k->row_max += labels_max(kind->columns[i].labels);
    }
    for (size_t d = 0; d < n_plans; d++) {
        for (uint32_t e = 0; e < kind->plans[d].n; e++) {
            const struct ws_element *element = &kind->plans[d].elements[e];
            k->plan_max[d] += element->type == FMT_CHAR ? json_string_max(element->count) : 0;
        }
    }
    return true;
}

static bool header_write(struct ws_text_sink *k, const struct ws_table *t)
{
    if (k->json) {
        return k->lines || ws_out_write(k->out, "[", 1);
    }
    for (uint32_t i = 0; i < ws_table_shown(t); i++) {
        const char *name = t->names[ws_table_column(t, i)];
        if ((i > 0 && !ws_out_write(k->out, k->tabs ? "\t" : ",", 1)) ||
            !ws_out_write(k->out, name, strlen(name))) {
            return false;
        }
    }
    return ws_out_write(k->out, "\n", 1);
}

static bool kind_begin(struct ws_export *x, struct ws_table_schema *kind)
{
    struct ws_text_sink *k = calloc(1, sizeof *k);
    kind->sink = k;
    if (k == NULL || !sink_make(k, kind)) {
        return ws_no_memory(&x->outs.failed);
    }
    if (!ws_fields_apply(&x->fields, &kind->table)) {
        return ws_no_memory(&x->outs.failed);
    }
    k->lines = x->format == &ws_export_jsonl;
    k->json = k->lines || x->format == &ws_export_json;
    k->tabs = x->format == &ws_export_tsv;
    k->cells = k->tabs || kind->table.chosen;
    k->out = ws_export_out(x, kind->name);
    return k->out != NULL && header_write(k, &kind->table);
}

static bool kind_end(struct ws_export *x, struct ws_table_schema *kind)
{
    struct ws_text_sink *k = kind->sink;
    (void)x;
    return (!k->json || k->lines || ws_out_write(k->out, "\n]\n", 3)) && ws_out_end(k->out);
}

static void kind_fini(struct ws_table_schema *kind)
{
    struct ws_text_sink *k = kind->sink;
    if (k == NULL) {
        return;
    }
    for (uint32_t i = 0; k->labels != NULL && i < k->n_columns; i++) {
        free(k->labels[i]);
    }
    free(k->labels);
    free(k->label_lengths);
    free(k->plan_max);
    free(k);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static char *label_put(const struct ws_text_sink *k, char *to, uint32_t place)
{
    assert(place < k->n_columns);
    if (place > 0) {
        *to++ = ',';
    }
    if (k->json) {
        memcpy(to, k->labels[place], k->label_lengths[place]);
        to += k->label_lengths[place];
    }
    return to;
}

static char *fields_put(const struct ws_text_sink *k, char *to, const struct ws_table_schema *kind,
                        const struct fmt_columns *c, uint32_t row)
{
    for (uint32_t i = 0; i < k->n_fields; i++) {
        const struct ws_column *column = &kind->columns[i];
        to = label_put(k, to, i);
        to = ws_render_number(to, c->values[column->field] + (size_t)row * column->size,
                              column->type, k->json);
    }
    return to;
}

static char *element_put(const struct ws_text_sink *k, char *to, const struct ws_element *e,
                         const uint8_t *payload)
{
    const uint8_t *from = payload + e->offset;
    if (e->type != FMT_CHAR) {
        return ws_render_number(to, from, e->type, k->json);
    }
    size_t length = ws_text_length(from, e->count);
    return k->json ? json_write_string(to, from, length) : csv_write(to, from, length);
}

/* For CSV, writes to `to` the commas of the empty columns `from` to end - 1. For JSON, writes
 * nothing. Returns the end of the text. */
static char *commas_put(const struct ws_text_sink *k, char *to, uint32_t from, uint32_t end)
{
    for (uint32_t place = from; place < end && !k->json; place++) {
        *to++ = ',';
    }
    return to;
}

static char *payload_put(const struct ws_text_sink *k, char *to, const struct ws_table_schema *kind,
                         int32_t number, const uint8_t *payload, size_t size)
{
    uint32_t place = k->n_fields;
    if (number == WS_PLAN_BYTES) {
        uint32_t at = (uint32_t)kind->table.hex_column;
        to = label_put(k, commas_put(k, to, place, at), at);
        to = ws_render_hex(to, payload, size, k->json);
        place = at + 1;
    } else if (number >= 0) {
        const struct ws_plan *plan = &kind->plans[number];
        for (uint32_t i = 0; i < plan->n; i++) {
            const struct ws_element *e = &plan->elements[i];
            to = label_put(k, commas_put(k, to, place, e->place), e->place);
            to = element_put(k, to, e, payload);
            place = e->place + 1;
        }
    }
    return commas_put(k, to, place, k->n_places);
}

static char *names_put(const struct ws_text_sink *k, char *to, const struct ws_table_schema *kind,
                       const struct fmt_columns *c, uint32_t row)
{
    for (uint32_t i = k->n_places; i < k->n_columns; i++) {
        const struct ws_labels *labels = kind->columns[i].labels;
        const char *name = ws_label_name(labels, c, row);
        if (name == NULL) {
            to = commas_put(k, to, i, i + 1);
            continue;
        }
        to = label_put(k, to, i);
        to =
            k->json ? json_write_string(to, name, strlen(name)) : csv_write(to, name, strlen(name));
    }
    return to;
}

static bool row_write(struct ws_text_sink *k, const struct ws_table_schema *kind,
                      const struct ws_rows *rows, uint32_t row)
{
    const struct fmt_columns *c = rows->columns;
    int32_t plan = rows->plans == NULL ? WS_PLAN_NONE : rows->plans[row];
    size_t room = k->row_max, size = 0;
    if (plan == WS_PLAN_BYTES) {
        size = (size_t)(c->payload_offset[row + 1] - c->payload_offset[row]);
        room += json_string_max(size);
    } else if (plan >= 0) {
        room += k->plan_max[plan];
    }
    char *begin = (char *)ws_out_room(k->out, room), *to = begin;
    if (begin == NULL) {
        return false;
    }
    to = ws_text_row_begin(k, to);
    to = fields_put(k, to, kind, c, row);
    if (k->n_places > k->n_fields) {
        const uint8_t *payload = plan == WS_PLAN_NONE ? NULL : c->payload + c->payload_offset[row];
        to = payload_put(k, to, kind, plan, payload, size);
    }
    to = names_put(k, to, kind, c, row);
    to = ws_text_row_end(k, to);
    assert((size_t)(to - begin) <= room);
    ws_out_take(k->out, (size_t)(to - begin));
    return true;
}

static bool kind_rows(struct ws_export *x, struct ws_table_schema *kind, const struct ws_rows *rows)
{
    struct ws_text_sink *k = kind->sink;
    (void)x;
    if (k->cells && ws_table_shown(&kind->table) == 0) {
        return true; /* this kind of record has none of the columns to show */
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t row = ws_rows_row(rows, i);
        if (!(k->cells ? ws_text_row_cells(k, kind, rows->columns, row)
                       : row_write(k, kind, rows, row))) {
            return false;
        }
    }
    return true;
}

#define TEXT_FORMAT(format_name)                                                                   \
    {                                                                                              \
        .name = (format_name), .extension = (format_name), .to_pipe = true, .per_kind = true,      \
        .is_text = true, .with_labels = true, .kind_begin = kind_begin, .kind_rows = kind_rows,    \
        .kind_end = kind_end, .kind_fini = kind_fini,                                              \
    }
const struct ws_export_format ws_export_csv = TEXT_FORMAT("csv");
const struct ws_export_format ws_export_tsv = TEXT_FORMAT("tsv");
const struct ws_export_format ws_export_json = TEXT_FORMAT("json");
const struct ws_export_format ws_export_jsonl = TEXT_FORMAT("jsonl");
