/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results_file.h - a file of results, written at the end of a run.
 */
#ifndef MODELS_COMMON_RESULTS_FILE_H
#define MODELS_COMMON_RESULTS_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "common/error.h"

/* Returns true if both paths name one regular file, by links, too, or one that is yet to be made:
 * two tables in one file would be neither. */
static inline bool model_results_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const bool has_a = stat(a, &of_a) == 0;
    const bool has_b = stat(b, &of_b) == 0;
    if (has_a && has_b) {
        return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    }
    while (strncmp(a, "./", 2) == 0) {
        a += 2;
    }
    while (strncmp(b, "./", 2) == 0) {
        b += 2;
    }
    return !has_a && !has_b && strcmp(a, b) == 0;
}

/* Closes the file. Returns false if some of its data is not written; the error then has the name
 * and the reason. Some file systems report errors only here. */
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
