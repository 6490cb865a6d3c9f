/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c - fits the columns of tables into lines; see columns.h. */
#include "top/columns.h"

#include <assert.h>

#define NAMES_LEAST 14

static const struct top_column pe_columns[PE_COLUMNS] =
    {
        [PE_NUMBER] = {"PE", 6, 6, 0, TOP_NUMBER_OF_PE},
        [PE_WAIT] = {"rest", 7, 6, 3, TOP_PERCENT},
        [PE_QUEUE] = {"queue", 12, 8, 4, TOP_COUNT},
        [PE_MEMORY] = {"memory", 10, 9, 6, TOP_BYTES},
        [PE_AHEAD] = {"ahead", 11, 9, 5, TOP_MEASURE},
        [PE_EFFICIENCY] = {"eff. %", 8, 8, 2, TOP_EFFICIENCY},
        [PE_NEWS] = {"news", 9, 9, 1, TOP_NEWS},
},
                               kp_columns[KP_COLUMNS] =
                                   {
                                       [KP_UNDONE] = {"undone", 14, 9, 0, TOP_COUNT},
                                       [KP_RECENT] = {"just now", 12, 10, 1, TOP_COUNT},
                                       [KP_ROLLBACKS] = {"rollbacks", 12, 11, 2, TOP_COUNT},
                                       [KP_SECONDARY] = {"secondary", 12, 11, 5, TOP_COUNT},
                                       [KP_AHEAD] = {"ahead", 11, 9, 3, TOP_MEASURE},
                                       [KP_EXECUTED] = {"executed", 14, 10, 4, TOP_COUNT},
},
                               lp_columns[LP_COLUMNS] =
                                   {
                                       [LP_UNDONE] = {"undone", 13, 9, 0, TOP_COUNT},
                                       [LP_RECENT] = {"just now", 11, 10, 1, TOP_COUNT},
                                       [LP_EFFICIENCY] = {"eff. %", 8, 8, 2, TOP_EFFICIENCY},
                                       [LP_REMOTE] = {"remote", 13, 9, 4, TOP_COUNT},
                                       [LP_EXECUTED] = {"executed", 13, 10, 3, TOP_COUNT},
},
                               type_columns[TYPE_COLUMNS] = {
                                   [TYPE_EVENTS] = {"events", 16, 9, 0, TOP_COUNT},
                                   [TYPE_RECENT] = {"just now", 12, 10, 3, TOP_COUNT},
                                   [TYPE_ROLLBACKS] = {"rollbacks", 14, 11, 1, TOP_COUNT},
                                   [TYPE_UNDONE] = {"undone", 14, 9, 2, TOP_COUNT},
};

/* The columns of each page. names: width of the names of rows, which precede the columns. */
static const struct table {
    const struct top_column *columns;
    unsigned n;
    int names;
} tables[TOP_PAGES] = {
    [TOP_OVERVIEW] = {pe_columns, PE_COLUMNS, 0},   [TOP_PES] = {pe_columns, PE_COLUMNS, 0},
    [TOP_KPS] = {kp_columns, KP_COLUMNS, 14},       [TOP_LPS] = {lp_columns, LP_COLUMNS, 22},
    [TOP_TYPES] = {type_columns, TYPE_COLUMNS, 24}, [TOP_FINDINGS] = {pe_columns, PE_COLUMNS, 0},
    [TOP_HELP] = {pe_columns, PE_COLUMNS, 0},
};

unsigned top_sorts(enum top_page page)
{
    assert(page < TOP_PAGES);
    return tables[page].n;
}

const struct top_column *top_column(enum top_page page, unsigned column)
{
    assert(column < tables[page].n);
    return &tables[page].columns[column];
}

/* Makes the columns narrower by up to `excess` characters in all, the widest columns first. Returns
 * the part of the excess that is left. */
static int narrow(struct top_layout *l, const struct table *table, int excess)
{
    int widest = 0;
    while (excess > 0 && widest >= 0) {
        widest = -1;
        for (int i = 0; i < (int)table->n; i++) {
            bool can = l->widths[i] > table->columns[i].least;
            widest = can && (widest < 0 || l->widths[i] > l->widths[widest]) ? i : widest;
        }
        if (widest >= 0) {
            l->widths[widest]--;
            excess--;
        }
    }
    return excess;
}

/* Returns the index of the column to leave out first; -1 if all columns that are shown must
 * stay. */
static int least_wanted(const struct top_layout *l, const struct table *table, unsigned sorts)
{
    int found = -1;
    for (int i = 0; i < (int)table->n; i++) {
        bool can = l->widths[i] > 0 && table->columns[i].rank > 0 && (unsigned)i != sorts;
        bool is_first = can && (found < 0 || table->columns[i].rank > table->columns[found].rank);
        found = is_first ? i : found;
    }
    return found;
}

void top_layout_make(struct top_layout *l, enum top_page page, int cols, unsigned sorts)
{
    assert(page < TOP_PAGES && tables[page].n <= TOP_COLUMNS_MAX);
    const struct table *table = &tables[page];
    bool is_narrow = page == TOP_TYPES && cols < 64;
    *l = (struct top_layout){.names = is_narrow ? NAMES_LEAST : table->names};
    int least = l->names;
    for (unsigned i = 0; i < table->n; i++) {
        l->widths[i] = table->columns[i].width;
        least += table->columns[i].least;
    }
    for (int i = 0; least > cols && (i = least_wanted(l, table, sorts)) >= 0;) {
        least -= table->columns[i].least;
        l->widths[i] = 0;
    }
    int sum = l->names;
    for (unsigned i = 0; i < table->n; i++) {
        sum += l->widths[i];
    }
    l->end = sum;
    if (sum > cols) {
        l->end = cols + narrow(l, table, sum - cols);
    }
}
