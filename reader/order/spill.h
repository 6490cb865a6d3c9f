/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spill.h - sorted runs of sort keys in a temporary file, which are merged when they are read back.
 *
 * The file lies in $TMPDIR (otherwise /tmp), has no name, and disappears with the process. It takes
 * about as many bytes as the decoded records; twice that while intermediate passes merge runs.
 * Memory: set by the caller of ws_spill_read(), at least twice the largest sort key and
 * WS_SPILL_MIN. The number of runs is not limited: if not all runs can be read at once, several
 * passes merge them.
 */
#ifndef WARPSCOPE_READER_ORDER_SPILL_H
#define WARPSCOPE_READER_ORDER_SPILL_H

#include "order/pool.h"
#include "order/temp_file.h"

#define WS_SPILL_MIN ((size_t)128 << 10)

struct ws_sorted_run {
    uint64_t from, to; /* range of the run's bytes in the file */
    size_t item_max;   /* size of the run's largest sort key in bytes */
};

struct ws_spill {
    const struct ws_sort_layout *layout; /* borrowed; layout of the sort keys */
    struct ws_temp file;                 /* file.error also states that memory is exhausted */
    uint64_t end;                        /* offset of the next write in the file */
    struct ws_sorted_run *runs;          /* owned; the sorted runs */
    size_t n_runs, runs_max;
    uint8_t *out; /* owned; buffer of bytes not yet written */
    size_t out_used;
    struct ws_run_cursor *cursors; /* owned; one cursor per run that is being read */
    struct ws_run_head *heap;      /* owned; the runs' next sort keys, a heap, the smallest first */
    size_t n_heap;
    bool taken;  /* true if the first key of the heap was returned but not yet removed */
    uint8_t *in; /* owned; memory of all cursors */
};

/* Initialises spill. Allocates nothing before the first run. spill must be freed at the end. */
void ws_spill_init(struct ws_spill *spill, const struct ws_sort_layout *layout);
void ws_spill_free(struct ws_spill *spill);

/* Writes a sorted pool as a run. Returns false on failure, with a message in spill->file.error. */
bool ws_spill_pool(struct ws_spill *spill, const struct ws_pool *pool);

/* Begins to read all runs as one. memory: memory to use in bytes. Returns false on failure, with an
 * error message in spill->file.error. */
bool ws_spill_read(struct ws_spill *spill, size_t memory);
/* Returns the next sort key, valid until the next call. Returns NULL at the end or if
 * spill->file.error is not empty. */
const struct ws_sort_key *ws_spill_next(struct ws_spill *spill);

#endif
