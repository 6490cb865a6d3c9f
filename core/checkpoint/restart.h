/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart.h - data of a restart in progress, shared by restart.c, which reads the checkpoint, and
 * restore.c, which restores LPs and events.
 */
#ifndef WARPSCOPE_CHECKPOINT_RESTART_H
#define WARPSCOPE_CHECKPOINT_RESTART_H

#include "checkpoint/checkpoint_private.h"
#include "checkpoint/course.h"

struct restart {
    struct pe *pe;
    /* false in the first pass, which only checks the checkpoint; true in the second pass, which
     * restores its contents. */
    bool takes_over;
    const char *path;   /* path with which error messages begin */
    double at;          /* virtual time of the checkpoint; receive times must not be earlier */
    double sent_before; /* virtual time before which all events must have been sent */
    uint8_t *seen;      /* indexed by local LP: 1 once the record of the LP was read, else 0 */
    tw_lpid n_seen;     /* number of elements of seen that are 1 */
    double seconds;     /* maximum of run_seconds over the files */
    struct tw_counters counters;    /* sums over the files; for the numbers of GVT rounds, maxima */
    uint64_t committed_fingerprint; /* sum over the files */
    struct ckpt_course course;
    char error[CKPT_ERROR_SIZE]; /* error message; "": no error so far */
};

/* Sets r->error to r->path, a colon and the formatted message. Returns false. */
bool ckpt_refuse(struct restart *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reads and checks all files of the checkpoint. In the second pass, restores the LPs and the events
 * of this rank. On an error, sets r->error and returns false. Not collective. */
bool ckpt_read_all(struct restart *r);

/* These functions check a record of an LP or of an event. In the second pass they restore the LP or
 * event if it belongs to this rank. On an error, they set r->error and return false. */
bool ckpt_take_lp(struct restart *r, const void *record, size_t size);
bool ckpt_take_event(struct restart *r, const void *record, size_t size);

#endif
