/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_private.h - the state of "dump --layout=wide", for wide*.c only.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_PRIVATE_H
#define WARPSCOPE_READER_DUMP_WIDE_PRIVATE_H

#include "access/cursor.h"
#include "cli/messages.h"
#include "dump/wide.h"
#include "dump/wide_columns.h"

#define WS_WIDE_ITEMS_MAX 64

/* Kinds of records from which the lines of the wide layout are made. */
enum { WS_WIDE_KIND_PE, WS_WIDE_KIND_KP, WS_WIDE_KIND_AHEAD, WS_WIDE_KIND_LP, WS_WIDE_KINDS };
extern const enum ws_wide_level ws_wide_kind_level[WS_WIDE_KINDS];

struct ws_wide_kind {
    const struct fmt_schema *schema; /* schema of the kind; NULL: the file has no such records */
    struct ws_select select;         /* selection of records: a copy that owns nothing */
    struct fmt_wanted wanted;
    /* Indices of fields; -1: no such field. sample: the field with the number of the sample;
     * number: the field with the number of the KP or LP. */
    int32_t sample, number;
    /* [item]: index of the field that supplies its values; -1: not in this kind of record. */
    int32_t field[WS_WIDE_ITEMS_MAX];
};

struct ws_wide {
    const struct ws_wide_options *options;
    const struct ws_select *select;
    struct ws_file *file;
    struct ws_wide_columns columns;
    struct ws_wide_kind kinds[WS_WIDE_KINDS];
    struct ws_cursor cursors[WS_WIDE_KINDS];
    struct id_set *lps; /* owned; [PE]: numbers of its LPs */
    size_t n_lps;       /* number of LPs on all PEs */
    bool is_complete;   /* true if the file has all records of the run */
    struct fmt_value *cells;
    uint64_t rows; /* number of lines printed so far */
    bool refused;  /* true if an error message has said that too much memory is needed */
};

/* Finds the kinds of records, reads the numbers of KPs and LPs, determines the columns, and
 * allocates the cells. Returns false after an error message. */
bool ws_wide_prepare(struct ws_wide *wide);

/* Returns the number of records in the file that are of a kind whose name ends in `suffix`. */
uint64_t ws_wide_records(const struct ws_file *file, const char *suffix);

#endif
