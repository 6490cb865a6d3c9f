/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - the results of an analysis as tables, which are then written as text, CSV, JSON or a
 * database.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TABLES_H
#define WARPSCOPE_READER_MEMTRACE_TABLES_H

#include "memtrace/analysis.h"

#define WS_MEMTRACE_COLUMNS_MAX 10

/* The meaning of the values in a column of a table. */
enum ws_memtrace_kind {
    WS_VALUE_NUMBER,
    WS_VALUE_STREAM, /* number of a stream, counted from 1 */
    WS_VALUE_PATH,   /* number of a stream, shown as the path of its file */
    WS_VALUE_KERNEL, /* number of a kernel, shown as its name */
    WS_VALUE_CTA,    /* packed coordinates of a CTA, which CSV and SQLite show in three columns */
    WS_VALUE_CLASS,  /* class of access: load, store or atomic */
    WS_VALUE_ADDRESS,
    /* Number of a note, shown as its kind, its kernel and its text. */
    WS_VALUE_NOTE_KIND,
    WS_VALUE_NOTE_KERNEL,
    WS_VALUE_NOTE_TEXT,
};

struct ws_memtrace_column {
    const char *name; /* name of the column; NULL ends the list of columns */
    enum ws_memtrace_kind kind;
    unsigned width;      /* width in the text output, in characters; 0: not in the text output */
    const char *heading; /* heading in the text output */
};

enum ws_memtrace_table_id {
    WS_MEMTRACE_STREAMS,
    WS_MEMTRACE_LAUNCHES,
    WS_MEMTRACE_VOLUMES_KERNEL,
    WS_MEMTRACE_VOLUMES_CTA,
    WS_MEMTRACE_VOLUMES_SM,
    WS_MEMTRACE_TRANSFERS,
    WS_MEMTRACE_FLOWS_KERNEL,
    WS_MEMTRACE_FLOWS_SM,
    WS_MEMTRACE_ADDRESSES, /* records of each address; empty if depth is not WS_MEMTRACE_LISTS */
    WS_MEMTRACE_NOTES,
    WS_MEMTRACE_TABLES
};

struct ws_memtrace_table {
    const char *name;
    struct ws_memtrace_column columns[WS_MEMTRACE_COLUMNS_MAX + 1];
};
extern const struct ws_memtrace_table ws_memtrace_tables[WS_MEMTRACE_TABLES];

/* Returns true if the values of the column are shown as names. */
bool ws_memtrace_is_name(const struct ws_memtrace_column *column);
/* Returns the name of a value of such a column, which is valid until the results are freed. */
const char *ws_memtrace_name(const struct ws_memtrace *m, const struct ws_memtrace_column *column,
                             uint64_t value);

/* Callback that receives a row: values[i] belongs to column i of the table. Returns false if it
 * wants no more rows. */
typedef bool (*ws_memtrace_row_f)(void *ctx, const struct ws_memtrace_table *table,
                                  const uint64_t *values);
/* Calls the callback `row` for each row of a table. If `greatest` is true, transfers and flows are
 * sorted by bytes, largest first; all other rows are sorted by superstep, kernel or address.
 * Returns false if out of memory. */
bool ws_memtrace_rows(struct ws_memtrace *m, enum ws_memtrace_table_id id, bool greatest,
                      ws_memtrace_row_f row, void *ctx);

/* Calls the callback `row` for each row of the table WS_MEMTRACE_ADDRESSES. Returns false if out of
 * memory. */
bool ws_memtrace_lists_rows(const struct ws_memtrace *m, ws_memtrace_row_f row, void *ctx);
/* Returns an array of the records in the list whose last record has the number `tail`, from first
 * to last. Sets *n to the number of these records. The caller frees the array. Returns NULL if
 * memory is exhausted. */
struct ws_kept *ws_memtrace_list(const struct ws_memtrace *m, uint32_t tail, size_t *n);
/* Returns true if the user's selection includes the record. */
bool ws_memtrace_chooses(const struct ws_memtrace *m, const struct ws_kept *kept);

#endif
