/*
 * text_layout.h - tables of text that stay within the page whatever their values are.
 *
 * A column has a width that is enough as a rule. Where values need more, blanks go first, then the
 * ends of names, and when both are not enough, rows go on in a second line: numbers are never cut.
 */
#ifndef WARPSCOPE_READER_TEXT_LAYOUT_H
#define WARPSCOPE_READER_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WS_PAGE_WIDTH         80u
#define WS_LAYOUT_COLUMNS_MAX 16
#define WS_LAYOUT_NAME_MIN    10u /* characters that are left of a name */

struct ws_layout_column {
    unsigned width;   /* as a rule, then the one to use */
    unsigned need;    /* of the longest value and the heading; of names, of the heading */
    bool is_name;     /* may be cut */
    bool begins_line; /* to be written on another line than the column before */
};

/* Sets widths and begins_line of n columns, at most WS_LAYOUT_COLUMNS_MAX, one blank between
 * two. */
void ws_layout_fit(struct ws_layout_column *columns, size_t n);
/* What is between a column and the one before. */
void ws_layout_space(const struct ws_layout_column *columns, size_t i, FILE *out);

#endif
