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
    uint64_t from, to; /* bytes of the file */
    size_t item_max;   /* size of its largest sort key */
};

struct ws_spill {
    const struct ws_sort_layout *form; /* borrowed */
    int fd;                            /* -1: no file yet */
    uint64_t end;                      /* offset of the next write */
    struct ws_run *runs;               /* owned */
    size_t n_runs, runs_max;
    bool run_open;
    uint8_t *out; /* owned: bytes not yet written */
    size_t out_used;
    struct ws_cursor *cursors; /* owned: of the runs being read */
    uint32_t *heap;            /* owned: numbers of cursors, that with the least sort key first */
    size_t n_heap;
    bool taken;      /* the first sort key of the heap was returned */
    uint8_t *in;     /* owned: the cursors' memory */
    char error[256]; /* the reason of a failure */
};

/* Allocates nothing before the first run. Must be freed in any case. */
void ws_spill_init(struct ws_spill *spill, const struct ws_sort_layout *form);
void ws_spill_free(struct ws_spill *spill);

/* Begin a run, add its sort keys in order, end it. Return false, with the reason in spill->error,
 * on failure. */
bool ws_spill_run_begin(struct ws_spill *spill);
bool ws_spill_add(struct ws_spill *spill, const struct ws_sort_key *item);
bool ws_spill_run_end(struct ws_spill *spill);

/* Begins to read all runs as one, in memory bytes. Returns false, with the reason in spill->error,
 * on failure. */
bool ws_spill_read(struct ws_spill *spill, size_t memory);
/* Returns the next sort key, valid until the next call. NULL: no more, or spill->error is not
 * empty. */
const struct ws_sort_key *ws_spill_next(struct ws_spill *spill);

#endif
