/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - writes records as CSV, TSV, JSON or JSON lines; see emit.h.
 *
 * The cells of a group of records are made column by column, in loops for one type of values, and then
 * put side by side by copies of a fixed size. Only cells that are too long for this are made where
 * they are put. Rows are written to the buffer of the output. Since the maximum size of a row is known
 * beforehand, one check of space per row suffices.
 */
#include "cli/emit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit.h"
#include "render/text.h"
#include "text/csv.h"
#include "text/json.h"

#define GROUP     32u /* number of records whose cells are made together */
#define CELL_LONG UINT8_MAX

#define KEY_COPIED 16u /* bytes of a key in JSON that are copied at once */

/* A cell as text. */
struct ws_emit_cell {
    char text[31];
    /* Size of the text with the separator, which follows it; 0: the row has no member for the cell;
     * CELL_LONG: the text is too long. */
    uint8_t size;
};

/* A group of records. */
struct group {
    const struct ws_emitter *e;
    const struct ws_table *t;
    const struct fmt_columns *columns;
    uint32_t n;
    size_t rows[GROUP]; /* [i]: index in the block of record i */
    size_t
        payloads[GROUP]; /* [i]: offset in the block of its payload, if the records have payloads */
    int32_t plans[GROUP]; /* [i]: treatment of its payload */
    bool one_plan;        /* true if all have the same treatment */
};

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
            for (uint32_t n = 0; n < labels->known.n; n++) {
                size_t one = strlen(labels->known.names[n]);
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
    e->key_texts = malloc(size + KEY_COPIED);
    /* A number may overwrite bytes behind its cell. */
    e->cells = malloc((e->n_keys * GROUP + (size_t)1) * sizeof *e->cells + DECIMAL_MAX);
    for (uint32_t i = 0; e->keys != NULL && e->key_texts != NULL && i < e->n_keys; i++) {
        struct ws_emit_key *key = &e->keys[i];
        const char *name = t->names[key->column];
        char *to = e->key_texts + key->at, *end = json_write_string(to, name, strlen(name));
        *end++ = ':';
        key->length = (uint32_t)(end - to);
    }
    /* JSON is the longest form. The header of CSV fits as well: a name takes 3 bytes for each of its
     * own. */
    e->row_max = 128 + e->n_keys * (DECIMAL_MAX + (size_t)4) + size +
                 e->times * json_string_max(names_max(t));
    return e->keys != NULL && e->key_texts != NULL && e->cells != NULL;
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
    free(e->cells);
    e->keys = NULL;
    e->key_texts = NULL;
    e->cells = NULL;
    e->n_keys = 0;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Ends the text of a cell with the separator. */
static inline void cell_end(struct ws_emit_cell *cell, char *end, char between)
{
    *end = between;
    cell->size = (uint8_t)(end + 1 - cell->text);
}

/* Numbers of one type: number i is at base + places[i] * scale, its bytes in little-endian order. */
struct numbers {
    const uint8_t *base;
    const size_t *places;
    size_t scale;
    uint32_t type;
};

/* Makes the cells of n numbers of any type. Numbers in a row are often the same. To a compiler, the
 * characters of a cell can be part of any object: values stay in registers only if they are variables
 * of the function. */
static void numbers_make(struct ws_emit_cell *cells, uint32_t n, const struct numbers numbers,
                         char between, bool json)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *raw = numbers.base + numbers.places[i] * numbers.scale;
        struct fmt_value v = {.type = FMT_F64};
        if (numbers.type == FMT_F64) {
            memcpy(&v.as.f, raw, 8);
        } else {
            v = fmt_value_read(raw, numbers.type);
        }
        if (i > 0 && v.as.u == last) {
            cells[i] = cells[i - 1];
        } else {
            char *text = cells[i].text;
            cell_end(&cells[i], text + ws_format_value(text, &v, json), between);
        }
        last = v.as.u;
    }
}

/* Like numbers_make(), for the most frequent types. size: that of the type, a constant. */
static inline void counts_make(struct ws_emit_cell *cells, uint32_t n, const struct numbers numbers,
                               char between, size_t size)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = 0;
        char *text = cells[i].text;
        memcpy(&v, numbers.base + numbers.places[i] * numbers.scale, size);
        if (v < 10) {
            text[0] = (char)('0' + v);
            text[1] = between;
            cells[i].size = 2;
        } else {
            cell_end(&cells[i], text + decimal_u64(text, v), between);
        }
    }
}

static void numbers_put(const struct group *g, struct ws_emit_cell *cells,
                        const struct numbers numbers)
{
    switch (numbers.type) {
    case FMT_U64:
        counts_make(cells, g->n, numbers, g->e->between, 8);
        break;
    case FMT_U32:
        counts_make(cells, g->n, numbers, g->e->between, 4);
        break;
    default:
        numbers_make(cells, g->n, numbers, g->e->between, g->e->json);
        break;
    }
}

