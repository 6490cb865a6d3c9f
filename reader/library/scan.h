/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.h - the state of a scan (wsr_scan_begin()), for the files of this directory.
 */
#ifndef WARPSCOPE_READER_LIBRARY_SCAN_H
#define WARPSCOPE_READER_LIBRARY_SCAN_H

#include "access/record_batch.h"
#include "library/run.h"
#include "live/live.h"

/* Strings of one column of a block, in contiguous memory. */
struct scan_texts {
    uint8_t *bytes;    /* owned */
    uint64_t *offsets; /* owned; start of each string in bytes; NULL for columns of numbers */
    size_t size;       /* allocated bytes */
};

struct wsr_scan {
    struct wsr_run *run;
    struct wsr_scan *next, **link; /* links in the run's list of scans */
    const struct run_kind *kind;
    struct ws_select select;
    uint32_t *chosen; /* owned; indices of the n_chosen columns that the caller gets */
    uint32_t n_chosen;
    bool *stored; /* owned; by index of the column: true if `chosen` contains it */
    struct fmt_wanted wanted;
    bool by_payload; /* true if a chosen column comes from payloads */
    bool by_copy;    /* true if a chosen column is not a field of the record */
    /* Members for the current block of the file. */
    uint32_t pe;
    bool pe_begun;
    struct ws_walk walk;
    struct fmt_block block;
    struct fmt_columns columns; /* owned */
    /* Owned; reader of part live_part with its crash-safe buffers; NULL: blocks only. */
    struct ws_live *live;
    /* Parts from number live_first on are read with their crash-safe buffers. */
    uint32_t live_part, live_first;
    uint8_t *types; /* owned; payload types, converted to ids of the stream */
    /* Owned; copy of the pointers to columns, with `types` among them. */
    uint8_t **values;
    struct fmt_columns now; /* the current block; borrowed from columns or live */
    uint32_t *numbers;      /* owned; row numbers of the chosen records */
    int32_t *plans;         /* owned; plan for the payload of each record in numbers */
    size_t rows_max;        /* allocated entries of numbers and of plans */
    struct ws_rows rows;
    uint32_t at; /* number of chosen records already returned to the caller */
    bool ended;  /* true after the last block */
    /* Members for the block that the caller gets. */
    struct ws_record_batch batch;
    struct scan_texts *texts; /* owned; n_chosen */
    struct wsr_column *shown; /* owned; n_chosen */
    struct wsr_block out;
};

/* Fills scan->out with rows from scan->at on, and advances scan->at. Returns a status. */
int ws_run_block_fill(struct wsr_scan *scan);

#endif
