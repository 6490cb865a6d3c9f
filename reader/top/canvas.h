/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * canvas.h - a screen of styled characters in memory, to be shown on a terminal or printed as text.
 * Drawing outside of the canvas has no effect.
 */
#ifndef WARPSCOPE_READER_TOP_CANVAS_H
#define WARPSCOPE_READER_TOP_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum top_style {
    TOP_PLAIN,
    TOP_BOLD,
    TOP_DIM,
    TOP_TITLE,    /* light on dark, or reversed video */
    TOP_SELECTED, /* reversed video */
    TOP_GOOD,
    TOP_WARNING,
    TOP_PHASE_STYLE, /* the first of TOP_PHASES styles, one per phase */
    TOP_STYLES = TOP_PHASE_STYLE + 10
};

struct top_cell {
    char bytes[5]; /* one UTF-8 character with its terminator; "": blank */
    unsigned char style;
};

/* Zero-initialise. */
struct top_canvas {
    int rows, cols;
    bool utf8;              /* false: characters other than ASCII become '?' */
    struct top_cell *cells; /* owned */
};

/* Makes the canvas blank and sets its size. Returns false if out of memory. */
bool top_canvas_clear(struct top_canvas *canvas, int rows, int cols);
void top_canvas_free(struct top_canvas *canvas);

/* Writes text, in which control characters become '?'. Returns the column after the text. */
int top_put(struct top_canvas *canvas, int y, int x, enum top_style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Writes text right-aligned, so that it ends before column `end`. */
void top_put_right(struct top_canvas *canvas, int y, int end, enum top_style style,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Writes text only if all of it fits into the line. Returns the column after the text, or x if it
 * does not fit. */
int top_put_whole(struct top_canvas *canvas, int y, int x, enum top_style style, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));
/* Writes text in at most `lines` lines from column x on, broken at blanks. Returns the next row. */
int top_put_lines(struct top_canvas *canvas, int y, int x, int lines, enum top_style style,
                  const char *text);
/* Gives `width` characters a style; their text is unchanged. */
void top_style_set(struct top_canvas *canvas, int y, int x, int width, enum top_style style);

/* Prints the rows up to the last one with text, without trailing blanks. */
void top_canvas_print(const struct top_canvas *canvas, FILE *out);

#endif
