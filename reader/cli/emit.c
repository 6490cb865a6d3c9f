/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - writes records as CSV, TSV, JSON or JSON lines; see emit.h.
 *
 * Rows are written to the buffer of the output. Since the maximum size of a row is known beforehand,
 * one check of space per row suffices.
 */
#include "cli/emit.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/bind.h"
#include "cli/exit.h"
#include "render/text.h"
#include "text/csv.h"
#include "text/json.h"

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Returns the maximum size in bytes of the names that a row can show in place of numbers. */
static size_t names_max(const struct ws_table *t)
{
    size_t size = 0, owner = 0;
    for (size_t d = 0; d < t->descs->n; d++) {
        size_t one = strlen(t->descs->descs[d].owner);
        owner = one > owner ? one : owner;
    }
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        size += strlen(t->sb->schemas[s]->name);
        for (uint32_t i = 0; t->labels != NULL && i < t->labels[s].n; i++) {
            const struct ws_labels *labels = &t->labels[s].list[i];
            size_t most = 0;
            for (uint32_t n = 0; n < labels->n; n++) {
                size_t one = strlen(labels->names[n]);
                most = one > most ? one : most;
            }
            size += most;
        }
    }
    return size + owner;
}

/* Lists the shown columns, and computes row_max. Returns false if out of memory. */
static bool keys_make(struct ws_emitter *e, const struct ws_table *t)
{
    size_t size = 1;
    uint32_t *times = calloc((size_t)t->n_columns + 1, sizeof *times); /* [column] */
    e->n_keys = ws_table_shown(t);
    e->keys = times == NULL ? NULL : calloc((size_t)e->n_keys + 1, sizeof *e->keys);
    e->times = 1;
    for (uint32_t i = 0; e->keys != NULL && i < e->n_keys; i++) {
        struct ws_emit_key *key = &e->keys[i];
        *key = (struct ws_emit_key){.column = ws_table_column(t, i), .at = size - 1};
        size += json_string_max(strlen(t->names[key->column])) + 1;
        e->times = ++times[key->column] > e->times ? times[key->column] : e->times;
    }
    free(times);
    e->key_texts = malloc(size);
    for (uint32_t i = 0; e->keys != NULL && e->key_texts != NULL && i < e->n_keys; i++) {
        struct ws_emit_key *key = &e->keys[i];
        const char *name = t->names[key->column];
        char *to = e->key_texts + key->at, *end = json_write_string(to, name, strlen(name));
        *end++ = ':';
        key->length = (uint32_t)(end - to);
    }
    /* JSON is the longest form. The header of CSV fits as well: a name takes 3 bytes for each of its
     * own. */
    e->row_max = 64 + e->n_keys * (DECIMAL_MAX + (size_t)4) + size +
                 e->times * json_string_max(names_max(t));
    return e->keys != NULL && e->key_texts != NULL;
}

static char *text_put(const struct ws_emitter *e, char *to, const void *text, size_t size)
{
    return e->json   ? json_write_string(to, text, size)
           : e->tabs ? ws_render_tsv(to, text, size)
                     : csv_write(to, text, size);
}

void ws_emit_begin(struct ws_emitter *e, const struct ws_table *t)
{
    ws_emit_free(e);
    e->rows = 0;
    e->between = e->tabs ? '\t' : ',';
    if (!keys_make(e, t)) {
        ws_out_failed(e->out, "out of memory", 0);
        return;
    }
    char *begin = (char *)ws_out_room(e->out, e->row_max), *to = begin;
    if (begin == NULL) {
        return;
    }
    if (e->json && !e->lines) {
        *to++ = '[';
    }
    for (uint32_t i = 0; !e->json && i < e->n_keys; i++) {
        const char *name = t->names[e->keys[i].column];
        *to = e->between;
        to = text_put(e, to + (i > 0), name, strlen(name));
    }
    *to = '\n';
    ws_out_take(e->out, (size_t)(to + !e->json - begin));
}

void ws_emit_end(struct ws_emitter *e)
{
    if (e->json && !e->lines) {
        ws_out_write(e->out, "\n]\n", 3);
    }
}

void ws_emit_free(struct ws_emitter *e)
{
    free(e->keys);
    free(e->key_texts);
    e->keys = NULL;
    e->key_texts = NULL;
    e->n_keys = 0;
    e->last = (struct ws_plan_last){.known = false};
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static char *cell_put(const struct ws_emitter *e, char *to, const struct ws_cell *cell)
{
    if (cell->type < FMT_CHAR) {
        return ws_render_number(to, cell->bytes, cell->type, e->json);
    }
    return cell->type == FMT_CHAR ? text_put(e, to, cell->bytes, cell->size)
                                  : ws_render_hex(to, cell->bytes, cell->size, e->json);
}

/* Writes the key of a cell. texts: e->key_texts in JSON; NULL: there are no keys. */
static inline char *key_put(char *to, const struct ws_emit_key *key, const char *texts)
{
    if (texts != NULL) {
        memcpy(to, texts + key->at, key->length);
        to += key->length;
    }
    return to;
}

/* Writes the cells of the record's fields, which are numbers, from column `from` on. Returns the end
 * of the output. To a compiler, the characters that it writes can be part of any object, so that
 * values stay in registers only if they are variables of the function. */
static char *fields_put(const struct ws_emitter *e, char *to, const struct ws_table *t,
                        const struct fmt_columns *c, uint32_t row, uint32_t from)
{
    static const uint8_t sizes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8}; /* [enum fmt_type] */
    const int32_t *field = t->column_field[ws_schema_number(t->sb, c->schema)] + from;
    const struct ws_emit_key *key = e->keys + from, *end = e->keys + t->n_record_columns;
    const struct fmt_field *all = c->schema->fields;
    uint8_t *const *values = c->values;
    const char *texts = e->json ? e->key_texts : NULL;
    const char between = e->between;
    for (; key < end; key++, field++) {
        if (*field >= 0) {
            const uint32_t type = all[*field].type;
            to = key_put(to, key, texts);
            to = ws_render_number(to, values[*field] + row * sizes[type], type, texts != NULL);
            *to++ = between;
        } else if (texts == NULL) {
            *to++ = between;
        }
    }
    return to;
}

