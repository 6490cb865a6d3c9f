/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * canvas.h - a screen of styled characters in memory, which is shown on a terminal or printed as
 * text. Drawing outside of the canvas has no effect.
 */
#ifndef WARPSCOPE_READER_TOP_CANVAS_H
#define WARPSCOPE_READER_TOP_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

enum top_style {
    TOP_PLAIN,
    TOP_BOLD,
    TOP_DIM,
    TOP_TITLE,    /* reversed video */
    TOP_SELECTED, /* reversed video */
    TOP_GOOD,
    TOP_WARNING,
    TOP_PHASE_STYLE, /* the first of WS_PHASE_COUNT styles, one for each phase */
    TOP_STYLES = TOP_PHASE_STYLE + 10
};

struct top_cell {
    char bytes[5]; /* one UTF-8 character with a terminating zero; "": blank */
    unsigned char style;
};

/* Must be zero-initialised. */
struct top_canvas {
    int rows, cols;
    bool utf8;              /* false: characters other than ASCII become question marks */
    struct top_cell *cells; /* owned */
};

/* Makes the canvas blank and sets its size. Returns false if out of memory. */
bool top_canvas_clear(struct top_canvas *canvas, int rows, int cols);
void top_canvas_free(struct top_canvas *canvas);

/* Writes text in row y: from column x on; only if all of it fits into the row; or so that it ends before
 * column x. Control characters become question marks. Returns the column after the text; x if it does
 * not fit. */
enum top_place { TOP_FROM, TOP_WHOLE, TOP_BEFORE };
int top_put_at(struct top_canvas *canvas, int y, int x, enum top_place place, enum top_style style,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
#define top_put(canvas, y, x, ...)       top_put_at(canvas, y, x, TOP_FROM, __VA_ARGS__)
#define top_put_whole(canvas, y, x, ...) top_put_at(canvas, y, x, TOP_WHOLE, __VA_ARGS__)
#define top_put_right(canvas, y, x, ...) top_put_at(canvas, y, x, TOP_BEFORE, __VA_ARGS__)
/* Writes text from row y and column x on, in at most `lines` rows, broken at blanks. Returns the
 * row after the text. */
int top_put_lines(struct top_canvas *canvas, int y, int x, int lines, enum top_style style,
                  const char *text);
/* Prints the rows up to the last one with text to `out`, without trailing blanks. */
void top_canvas_print(const struct top_canvas *canvas, FILE *out);

#endif
