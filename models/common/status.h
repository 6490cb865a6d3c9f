/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.h - the exit statuses of models, and the function that ends a model with an error message.
 *
 * All models use the exit statuses in the same way. MODEL_REFUSED: an error in options, input files
 * or paths of output files was found before the run, and no file was written. MODEL_FAILED: some
 * results could not be written after the run, but all other results have been printed. The engine
 * itself exits with 3 after a fatal error during the run, and with 128 + signal number after a
 * signal.
 */
#ifndef MODELS_COMMON_STATUS_H
#define MODELS_COMMON_STATUS_H

#include <stdio.h>

#include "ross.h"

enum model_status {
    MODEL_OK = 0,
    MODEL_FAILED = 1, /* the run has ended, but some results could not be written */
    MODEL_REFUSED = 2 /* there was no run, because of an error in the input */
};

/* Prints "model: message" on rank 0, then ends the engine by tw_end(). Returns `status`. Must be
 * called after tw_init(). Collective; `message` must be the same on all ranks. */
static inline int model_end(const char *model, const char *message, enum model_status status)
{
    if (tw_ismaster()) {
        fprintf(stderr, "%s: %s\n", model, message);
    }
    tw_end();
    return (int)status;
}

#endif
