/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_dir.c - creates a new directory, so that no run overwrites another.
 *
 * mkdir(2) tests for a name and creates the directory in one system call. With a separate test, two
 * runs that start together could share a directory. Cost: one call per existing name.
 */
#include "record/base/run_dir.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "files/trust.h"

#define RUN_DIR_TRIES 1000000u

/* Returns true if path exists and is not a directory. run_dir_make() then appends no number to the
 * name, but returns an error. */
static bool is_in_the_way(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? !S_ISDIR(st.st_mode) : lstat(path, &st) == 0;
}

static enum tw_status fail(const char *why, const char *path, char *error, size_t error_size)
{
    snprintf(error, error_size, "--stats-path: cannot make directory %s: %s", path, why);
    return TW_ERR_IO;
}

enum tw_status run_dir_make(const char *wanted, char *made, size_t made_size, char *error,
                            size_t error_size)
{
    assert(made_size > 0 && error_size > 0);
    size_t length = strlen(wanted);
    while (length > 1 && wanted[length - 1] == '/') {
        length--;
    }
    if (length + sizeof("-1000000") > made_size) {
        return REFUSE(error, error_size, "--stats-path: the name is too long");
    }
    memcpy(made, wanted, length);
    made[length] = '\0';
    char why[TRUST_WHY_MAX];
    if (!trust_make_parents(made, 0777, why, sizeof why)) {
        return fail(why, made, error, error_size);
    }
    if (is_in_the_way(made)) {
        snprintf(error, error_size, "--stats-path=%s: exists and is not a directory; give another",
                 made);
        return TW_ERR_IO;
    }
    if (!trust_check(TRUST_WRITE, made, NULL, NULL, why, sizeof why)) {
        return fail(why, made, error, error_size);
    }
    for (unsigned number = 1; number <= RUN_DIR_TRIES; number++) {
        if (mkdir(made, 0777) == 0) {
            return TW_OK;
        }
        if (errno != EEXIST) {
            return fail(strerror(errno), made, error, error_size);
        }
        snprintf(made + length, made_size - length, "-%u", number);
    }
    return fail(strerror(EEXIST), made, error, error_size);
}
