/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spill.h - ordered runs of sort keys in a temporary file, merged as they are read back.
 *
 * The file lies in $TMPDIR (otherwise /tmp), has no name, and is removed with the process. It takes
 * about as many bytes as the decoded records; twice that while intermediate passes merge runs.
 * Memory: set by the caller of ws_spill_read(), at least twice the largest sort key and
 * WS_SPILL_MIN. The number of runs is not limited: several passes merge more than can be read at
 * once.
 */
#ifndef WARPSCOPE_READER_ORDER_SPILL_H
#define WARPSCOPE_READER_ORDER_SPILL_H

#include "order/sort_key.h"

#define WS_SPILL_MIN ((size_t)128 << 10)

struct ws_run {
    uint64_t from, to; /* range of the run's bytes in the file */
    size_t item_max;   /* size of its largest sort key in bytes */
};

struct ws_spill {
    const struct ws_sort_layout *form; /* borrowed; layout of the sort keys */
    int fd;                            /* descriptor of the temporary file; -1: no file yet */
    uint64_t end;                      /* offset of the next write in the file */
    struct ws_run *runs;               /* owned; table of the runs */
    size_t n_runs, runs_max;
    bool run_open;
    uint8_t *out; /* owned; bytes not yet written */
    size_t out_used;
    struct ws_cursor *cursors; /* owned; cursors of the runs that are being read */
    uint32_t *heap; /* owned; numbers of cursors: a heap, with the least sort key first */
    size_t n_heap;
    bool taken;      /* true if the caller has the first key of the heap, which is still in it */
    uint8_t *in;     /* owned; memory of the cursors */
    char error[256]; /* reason of the failure; "": none */
};

/* Initialises the object. Allocates nothing before the first run. Must be freed in any case. */
void ws_spill_init(struct ws_spill *spill, const struct ws_sort_layout *form);
void ws_spill_free(struct ws_spill *spill);

/* Begin a run, add a sort key to it, and end it. The caller adds the sort keys of a run in order.
 * Return false, with the reason in spill->error, on failure. */
bool ws_spill_run_begin(struct ws_spill *spill);
bool ws_spill_add(struct ws_spill *spill, const struct ws_sort_key *item);
bool ws_spill_run_end(struct ws_spill *spill);

/* Begins to read all runs as one. memory: bytes to use. Returns false, with the reason in
 * spill->error, on failure. */
bool ws_spill_read(struct ws_spill *spill, size_t memory);
/* Returns the next sort key, valid until the next call. Returns NULL at the end or if spill->error
 * is not empty. */
const struct ws_sort_key *ws_spill_next(struct ws_spill *spill);

#endif
