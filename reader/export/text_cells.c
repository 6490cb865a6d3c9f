/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_cells.c - formats rows of text cell by cell: TSV, and rows of which only some columns are
 * shown; see text.h.
 */
#include <assert.h>

#include "export/text.h"
#include "render/text.h"
#include "text/csv.h"
#include "text/json.h"

static char *cell_put(const struct ws_text_sink *k, char *to, const struct ws_cell *cell)
{
    switch (cell->kind) {
    case WS_CELL_VALUE:
        return to + ws_format_value(to, &cell->value, k->json);
    case WS_CELL_TEXT:
        return k->json   ? json_write_string(to, cell->bytes, cell->size)
               : k->tabs ? ws_render_tsv(to, cell->bytes, cell->size)
                         : csv_write(to, cell->bytes, cell->size);
    case WS_CELL_HEX:
        return ws_render_hex(to, cell->bytes, cell->size, k->json);
    case WS_CELL_EMPTY:
        break;
    }
    return to;
}

static size_t cells_max(const struct ws_text_sink *k, const struct ws_table *t)
{
    size_t room = k->row_max;
    for (uint32_t i = 0; i < ws_table_shown(t); i++) {
        const struct ws_cell *cell = &t->cells[ws_table_column(t, i)];
        bool is_long = cell->kind == WS_CELL_TEXT || cell->kind == WS_CELL_HEX;
        room += 2 * DECIMAL_MAX + k->label_lengths[ws_table_column(t, i)] +
                (is_long ? json_string_max(cell->size) : 0);
    }
    return room;
}

bool ws_text_row_cells(struct ws_text_sink *k, struct ws_table_schema *kind,
                       const struct fmt_columns *c, uint32_t row)
{
    assert(row < c->n_records);
    struct ws_table *t = &kind->table;
    uint32_t n = 0;
    ws_table_fill(t, c, row); /* ignores errors, which the walk over the file has reported */
    char *begin = (char *)ws_out_room(k->out, cells_max(k, t)), *to = begin;
    if (begin == NULL) {
        return false;
    }
    to = ws_text_row_begin(k, to);
    for (uint32_t i = 0; i < ws_table_shown(t); i++) {
        uint32_t column = ws_table_column(t, i);
        const struct ws_cell *cell = &t->cells[column];
        if (k->json && cell->kind == WS_CELL_EMPTY) {
            continue;
        }
        if (n++ > 0) {
            *to++ = k->tabs ? '\t' : ',';
        }
        if (k->json) {
            memcpy(to, k->labels[column], k->label_lengths[column]);
            to += k->label_lengths[column];
        }
        to = cell_put(k, to, cell);
    }
    to = ws_text_row_end(k, to);
    ws_out_take(k->out, (size_t)(to - begin));
    return true;
}
