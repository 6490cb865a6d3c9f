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

void ws_emit_start(struct ws_emitter *e)
{
    assert(e->out != NULL);
    e->sink = (struct ws_sink){.out = e->out, .bytes = e->buffer, .size = sizeof e->buffer};
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

void ws_emit_begin(struct ws_emitter *e, const struct ws_table *t)
{
    ws_emit_start(e);
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

void ws_emit_row(struct ws_emitter *e, const struct ws_table *t)
{
    bool first = true;
    if (e->json) {
        ws_sink_text(&e->sink, e->lines ? "{" : e->rows > 0 ? ",\n{" : "\n{");
    }
    if (e->json && e->file != NULL) {
        ws_sink_text(&e->sink, "\"file\":");
        ws_sink_json(&e->sink, e->file, strlen(e->file));
        first = false;
    }
    for (uint32_t i = 0; i < ws_table_shown(t); i++) {
        uint32_t column = ws_table_column(t, i);
        const struct ws_cell *cell = &t->cells[column];
        if (e->json && cell->kind == WS_CELL_EMPTY) {
            continue;
        }
        if (!first) {
            ws_sink_char(&e->sink, separator(e));
        }
        first = false;
        if (e->json) {
            ws_sink_char(&e->sink, '"');
            ws_sink_text(&e->sink, t->names[column]);
            ws_sink_text(&e->sink, "\":");
        }
        cell_write(e, cell);
    }
    ws_sink_text(&e->sink, !e->json ? "\n" : e->lines ? "}\n" : "}");
    e->rows++;
}

const char *ws_emit_record(struct ws_emitter *e, struct ws_table *t, const struct fmt_columns *c,
                           uint32_t row)
{
    assert(row < c->n_records);
    if (e->json || t->type_names || t->chosen) {
        const char *wrong = ws_table_fill(t, c, row);
        ws_emit_row(e, t);
        return wrong;
    }
    const struct fmt_schema *schema = c->schema;
    const int32_t *fields = t->column_field[ws_schema_number(t->sb, schema)];
    uint32_t several = t->sb->n_schemas > 1;
    if (several) {
        text_write(e, schema->name, strlen(schema->name));
    }
    for (uint32_t i = several; i < t->n_record_columns; i++) {
        char *to = ws_sink_room(&e->sink, DECIMAL_MAX + 1);
        size_t n = 0;
        if (i > 0) {
            to[n++] = separator(e);
        }
        if (fields[i] >= 0) {
            uint32_t type = schema->fields[fields[i]].type;
            const uint8_t *raw = c->values[fields[i]] + row * fmt_type_size(type);
            n = (size_t)(ws_render_number(to + n, raw, type, false) - to);
        }
        e->sink.used += n;
    }
    const char *wrong = ws_table_fill_payload(t, c, row);
    for (uint32_t i = t->n_record_columns; i < t->n_columns; i++) {
        ws_sink_char(&e->sink, separator(e));
        cell_write(e, &t->cells[i]);
    }
    ws_sink_char(&e->sink, '\n');
    e->rows++;
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
