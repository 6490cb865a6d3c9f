/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.h - a walk over the blocks of one kind, for the files of this directory.
 */
#ifndef WARPSCOPE_READER_LIBRARY_SCAN_H
#define WARPSCOPE_READER_LIBRARY_SCAN_H

#include "access/record_batch.h"
#include "library/run.h"
#include "live/live.h"

/* Strings of one column of a block, one after another. */
struct scan_texts {
    uint8_t *bytes;    /* owned */
    uint64_t *offsets; /* owned; NULL for columns of numbers */
    size_t size;       /* allocated bytes */
};

struct wsr_scan {
    struct wsr_run *run;
    struct wsr_scan *next, **link; /* in the list of the run */
    const struct run_kind *kind;
    struct ws_select select;
    uint32_t *chosen; /* owned; numbers of the columns to show, n_chosen */
    uint32_t n_chosen;
    bool *stored; /* owned; by number of the column: true if it is among them */
    struct fmt_wanted wanted;
    bool by_payload; /* some column needs the payloads */
    bool by_copy;    /* some column is no field of the record */
    /* the current block of the file */
    uint32_t pe;
    bool pe_begun;
    struct ws_walk walk;
    struct fmt_block block;
    struct fmt_columns columns;     /* owned */
    struct ws_live *live;           /* owned; of part live_part; NULL: the files alone */
    uint32_t live_part, live_first; /* parts from live_first on have crash-safe buffers */
    uint8_t *types;                 /* owned; payload types as ids of the stream */
    uint8_t **values;               /* owned; columns with them */
    struct fmt_columns now;         /* borrowed from columns or live */
    uint32_t *numbers;              /* owned; of the chosen records */
    int32_t *plans;                 /* owned */
    size_t rows_max;                /* allocated entries of both */
    struct ws_rows rows;
    uint32_t at; /* rows that were handed out */
    bool ended;  /* true after the last block */
    /* the block that the program sees */
    struct ws_record_batch batch;
    struct scan_texts *texts; /* owned; n_chosen */
    struct wsr_column *shown; /* owned; n_chosen */
    struct wsr_block out;
};

/* Fills scan->out with rows from scan->at on, and advances scan->at. Returns a status. */
int ws_run_block_fill(struct wsr_scan *scan);

#endif
