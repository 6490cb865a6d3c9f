/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - writes rows of cells as CSV, TSV, JSON or JSON lines; see emit.h.
 */
#include "cli/emit.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "access/select.h"
#include "cli/exit.h"
#include "render/text.h"

static void file_write(void *ctx, const void *bytes, size_t n)
{
    ws_out_write(ctx, bytes, n);
}

void ws_emit_start(struct ws_emitter *e)
{
    assert((e->out != NULL) != (e->file_out != NULL));
    e->sink = (struct ws_sink){.out = e->out,
                               .write = file_write,
                               .ctx = e->file_out,
                               .bytes = e->buffer,
                               .size = sizeof e->buffer};
}

static char separator(const struct ws_emitter *e)
{
    return e->tabs && !e->json ? '\t' : ',';
}

static void text_write(struct ws_emitter *e, const char *text, size_t size)
{
    if (e->json) {
        ws_sink_json(&e->sink, text, size);
    } else if (e->tabs) {
        ws_sink_tsv(&e->sink, text, size);
    } else {
        ws_sink_csv(&e->sink, text, size);
    }
}

/* Stores the keys of the record's fields in JSON at the beginning of e->buffer: for each, its length
 * and the text "NAME":. Sets e->record_room, to more than the buffer has if they do not fit. */
static void keys_make(struct ws_emitter *e, const struct ws_table *t)
{
    char *key = e->buffer;
    e->record_room = t->n_record_columns * (DECIMAL_MAX + 1);
    for (uint32_t i = 0; e->json && i < t->n_record_columns; i++) {
        size_t length = strlen(t->names[i]) + 3;
        if (length > UINT8_MAX || (size_t)(key - e->buffer) + 1 + length > sizeof e->buffer / 4) {
            e->record_room = sizeof e->buffer + 1;
            return;
        }
        *(uint8_t *)key++ = (uint8_t)length;
        *key = '"';
        memcpy(key + 1, t->names[i], length - 3);
        memcpy(key + length - 2, "\":", 2);
        key += length;
        e->record_room += length;
    }
    e->sink.bytes = key;
    e->sink.size = sizeof e->buffer - (size_t)(key - e->buffer);
}

void ws_emit_begin(struct ws_emitter *e, const struct ws_table *t)
{
    ws_emit_start(e);
    keys_make(e, t);
    if (e->json) {
        ws_sink_text(&e->sink, e->lines ? "" : "[");
        return;
    }
    for (uint32_t i = 0; i < ws_table_shown(t); i++) {
        const char *name = t->names[ws_table_column(t, i)];
        if (i > 0) {
            ws_sink_char(&e->sink, separator(e));
        }
        text_write(e, name, strlen(name));
    }
    ws_sink_char(&e->sink, '\n');
}

void ws_emit_value(struct ws_emitter *e, const struct fmt_value *v)
{
    e->sink.used += ws_format_value(ws_sink_room(&e->sink, DECIMAL_MAX), v, e->json);
}

static void hex_write(struct ws_emitter *e, const uint8_t *bytes, size_t size)
{
    ws_sink_text(&e->sink, e->json ? "\"" : "");
    for (size_t i = 0; i < size; i++) {
        ws_render_hex(ws_sink_room(&e->sink, 2), bytes + i, 1, false);
        e->sink.used += 2;
    }
    ws_sink_text(&e->sink, e->json ? "\"" : "");
}

static void cell_write(struct ws_emitter *e, const struct ws_cell *cell)
{
    switch (cell->kind) {
    case WS_CELL_VALUE:
        ws_emit_value(e, &cell->value);
        break;
    case WS_CELL_TEXT:
        text_write(e, cell->bytes, cell->size);
        break;
    case WS_CELL_HEX:
        hex_write(e, cell->bytes, cell->size);
        break;
    case WS_CELL_EMPTY:
        break;
    }
}

/* Begins a row. Returns true if its first cell is the first one in the line. */
static bool row_begin(struct ws_emitter *e)
{
    if (e->json) {
        ws_sink_text(&e->sink, e->lines ? "{" : e->rows > 0 ? ",\n{" : "\n{");
    }
    if (e->json && e->file != NULL) {
        ws_sink_text(&e->sink, "\"file\":");
        ws_sink_json(&e->sink, e->file, strlen(e->file));
    }
    return !e->json || e->file == NULL;
}