/* Makes cells in any column, as ws_table_cell() finds them. */
static void cells_make(const struct group *g, struct ws_emit_cell *cells, uint32_t column)
{
    const void *last = NULL;
    const char between = g->e->between;
    const uint32_t kind = ws_schema_number(g->t->sb, g->columns->schema);
    const bool same = g->one_plan && g->plans[0] >= 0 && ws_table_is_type(g->t, kind, column);
    for (uint32_t i = 0; i < g->n; i++) {
        struct ws_emit_cell *to = &cells[i];
        if (same && i > 0) {
            *to = cells[i - 1];
            continue;
        }
        const struct ws_cell cell =
            ws_table_cell(g->t, g->columns, (uint32_t)g->rows[i], g->plans[i], column);
        char text[6 * sizeof to->text + 2], *end = text + sizeof to->text;
        if (cell.bytes == NULL) {
            cell_end(to, to->text, between);
            to->size = !g->e->json;
        } else if (cell.bytes == last) { /* the name that record i - 1 has */
            *to = cells[i - 1];
        } else if (cell.type < FMT_CHAR) {
            const struct fmt_value v = fmt_value_read(cell.bytes, cell.type);
            cell_end(to, to->text + ws_format_value(to->text, &v, g->e->json), between);
        } else {
            if (cell.type == FMT_CHAR && cell.size < sizeof to->text) {
                end = text_put(g->e, text, cell.bytes, cell.size);
            }
            const size_t size = (size_t)(end - text);
            to->size = CELL_LONG;
            if (size < sizeof to->text) {
                memcpy(to->text, text, size);
                cell_end(to, to->text + size, between);
            }
        }
        last = cell.bytes;
    }
}

/* Makes the cells in a column. */
static void column_make(const struct group *g, struct ws_emit_cell *cells, uint32_t column)
{
    const struct ws_table *t = g->t;
    const struct fmt_columns *c = g->columns;
    const uint32_t kind = ws_schema_number(t->sb, c->schema);
    const bool in_record = column < t->n_record_columns;
    const int32_t field = in_record && !t->type_names ? t->column_field[kind][column] : -1;
    const struct ws_element *element =
        g->one_plan && g->plans[0] >= 0 && !in_record && column < t->first_label
            ? ws_table_element(&t->plans[g->plans[0]], column)
            : NULL;
    if (field >= 0) {
        const uint32_t type = c->schema->fields[field].type;
        numbers_put(g, cells,
                    (struct numbers){c->values[field], g->rows, fmt_type_size(type), type});
    } else if (element != NULL && element->type < FMT_CHAR) {
        numbers_put(g, cells,
                    (struct numbers){c->payload + element->offset, g->payloads, 1, element->type});
    } else {
        cells_make(g, cells, column);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Writes the cells of record i, each with a separator behind it. Returns the end of the output. */
static inline char *cells_put(const struct group *g, char *to, uint32_t i, bool json)
{
    const struct ws_emitter *e = g->e;
    const struct ws_emit_key *key = e->keys, *end = key + e->n_keys;
    const struct ws_emit_cell *cell = e->cells + i;
    for (const char *texts = e->key_texts; key < end; key++, cell += GROUP) {
        const size_t size = cell->size;
        if (json && size > 0) {
            memcpy(to, texts + key->at, key->length <= KEY_COPIED ? KEY_COPIED : key->length);
            to += key->length;
        }
        if (size == CELL_LONG) {
            const struct ws_cell long_cell =
                ws_table_cell(g->t, g->columns, (uint32_t)g->rows[i], g->plans[i], key->column);
            to = long_cell.type == FMT_CHAR
                     ? text_put(e, to, long_cell.bytes, long_cell.size)
                     : ws_render_hex(to, long_cell.bytes, long_cell.size, json);
            *to++ = e->between;
        } else {
            memcpy(to, cell, sizeof *cell);
            to += size;
        }
    }
    return to;
}

static bool row_put(const struct group *g, struct ws_emitter *e, uint32_t i)
{
    const uint64_t *offset = g->columns->payload_offset;
    const int32_t plan = g->plans[i];
    size_t texts = plan == WS_PLAN_BYTES ? (size_t)(offset[g->rows[i] + 1] - g->payloads[i])
                   : plan >= 0           ? (size_t)g->t->plans[plan].text_bytes
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
    to = e->json ? cells_put(g, to, i, true) : cells_put(g, to, i, false);
    to -= to > cells;
    *to = '}';
    to += e->json;
    *to = '\n';
    to += !e->json || e->lines;
    ws_out_take(e->out, (size_t)(to - begin));
    e->rows++;
    return true;
}

bool ws_emit_rows(struct ws_emitter *e, const struct ws_table *t, const struct ws_rows *rows)
{
    const struct fmt_columns *c = rows->columns;
    const bool has_payload = c->schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    struct ws_plan_last last = {.known = false};
    struct group g = {.e = e, .t = t, .columns = c};
    for (uint32_t first = 0; first < rows->n; first += g.n) {
        g.n = rows->n - first < GROUP ? rows->n - first : GROUP;
        g.one_plan = true;
        for (uint32_t i = 0; i < g.n; i++) {
            const uint32_t row = ws_rows_row(rows, first + i);
            g.rows[i] = row;
            g.payloads[i] = has_payload ? (size_t)c->payload_offset[row] : 0;
            g.plans[i] = rows->plans != NULL ? rows->plans[row] : ws_table_plan(t, &last, c, row);
            g.one_plan &= g.plans[i] == g.plans[0];
        }
        for (uint32_t k = 0; k < e->n_keys; k++) {
            column_make(&g, e->cells + (size_t)k * GROUP, e->keys[k].column);
        }
        for (uint32_t i = 0; i < g.n; i++) {
            if (!row_put(&g, e, i)) {
                return false;
            }
        }
    }
    return true;
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
