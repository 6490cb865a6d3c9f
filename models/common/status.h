/*
 * status.h - the exit statuses of models, and how a model ends with a message.
 *
 * One rule for all: whatever is found before the run, in options, in files that they name, or of
 * files that are to be written, is refused, and nothing has been written; what cannot be written
 * when the run is over is a failure, and everything else is printed. The engine has the others:
 * 3 for fatal errors during the run, 128 + the signal.
 */
#ifndef MODELS_COMMON_STATUS_H
#define MODELS_COMMON_STATUS_H

#include <stdio.h>

#include "ross.h"

enum model_status {
    MODEL_OK = 0,
    MODEL_FAILED = 1, /* the run is over, results are missing */
    MODEL_REFUSED = 2 /* there was no run */
};

/* After tw_init(): rank 0 says "model: message", and the engine ends. Returns the status.
 * Collective; all ranks must have found the same. */
static inline int model_end(const char *model, const char *message, enum model_status status)
{
    if (tw_ismaster()) {
        fprintf(stderr, "%s: %s\n", model, message);
    }
    tw_end();
    return (int)status;
}

#endif
