/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results_file.h - closes a file of results, which a model writes at the end of a run.
 */
#ifndef MODELS_COMMON_RESULTS_FILE_H
#define MODELS_COMMON_RESULTS_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/error.h"

/* Closes the file. Returns false if some of its data could not be written; *error then has the path
 * and the reason. Some file systems report write errors only when a file is closed. */
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
