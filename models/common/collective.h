/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.h - operations after which all ranks have the same result and the same error message:
 * input files and files of results.
 *
 * Only rank 0 reads an input file, since the ranks of a run possibly have different file systems,
 * and 10000 ranks that open one file would overload its file system.
 */
#ifndef MODELS_COMMON_COLLECTIVE_H
#define MODELS_COMMON_COLLECTIVE_H

#include <errno.h>

#include "common/error.h"
#include "files/trust.h"
#include "ross.h"

/* Returns true if ok is true on all ranks. Otherwise, copies the error message of the lowest rank
 * on which ok is false to *error on all ranks, and returns false. Collective. */
static inline bool model_outcome_share(bool ok, MPI_Comm comm, struct model_error *error)
{
    int rank, ranks, first;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int mine = ok ? ranks : rank;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first < ranks) {
        MPI_Bcast(error->text, sizeof error->text, MPI_CHAR, first, comm);
    }
    return first == ranks;
}

/* Reads a file of at most `most` bytes. Returns its contents, followed by a zero byte, which the
 * caller frees, and sets *size to the number of bytes. Returns NULL after an error. */
static inline char *model_file_read(const char *path, size_t most, size_t *size,
                                    struct model_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        model_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    char *text = tw_calloc(TW_LOC, "input file", 1, most + 2);
    errno = 0;
    *size = fread(text, 1, most + 1, file);
    bool ok = ferror(file) ? model_fail(error, "%s: cannot be read: %s", path, strerror(errno))
                           : *size <= most ||
                                 model_fail(error, "%s: larger than %zu MiB, the most that is read",
                                            path, most >> 20);
    fclose(file);
    if (!ok) {
        free(text);
    }
    return ok ? text : NULL;
}

/* Like model_file_read(); reads the file on rank 0 of comm and returns its contents on all ranks.
 * most: at most INT_MAX. Collective. */
static inline char *model_file_share(MPI_Comm comm, const char *path, size_t most, size_t *size,
                                     struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    char *text = rank == 0 ? model_file_read(path, most, size, error) : NULL;
    if (!model_outcome_share(rank > 0 || text != NULL, comm, error)) {
        return NULL;
    }
    int bytes = rank == 0 ? (int)*size : 0;
    MPI_Bcast(&bytes, 1, MPI_INT, 0, comm);
    if (rank > 0) {
        text = tw_calloc(TW_LOC, "input file", 1, (size_t)bytes + 1);
        *size = (size_t)bytes;
    }
    MPI_Bcast(text, bytes, MPI_CHAR, 0, comm);
    return text;
}

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

/* Returns the part of `path` after its last slash. */
static inline const char *model_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

#endif
