/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * canvas.c - draws on a screen in memory; see canvas.h.
 */
#include "top/canvas.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/known.h"
#include "text/utf8.h"

#define TEXT_MAX 2048

bool top_canvas_clear(struct top_canvas *canvas, int rows, int cols)
{
    assert(rows >= 0 && cols >= 0);
    if (rows != canvas->rows || cols != canvas->cols || canvas->cells == NULL) {
        free(canvas->cells);
        canvas->cells = malloc((size_t)rows * (size_t)cols * sizeof *canvas->cells + 1);
        canvas->rows = rows;
        canvas->cols = cols;
    }
    if (canvas->cells == NULL) {
        canvas->rows = canvas->cols = 0;
        return false;
    }
    memset(canvas->cells, 0, (size_t)rows * (size_t)cols * sizeof *canvas->cells);
    return true;
}

void top_canvas_free(struct top_canvas *canvas)
{
    free(canvas->cells);
    *canvas = (struct top_canvas){0};
}

/* Returns true if a character takes one column on every terminal. Returns false for East Asian wide
 * characters, combining marks, and marks that change the writing direction. */
static bool is_narrow(const char *text, size_t length)
{
    const unsigned char *c = (const unsigned char *)text;
    return length == 1 || (length == 2 && c[0] < 0xcc) ||
           (length == 3 && c[0] == 0xe2 && c[1] >= 0x94);
}

static int put(struct top_canvas *canvas, int y, int x, enum top_style style, const char *text)
{
    assert(canvas->cells != NULL);
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = utf8_length(text, left);
        size_t step = length == 0 ? 1 : length;
        bool plain = length == 1 ? (unsigned char)*text >= 0x20 && *text != 0x7f
                                 : canvas->utf8 && is_narrow(text, length) && length > 0;
        for (size_t columns = utf8_columns(text, step); columns > 0; columns--, x++) {
            if (y >= 0 && y < canvas->rows && x >= 0 && x < canvas->cols) {
                struct top_cell *cell = &canvas->cells[y * canvas->cols + x];
                memset(cell->bytes, 0, sizeof cell->bytes);
                memcpy(cell->bytes, plain ? text : "?", plain ? step : 1);
                cell->style = (unsigned char)style;
            }
        }
        text += step;
        left -= step;
    }
    return x;
}

int top_put_at(struct top_canvas *canvas, int y, int x, enum top_place place, enum top_style style,
               const char *format, ...)
{
    char text[TEXT_MAX];
    WS_FORMAT(text, sizeof text, format);
    const int width = (int)utf8_columns(text, strlen(text));
    return place == TOP_WHOLE && x + width > canvas->cols
               ? x
               : put(canvas, y, place == TOP_BEFORE ? x - width : x, style, text);
}

int top_put_lines(struct top_canvas *canvas, int y, int x, int lines, enum top_style style,
                  const char *text)
{
    int room = canvas->cols - x;
    for (; *text != '\0' && lines > 0 && room > 0; lines--) {
        int length = (int)strlen(text), cut = length;
        if (length > room) {
            for (cut = room; cut > 1 && text[cut] != ' '; cut--) {
            }
            cut = cut > 1 ? cut : room;
        }
        top_put(canvas, y++, x, style, "%.*s", cut, text);
        text += cut;
        text += strspn(text, " ");
    }
    return y;
}

void top_canvas_print(const struct top_canvas *canvas, FILE *out)
{
    assert(canvas->rows == 0 || canvas->cells != NULL);
    int rows = canvas->rows;
    for (int y = 0, last = -1; y < canvas->rows; y++) {
        for (int x = 0; x < canvas->cols; x++) {
            last = canvas->cells[y * canvas->cols + x].bytes[0] != '\0' ? y : last;
        }
        rows = last + 1;
    }
    for (int y = 0; y < rows; y++) {
        const struct top_cell *line = &canvas->cells[y * canvas->cols];
        int end = canvas->cols;
        while (end > 0 && (line[end - 1].bytes[0] == '\0' || line[end - 1].bytes[0] == ' ')) {
            end--;
        }
        for (int x = 0; x < end; x++) {
            fputs(line[x].bytes[0] == '\0' ? " " : line[x].bytes, out);
        }
        fputc('\n', out);
    }
}