static void row_end(struct ws_emitter *e)
{
    ws_sink_text(&e->sink, !e->json ? "\n" : e->lines ? "}\n" : "}");
    e->rows++;
}

/* Writes the cell of a column. *first: true if it is the first one in the line. JSON leaves out empty
 * cells. */
static void column_write(struct ws_emitter *e, const struct ws_table *t, uint32_t column,
                         bool *first)
{
    const struct ws_cell *cell = &t->cells[column];
    if (e->json && cell->kind == WS_CELL_EMPTY) {
        return;
    }
    if (!*first) {
        ws_sink_char(&e->sink, separator(e));
    }
    *first = false;
    if (e->json) {
        ws_sink_char(&e->sink, '"');
        ws_sink_text(&e->sink, t->names[column]);
        ws_sink_text(&e->sink, "\":");
    }
    cell_write(e, cell);
}

void ws_emit_row(struct ws_emitter *e, const struct ws_table *t)
{
    bool first = row_begin(e);
    for (uint32_t i = 0; i < ws_table_shown(t); i++) {
        column_write(e, t, ws_table_column(t, i), &first);
    }
    row_end(e);
}

/* Writes the fields of a record, which are numbers, directly from the block. */
static void fields_write(struct ws_emitter *e, const struct ws_table *t,
                         const struct fmt_columns *c, uint32_t row, uint32_t from, bool *first)
{
    static const uint8_t sizes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8}; /* [enum fmt_type] */
    const struct fmt_schema *schema = c->schema;
    const int32_t *fields = t->column_field[ws_schema_number(t->sb, schema)];
    const char *key = e->buffer;
    char *begin = ws_sink_room(&e->sink, e->record_room), *to = begin;
    const bool json = e->json;
    const char between = separator(e);
    uint8_t length = 0;
    for (uint32_t i = 0; i < t->n_record_columns; i++, key += length) {
        const int32_t field = fields[i];
        length = json ? *(const uint8_t *)key++ : 0;
        if (i < from || (json && field < 0)) {
            continue;
        }
        *to = between;
        to += !*first;
        *first = false;
        if (json) {
            memcpy(to, key, length);
            to += length;
        }
        if (field >= 0) {
            const uint32_t type = schema->fields[field].type;
            to = ws_render_number(to, c->values[field] + row * sizes[type], type, json);
        }
    }
    e->sink.used += (size_t)(to - begin);
}

const char *ws_emit_record(struct ws_emitter *e, struct ws_table *t, const struct fmt_columns *c,
                           uint32_t row)
{
    assert(row < c->n_records);
    if (t->type_names || t->chosen || e->record_room > e->sink.size) {
        const char *wrong = ws_table_fill(t, c, row);
        ws_emit_row(e, t);
        return wrong;
    }
    bool first = row_begin(e);
    uint32_t several = t->sb->n_schemas > 1;
    if (several) {
        t->cells[0] = (struct ws_cell){
            .kind = WS_CELL_TEXT, .bytes = c->schema->name, .size = strlen(c->schema->name)};
        column_write(e, t, 0, &first);
    }
    fields_write(e, t, c, row, several, &first);
    const char *wrong = ws_table_fill_payload(t, c, row);
    for (uint32_t i = t->n_record_columns; i < t->n_columns; i++) {
        column_write(e, t, i, &first);
    }
    row_end(e);
    return wrong;
}

void ws_emit_end(struct ws_emitter *e)
{
    if (e->json && !e->lines) {
        ws_sink_text(&e->sink, "\n]\n");
    }
    ws_sink_flush(&e->sink);
}

/* Returns true if standard output is a pipe without a reader. */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int ws_output_failed(int sys_errno)
{
    if (sys_errno != EPIPE && !(sys_errno == 0 && reader_is_gone())) {
        fprintf(stderr, "warpscope: cannot write the output%s%s\n", sys_errno == 0 ? "" : ": ",
                sys_errno == 0 ? "" : strerror(sys_errno));
    }
    return WS_EXIT_OUTPUT;
}

void ws_output_flush(int *sys_errno)
{
    errno = 0;
    if (fflush(stdout) != 0 && *sys_errno == 0) {
        *sys_errno = errno;
    }
}
