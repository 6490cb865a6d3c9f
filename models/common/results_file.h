/*
 * results_file.h - a file of results, written in the end of a run.
 */
#ifndef MODELS_COMMON_RESULTS_FILE_H
#define MODELS_COMMON_RESULTS_FILE_H

#include <errno.h>
#include <string.h>

#include "common/error.h"

/* Closes the file. False: not all that was written to it is there; the error names the file and
 * says why, also when the system tells only now. */
static inline bool model_results_close(FILE *file, const char *path, struct model_error *error)
{
    bool lost = fflush(file) != 0 || ferror(file) != 0;
    int why = errno;
    if (fclose(file) != 0 && !lost) {
        lost = true;
        why = errno;
    }
    return !lost ||
           model_fail(error, "%.500s: could not be written completely: %s", path, strerror(why));
}

#endif
