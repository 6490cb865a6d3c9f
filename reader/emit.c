/*
 * emit.c - rows of cells to CSV or JSON, see emit.h.
 */
#include "emit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "exit.h"
#include "select.h"
#include "text.h"

void ws_emit_start(struct ws_emitter *e)
{
    e->sink = (struct ws_sink){.out = e->out, .bytes = e->buffer, .size = sizeof e->buffer};
}

void ws_emit_begin(struct ws_emitter *e, const struct ws_table *t)
{
    ws_emit_start(e);
    if (e->json) {
        ws_sink_char(&e->sink, '[');
        return;
    }
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (i > 0) {
            ws_sink_char(&e->sink, ',');
        }
        ws_sink_csv(&e->sink, t->names[i], strlen(t->names[i]));
    }
    ws_sink_char(&e->sink, '\n');
}

static void hex_write(struct ws_sink *sink, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        ws_sink_char(sink, digits[bytes[i] >> 4]);
        ws_sink_char(sink, digits[bytes[i] & 15]);
    }
}

void ws_emit_value(struct ws_emitter *e, const struct fmt_value *v)
{
    bool is_float = v->type == FMT_F32 || v->type == FMT_F64;
    if (e->json && is_float && !isfinite(v->as.f)) {
        ws_sink_text(&e->sink, "null");
        return;
    }
    e->sink.used += ws_format_value(ws_sink_room(&e->sink, WS_NUMBER_MAX), v);
}

static void cell_write(struct ws_emitter *e, const struct ws_cell *cell)
{
    switch (cell->kind) {
    case WS_CELL_VALUE:
        ws_emit_value(e, &cell->value);
        break;
    case WS_CELL_TEXT:
        if (e->json) {
            ws_sink_json(&e->sink, cell->bytes, cell->size);
        } else {
            ws_sink_csv(&e->sink, cell->bytes, cell->size);
        }
        break;
    case WS_CELL_HEX:
        if (e->json) {
            ws_sink_char(&e->sink, '"');
        }
        hex_write(&e->sink, cell->bytes, cell->size);
        if (e->json) {
            ws_sink_char(&e->sink, '"');
        }
        break;
    case WS_CELL_EMPTY:
        break;
    }
}

void ws_emit_row(struct ws_emitter *e, const struct ws_table *t)
{
    bool first = true;
    if (e->json) {
        ws_sink_text(&e->sink, e->rows > 0 ? ",\n{" : "\n{");
    }
    for (uint32_t i = 0; i < t->n_columns; i++) {
        const struct ws_cell *cell = &t->cells[i];
        if (e->json && cell->kind == WS_CELL_EMPTY) {
            continue;
        }
        if (!first) {
            ws_sink_char(&e->sink, ',');
        }
        first = false;
        if (e->json) {
            ws_sink_char(&e->sink, '"');
            ws_sink_text(&e->sink, t->names[i]);
            ws_sink_text(&e->sink, "\":");
        }
        cell_write(e, cell);
    }
    ws_sink_char(&e->sink, e->json ? '}' : '\n');
    e->rows++;
}

/* A field's value as it stands in the decoded block. */
static size_t raw_format(char *to, const uint8_t *raw, uint32_t type)
{
    struct fmt_value v = fmt_value_read(raw, type);
    return ws_format_value(to, &v);
}

const char *ws_emit_record(struct ws_emitter *e, struct ws_table *t, const struct fmt_columns *c,
                           uint32_t row)
{
    if (e->json || t->type_names) {
        const char *wrong = ws_table_fill(t, c, row);
        ws_emit_row(e, t);
        return wrong;
    }
    const struct fmt_schema *schema = c->schema;
    const int32_t *fields = t->column_field[ws_schema_number(t->sb, schema)];
    uint32_t several = t->sb->n_schemas > 1;
    if (several) {
        ws_sink_csv(&e->sink, schema->name, strlen(schema->name));
    }
    for (uint32_t i = several; i < t->n_record_columns; i++) {
        char *to = ws_sink_room(&e->sink, WS_NUMBER_MAX + 1);
        size_t n = 0;
        if (i > 0) {
            to[n++] = ',';
        }
        if (fields[i] >= 0) {
            uint32_t type = schema->fields[fields[i]].type;
            n += raw_format(to + n, c->values[fields[i]] + row * fmt_type_size(type), type);
        }
        e->sink.used += n;
    }
    const char *wrong = ws_table_fill_payload(t, c, row);
    for (uint32_t i = t->n_record_columns; i < t->n_columns; i++) {
        ws_sink_char(&e->sink, ',');
        cell_write(e, &t->cells[i]);
    }
    ws_sink_char(&e->sink, '\n');
    e->rows++;
    return wrong;
}

void ws_emit_end(struct ws_emitter *e)
{
    if (e->json) {
        ws_sink_text(&e->sink, "\n]\n");
    }
    ws_sink_flush(&e->sink);
}

int ws_output_failed(int sys_errno)
{
    if (sys_errno != EPIPE) {
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
