/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart.h - data of a restart in progress, shared by restart.c, which reads, and restore.c, which
 * restores.
 */
#ifndef WARPSCOPE_CHECKPOINT_RESTART_H
#define WARPSCOPE_CHECKPOINT_RESTART_H

#include "checkpoint/checkpoint_private.h"

struct restart {
    struct pe *pe;
    bool takes_over; /* false: first pass, which only checks; true: second pass, which restores */
    const char *path;
    uint8_t *seen; /* by local LP */
    tw_lpid n_seen;
    double seconds;
    struct tw_counters counters;
    uint64_t committed_fingerprint;
    char error[CKPT_ERROR_SIZE]; /* "": none so far */
};

/* Sets the error to "file: message". Returns false. */
bool ckpt_refuse(struct restart *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reads all files of the checkpoint: checks them, and in the second pass restores what belongs to
 * this rank. Returns false on error. Not collective. */
bool ckpt_read_all(struct restart *r);

/* Check a record of an LP or an event. In the second pass, restore it if it belongs to this rank.
 * Return false on error. */
bool ckpt_take_lp(struct restart *r, const void *record, size_t size);
bool ckpt_take_event(struct restart *r, const void *record, size_t size);

#endif
