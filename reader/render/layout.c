/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - see layout.h. Cost: a few operations per column.
 */
#include "render/layout.h"

#include <assert.h>

#define INDENT 4u /* indentation of the further lines of a row, in characters */

static unsigned max_of(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Returns the number of characters by which the columns exceed the page width. */
static unsigned excess_of(const struct ws_layout_column *columns, size_t n)
{
    unsigned total = 0;
    for (size_t i = 0; i < n; i++) {
        total += columns[i].width + (i > 0);
    }
    return total > WS_PAGE_WIDTH ? total - WS_PAGE_WIDTH : 0;
}

/* Makes a column narrower by up to `excess` characters. Returns the excess that remains. */
static unsigned take(struct ws_layout_column *c, unsigned excess)
{
    assert(c->width >= c->need);
    unsigned spare = c->width - c->need;
    unsigned taken = spare < excess ? spare : excess;
    c->width -= taken;
    return excess - taken;
}

/* Narrows the columns of names by `excess` characters in all. Takes each character from the column
 * that is then the widest, so that the widths become about equal. Returns the excess that
 * remains. */
static unsigned names_take(struct ws_layout_column *columns, size_t n, unsigned excess)
{
    while (excess > 0) {
        struct ws_layout_column *widest = NULL;
        for (size_t i = 0; i < n; i++) {
            struct ws_layout_column *c = &columns[i];
            if (c->is_name && c->width > max_of(c->need, WS_LAYOUT_NAME_MIN) &&
                (widest == NULL || c->width > widest->width)) {
                widest = c;
            }
        }
        if (widest == NULL) {
            return excess;
        }
        widest->width--;
        excess--;
    }
    return 0;
}

/* Breaks rows into several lines. Columns keep their full widths, for which several lines have
 * enough space. */
static void lines_break(struct ws_layout_column *columns, size_t n)
{
    assert(n > 0);
    unsigned used = columns[0].width;
    for (size_t i = 1; i < n; i++) {
        columns[i].begins_line = used + 1 + columns[i].width > WS_PAGE_WIDTH;
        used = (columns[i].begins_line ? INDENT : used + 1) + columns[i].width;
    }
}

void ws_layout_fit(struct ws_layout_column *columns, size_t n)
{
    assert(n <= WS_LAYOUT_COLUMNS_MAX);
    struct ws_layout_column before[WS_LAYOUT_COLUMNS_MAX];
    for (size_t i = 0; i < n; i++) {
        struct ws_layout_column *c = &columns[i];
        c->width = max_of(c->width, c->need);
        c->begins_line = false;
        before[i] = *c;
    }
    unsigned excess = excess_of(columns, n);
    for (size_t i = 0; i < n && excess > 0; i++) {
        excess = columns[i].is_name ? excess : take(&columns[i], excess);
    }
    if (names_take(columns, n, excess) > 0) {
        for (size_t i = 0; i < n; i++) {
            columns[i] = before[i];
        }
        lines_break(columns, n);
    }
}

void ws_layout_space(const struct ws_layout_column *columns, size_t i, FILE *out)
{
    if (columns[i].begins_line) {
        fprintf(out, "\n%*s", (int)INDENT, "");
    } else if (i > 0) {
        fputc(' ', out);
    }
}
