/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - computes the widths of columns, so that a table of text fits the page for any values.
 *
 * Each column has a width that is usually sufficient. If values need more, unused width is taken
 * from other columns first, and then names are truncated. If that is not enough, a row continues on
 * further lines. Numbers are never truncated.
 */
#ifndef WARPSCOPE_READER_RENDER_LAYOUT_H
#define WARPSCOPE_READER_RENDER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WS_PAGE_WIDTH         80u
#define WS_LAYOUT_COLUMNS_MAX 16
#define WS_LAYOUT_NAME_MIN    10u /* minimum width of a truncated name, in characters */

struct ws_layout_column {
    unsigned width; /* on entry, usual width in characters; on return, the width to use */
    /* Length in characters of the longest value or the heading, whichever is longer; for names, of
     * the heading. */
    unsigned need;
    bool is_name;     /* true if values are names, which may be truncated */
    bool begins_line; /* on return, true if the column begins a new line of the row */
};

/* Sets width and begins_line of n columns, at most WS_LAYOUT_COLUMNS_MAX. One blank separates two
 * columns. */
void ws_layout_fit(struct ws_layout_column *columns, size_t n);
/* Writes to `out` the separator before column i: a blank or a line break; nothing before the first
 * column. */
void ws_layout_space(const struct ws_layout_column *columns, size_t i, FILE *out);

#endif
