/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results_file.h - opens and closes a file of results, which a model writes at the end of a run.
 */
#ifndef MODELS_COMMON_RESULTS_FILE_H
#define MODELS_COMMON_RESULTS_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/collective.h"
#include "files/trust.h"

/* Creates or empties on rank 0 the file at path, the value of the option, before the run, so that a
 * path that cannot be written is found early. Sets *file to its stream; to NULL if path is "", and
 * on other ranks. Returns false, with the reason in *error, on failure or if the file is another
 * user's (files/trust.h). Collective. */
static inline bool model_results_open(FILE **file, const char *option, const char *path,
                                      MPI_Comm comm, struct model_error *error)
{
    char why[TRUST_WHY_MAX];
    int rank;
    MPI_Comm_rank(comm, &rank);
    const bool is_wanted = rank == 0 && path[0] != '\0';
    *file = is_wanted ? trust_rewrite(path, why, sizeof why) : NULL;
    bool ok = *file != NULL || !is_wanted ||
              model_fail(error, "--%s=%.500s: cannot be written: %s", option, path, why);
    return model_outcome_share(ok, comm, error);
}

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
