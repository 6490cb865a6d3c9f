/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_private.h - the state of "dump --layout=wide" (inside wide*.c only).
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_PRIVATE_H
#define WARPSCOPE_READER_DUMP_WIDE_PRIVATE_H

#include "access/cursor.h"
#include "cli/emit.h"
#include "dump/wide.h"
#include "dump/wide_columns.h"

#define WS_WIDE_ITEMS_MAX 64

/* Kinds of records in the wide layout. */
enum { WS_WIDE_KIND_PE, WS_WIDE_KIND_KP, WS_WIDE_KIND_AHEAD, WS_WIDE_KIND_LP, WS_WIDE_KINDS };
extern const enum ws_wide_level ws_wide_kind_level[WS_WIDE_KINDS];

struct ws_wide_kind {
    const struct fmt_schema *schema; /* schema of the kind; NULL: the file has no such records */
    struct ws_select select;         /* selection of records: a copy that owns nothing */
    struct fmt_wanted wanted;
    int32_t sample, number; /* fields of the records: sample; number of the KP or LP */
    int32_t field[WS_WIDE_ITEMS_MAX];
};

struct ws_wide {
    const struct ws_wide_options *options;
    const struct ws_select *select;
    struct ws_file *survey;
    struct ws_wide_columns columns;
    struct ws_wide_kind kinds[WS_WIDE_KINDS];
    struct ws_cursor cursors[WS_WIDE_KINDS];
    struct ws_id_set *lps; /* owned; numbers of the LPs of each PE */
    size_t n_lps;          /* number of LPs of all PEs */
    bool is_complete;      /* true if the file has all records of the run */
    struct fmt_value *cells;
    struct ws_emitter emitter;
    bool refused; /* true after the message that the layout is too large */
    int output_errno;
    bool output_failed;
};

/* Finds the kinds of records. Reads the numbers of KPs and LPs to determine the columns. Allocates
 * the cells. Returns false after a message. */
bool ws_wide_prepare(struct ws_wide *wide);

/* Returns the number of records in the kinds whose names end in suffix. */
uint64_t ws_wide_records(const struct ws_file *survey, const char *suffix);

#endif
