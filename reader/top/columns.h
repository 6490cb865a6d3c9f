/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.h - the columns of the tables on the screen, and their widths.
 */
#ifndef WARPSCOPE_READER_TOP_COLUMNS_H
#define WARPSCOPE_READER_TOP_COLUMNS_H

#include "top/panes.h"

enum pe_column {
    PE_NUMBER,
    PE_WAIT,
    PE_QUEUE,
    PE_MEMORY,
    PE_AHEAD,
    PE_EFFICIENCY,
    PE_NEWS,
    PE_COLUMNS
};
enum kp_column {
    KP_UNDONE,
    KP_RECENT,
    KP_ROLLBACKS,
    KP_SECONDARY,
    KP_AHEAD,
    KP_EXECUTED,
    KP_COLUMNS
};
enum lp_column { LP_UNDONE, LP_RECENT, LP_EFFICIENCY, LP_REMOTE, LP_EXECUTED, LP_COLUMNS };
enum type_column { TYPE_EVENTS, TYPE_RECENT, TYPE_ROLLBACKS, TYPE_UNDONE, TYPE_COLUMNS };
enum { TOP_COLUMNS_MAX = PE_COLUMNS };

/* The meaning of the values in a column, which determines how they are drawn. */
enum top_kind {
    TOP_NUMBER_OF_PE,
    TOP_COUNT,
    TOP_MEASURE,
    TOP_PERCENT,
    TOP_BYTES,
    TOP_EFFICIENCY, /* low values are the worst; in all other columns, high ones are */
    TOP_NEWS        /* seconds since the last news of a PE */
};
/* A column. width, least: usual and minimum width; rank: columns with larger ranks are left out
 * earlier; 0: never. */
struct top_column {
    const char *words;
    int width, least, rank;
    enum top_kind kind;
};

/* Widths of the columns of a page, in characters. */
struct top_layout {
    int names;                   /* width of the names of rows, which precede the columns */
    int widths[TOP_COLUMNS_MAX]; /* indexed by column; 0: the column is not shown */
    int end;                     /* total width of the names of rows and of the columns */
};

/* Fits the columns of a page into `cols` characters: makes them narrower or, if that is not enough,
 * leaves out the least important ones. sorts: index of the column by which the page is sorted,
 * which always stays. */
void top_layout_make(struct top_layout *layout, enum top_page page, int cols, unsigned sorts);
const struct top_column *top_column(enum top_page page, unsigned column);

#endif
