/*
 * emit.c - rows of cells to CSV or JSON, see emit.h.
 */
#include "emit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "exit.h"
#include "text.h"

void ws_emit_begin(struct ws_emitter *e, const struct ws_table *t)
{
    if (e->json) {
        fputs("[", e->out);
        return;
    }
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (i > 0) {
            fputc(',', e->out);
        }
        ws_csv_string(e->out, t->names[i], strlen(t->names[i]));
    }
    fputc('\n', e->out);
}

static void hex_write(FILE *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        fputc(digits[bytes[i] >> 4], out);
        fputc(digits[bytes[i] & 15], out);
    }
}

static void value_write(const struct ws_emitter *e, const struct fmt_value *v)
{
    char text[WS_NUMBER_MAX];
    size_t length = 0;
    switch (v->type) {
    case FMT_F32:
    case FMT_F64:
        if (e->json && !isfinite(v->as.f)) {
            fputs("null", e->out);
            return;
        }
        length =
            v->type == FMT_F32 ? ws_format_f32(text, (float)v->as.f) : ws_format_f64(text, v->as.f);
        break;
    case FMT_I8:
    case FMT_I16:
    case FMT_I32:
    case FMT_I64:
        length = ws_format_i64(text, v->as.i);
        break;
    default:
        length = ws_format_u64(text, v->as.u);
        break;
    }
    fwrite(text, 1, length, e->out);
}

static void cell_write(const struct ws_emitter *e, const struct ws_cell *cell)
{
    switch (cell->kind) {
    case WS_CELL_VALUE:
        value_write(e, &cell->value);
        break;
    case WS_CELL_TEXT:
        if (e->json) {
            ws_json_string(e->out, cell->bytes, cell->size);
        } else {
            ws_csv_string(e->out, cell->bytes, cell->size);
        }
        break;
    case WS_CELL_HEX:
        if (e->json) {
            fputc('"', e->out);
        }
        hex_write(e->out, cell->bytes, cell->size);
        if (e->json) {
            fputc('"', e->out);
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
        fputs(e->rows > 0 ? ",\n{" : "\n{", e->out);
    }
    for (uint32_t i = 0; i < t->n_columns; i++) {
        const struct ws_cell *cell = &t->cells[i];
        if (e->json && cell->kind == WS_CELL_EMPTY) {
            continue;
        }
        if (!first) {
            fputc(',', e->out);
        }
        first = false;
        if (e->json) {
            fprintf(e->out, "\"%s\":", t->names[i]);
        }
        cell_write(e, cell);
    }
    fputs(e->json ? "}" : "\n", e->out);
    e->rows++;
}

void ws_emit_end(struct ws_emitter *e)
{
    if (e->json) {
        fputs("\n]\n", e->out);
    }
}

int ws_output_failed(int sys_errno)
{
    if (sys_errno != EPIPE) {
        fprintf(stderr, "warpscope: cannot write the output%s%s\n", sys_errno == 0 ? "" : ": ",
                sys_errno == 0 ? "" : strerror(sys_errno));
    }
    return WS_EXIT_OUTPUT;
}
