/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - the results of an analysis as tables: the basis of text, CSV and SQLite.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TABLES_H
#define WARPSCOPE_READER_MEMTRACE_TABLES_H

#include "memtrace/analysis.h"

#define WS_MEMTRACE_COLUMNS_MAX 10

/* The meaning of a value in a table. */
enum ws_memtrace_kind {
    WS_VALUE_NUMBER,
    WS_VALUE_STREAM, /* number of a stream, from 1 on */
    WS_VALUE_PATH,   /* number of a stream, to be printed as its path */
    WS_VALUE_KERNEL, /* number of a kernel */
    WS_VALUE_CTA,    /* packed CTA; three columns if the format allows it */
    WS_VALUE_CLASS,  /* class of access: load, store or atomic */
    WS_VALUE_ADDRESS,
};

struct ws_memtrace_column {
    const char *name; /* name of the column; NULL ends the list of columns */
    enum ws_memtrace_kind kind;
    unsigned width;      /* width in the text output, in characters; 0: omitted */
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
    WS_MEMTRACE_ADDRESSES, /* records of each address; empty unless lists were kept */
    WS_MEMTRACE_TABLES
};

struct ws_memtrace_table {
    const char *name;
    struct ws_memtrace_column columns[WS_MEMTRACE_COLUMNS_MAX + 1];
};
extern const struct ws_memtrace_table ws_memtrace_tables[WS_MEMTRACE_TABLES];

/* Called with each row of a table. Returns false if no more rows are wanted. */
typedef bool (*ws_memtrace_row_f)(void *ctx, const struct ws_memtrace_table *table,
                                  const uint64_t *values);
/* Calls row for all rows, by superstep; if greatest is set, transfers and flows by descending
 * bytes. Returns false if out of memory. */
bool ws_memtrace_rows(struct ws_memtrace *m, enum ws_memtrace_table_id id, bool greatest,
                      ws_memtrace_row_f row, void *ctx);

/* Calls row for the rows of WS_MEMTRACE_ADDRESSES. */
bool ws_memtrace_lists_rows(const struct ws_memtrace *m, ws_memtrace_row_f row, void *ctx);
/* Returns the records of a list, in their order. tail: its last record. The caller frees the array.
 * Returns NULL if memory is exhausted. */
struct ws_kept *ws_memtrace_list(const struct ws_memtrace *m, uint32_t tail, size_t *n);
/* Returns true if the selection includes the record. */
bool ws_memtrace_chooses(const struct ws_memtrace *m, const struct ws_kept *kept);

#endif
