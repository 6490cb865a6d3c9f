/*
 * restart.h - a restart that is going on: between restart.c, which reads, and restore.c, which
 * takes over.
 */
#ifndef WARPSCOPE_CHECKPOINT_RESTART_H
#define WARPSCOPE_CHECKPOINT_RESTART_H

#include "checkpoint/checkpoint.h"

struct restart {
    struct pe *pe;
    bool takes_over; /* the second time */
    const char *path;
    uint8_t *seen; /* by local LP */
    tw_lpid n_seen;
    double seconds;
    struct tw_counters counters;
    uint64_t committed_fingerprint;
    char error[CKPT_ERROR_SIZE]; /* "": none so far */
};

/* Notes "file: message" as the error; false. */
bool ckpt_refuse(struct restart *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A record of an LP or an event: checks it, and takes it over if it is this rank's and the time has
 * come; false with an error. */
bool ckpt_take_lp(struct restart *r, const void *record, size_t size);
bool ckpt_take_event(struct restart *r, const void *record, size_t size);

#endif
