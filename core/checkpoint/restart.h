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
    /* false in the first pass, which only checks; true in the second, which restores. */
    bool takes_over;
    const char *path;   /* beginning of error messages */
    double at;          /* virtual time of the checkpoint; events are for this time or later */
    double sent_before; /* events must have been sent before this time */
    uint8_t *seen;      /* 1 for each local LP that the checkpoint contains */
    tw_lpid n_seen;
    double seconds;
    struct tw_counters counters;
    uint64_t committed_fingerprint;
    char error[CKPT_ERROR_SIZE]; /* message about the first error; "": none so far */
};

/* Sets the error message to "file: message". Returns false. */
bool ckpt_refuse(struct restart *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reads all files of the checkpoint: checks them, and in the second pass restores the LPs and
 * events of this rank. Returns false on error. Not collective. */
bool ckpt_read_all(struct restart *r);

/* Check a record of an LP or an event. In the second pass, restore it if it belongs to this rank.
 * Return false on error. */
bool ckpt_take_lp(struct restart *r, const void *record, size_t size);
bool ckpt_take_event(struct restart *r, const void *record, size_t size);

#endif
