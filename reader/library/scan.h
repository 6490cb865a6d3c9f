/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.h - the state of a scan (wsr_scan_begin()), for the files in this directory.
 */
#ifndef WARPSCOPE_READER_LIBRARY_SCAN_H
#define WARPSCOPE_READER_LIBRARY_SCAN_H

#include "access/record_batch.h"
#include "library/run.h"

/* Strings of one column of a block, in contiguous memory. */
struct scan_texts {
    uint8_t *bytes; /* owned; the strings, one after another */
    /* Owned; [i]: offset of string i in bytes; NULL for columns of numbers. */
    uint64_t *offsets;
    size_t size; /* size of the memory at `bytes`, in bytes */
};

struct wsr_scan {
    struct wsr_run *run;
    struct wsr_scan *next, **link; /* links in the run's list of open scans */
    const struct run_kind *kind;
    struct ws_select select;
    uint32_t *chosen; /* owned; indices of the n_chosen columns that the program gets */
    uint32_t n_chosen;
    bool *stored; /* owned; [i]: true if `chosen` contains column i */
    struct fmt_wanted wanted;
    bool by_payload; /* true if a chosen column comes from payloads */
    bool by_copy;    /* true if a chosen column is not a field of the record */
    /* The following members belong to the current block of the file. */
    uint32_t pe;
    bool pe_begun;
    struct ws_blocks blocks;
    struct fmt_columns columns; /* owned; the decoded block */
    struct ws_rows_memory memory;
    struct ws_rows rows; /* the chosen records of the current block */
    uint32_t at;         /* number of chosen records already returned to the program */
    /* The following members belong to the block that the program gets. */
    struct ws_record_batch batch;
    struct scan_texts *texts; /* owned; n_chosen elements: strings of each column */
    struct wsr_column *shown; /* owned; n_chosen elements: columns as the program gets them */
    struct wsr_block out;
};

/* Fills scan->out with chosen records from number scan->at on, and advances scan->at. Returns an
 * enum wsr_status. */
int ws_run_block_fill(struct wsr_scan *scan);

#endif
