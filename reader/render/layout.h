/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - tables of text that fit the page width for all values.
 *
 * A column has a width that is usually sufficient. If values need more, blanks are removed first,
 * then the ends of names are cut. If both are not enough, rows continue in a second line. Numbers
 * are never cut.
 */
#ifndef WARPSCOPE_READER_RENDER_LAYOUT_H
#define WARPSCOPE_READER_RENDER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WS_PAGE_WIDTH         80u
#define WS_LAYOUT_COLUMNS_MAX 16
#define WS_LAYOUT_NAME_MIN    10u /* least width of a truncated name, in characters */

struct ws_layout_column {
    unsigned width;   /* usual width in characters; on return, the width to use */
    unsigned need;    /* length of the longest value and the heading; for names, of the heading */
    bool is_name;     /* true if values are names, which may be truncated */
    bool begins_line; /* true if the column begins another line than the one before */
};

/* Sets width and begins_line of n columns, at most WS_LAYOUT_COLUMNS_MAX. Columns are separated by
 * one blank. */
void ws_layout_fit(struct ws_layout_column *columns, size_t n);
/* Writes the separator between a column and the previous one. */
void ws_layout_space(const struct ws_layout_column *columns, size_t i, FILE *out);

#endif