/* Writes the cells of a described payload. Returns the end of the output. */
static char *elements_put(const struct ws_emitter *e, char *to, const struct ws_table *t,
                          const uint8_t *payload, const struct ws_plan *plan)
{
    const struct ws_element *element = plan->elements, *last = element + plan->n;
    const struct ws_emit_key *key = e->keys + t->n_record_columns, *end = e->keys + t->first_label;
    const char *texts = e->json ? e->key_texts : NULL;
    const char between = e->between;
    for (; key < end; key++) {
        if (element < last && element->place == key->column) {
            const uint8_t *bytes = payload + element->offset;
            to = key_put(to, key, texts);
            to = element->type == FMT_CHAR
                     ? text_put(e, to, bytes, strnlen((const char *)bytes, element->count))
                     : ws_render_number(to, bytes, element->type, texts != NULL);
            *to++ = between;
            element++;
        } else if (texts == NULL) {
            *to++ = between;
        }
    }
    return to;
}

/* Writes the cells of a row, each with a separator behind it. Returns the end of the output. */
static char *cells_put(const struct ws_emitter *e, char *to, const struct ws_table *t,
                       const struct fmt_columns *c, uint32_t row, int32_t plan)
{
    const uint32_t first_field = t->sb->n_schemas > 1;
    const bool by_fields = !t->chosen && !t->type_names && first_field < t->n_record_columns;
    const bool by_elements = !t->chosen && plan >= 0 && t->n_record_columns < t->first_label;
    for (uint32_t i = 0; i < e->n_keys;) {
        if (by_fields && i == first_field) {
            to = fields_put(e, to, t, c, row, first_field);
            i = t->n_record_columns;
        } else if (by_elements && i == t->n_record_columns) {
            const uint8_t *payload = c->payload + c->payload_offset[row];
            to = elements_put(e, to, t, payload, &t->plans[plan]);
            i = t->first_label;
        } else {
            const struct ws_cell cell = ws_table_cell(t, c, row, plan, e->keys[i].column);
            if (cell.bytes != NULL) {
                to = key_put(to, &e->keys[i], e->json ? e->key_texts : NULL);
                to = cell_put(e, to, &cell);
            }
            *to = e->between;
            to += !e->json || cell.bytes != NULL;
            i++;
        }
    }
    return to;
}

bool ws_emit_row(struct ws_emitter *e, const struct ws_table *t, const struct fmt_columns *c,
                 uint32_t row, int32_t plan)
{
    size_t texts = plan == WS_PLAN_BYTES
                       ? (size_t)(c->payload_offset[row + 1] - c->payload_offset[row])
                   : plan >= 0 ? (size_t)t->plans[plan].text_bytes
                               : 0;
    texts += e->file != NULL ? strlen(e->file) : 0;
    char *begin = (char *)ws_out_room(e->out, e->row_max + e->times * json_string_max(texts));
    char *to = begin;
    if (begin == NULL) {
        return false;
    }
    if (e->json && !e->lines) {
        *to = ',';
        to += e->rows > 0;
        *to++ = '\n';
    }
    *to = '{';
    to += e->json;
    char *cells = to;
    if (e->json && e->file != NULL) {
        memcpy(to, "\"file\":", 7);
        to = json_write_string(to + 7, e->file, strlen(e->file));
        *to++ = ',';
    }
    to = cells_put(e, to, t, c, row, plan);
    to -= to > cells;
    *to = '}';
    to += e->json;
    *to = '\n';
    to += !e->json || e->lines;
    ws_out_take(e->out, (size_t)(to - begin));
    e->rows++;
    return true;
}

const char *ws_emit_record(struct ws_emitter *e, const struct ws_table *t,
                           const struct fmt_columns *c, uint32_t row)
{
    int32_t plan = ws_table_plan(t, &e->last, c, row);
    ws_emit_row(e, t, c, row, plan);
    return e->last.words;
}

/* ---- Standard output ------------------------------------------------------------------------- */

int ws_output_failed(int sys_errno)
{
    /* The stream has forgotten why it failed: writing once more fails for the same reason. */
    if (sys_errno == 0 && write(STDOUT_FILENO, "\n", 1) < 0) {
        sys_errno = errno;
    }
    if (sys_errno != EPIPE) {
        fprintf(stderr, "warpscope: cannot write the output%s%s\n", sys_errno == 0 ? "" : ": ",
                sys_errno == 0 ? "" : strerror(sys_errno));
    }
    return WS_EXIT_OUTPUT;
}
