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

#define RUN_DIR_TRIES 1000000u

/* Creates the parent directories of path, which is modified during the call. Returns 0 or an errno
 * value. */
static int make_parents(char *path)
{
    assert(path[0] != '\0');
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        int why = errno;
        struct stat st;
        if (failed && stat(path, &st) == 0) {
            /* The directory exists, so the error is ignored: a read-only file system may report
             * EROFS before it looks for the name. */
            failed = 0;
        }
        *slash = '/';
        if (failed) {
            return why;
        }
    }
    return 0;
}

/* Returns true if path exists and is not a directory. run_dir_make() then appends no number to the
 * name, but returns an error. */
static bool is_in_the_way(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? !S_ISDIR(st.st_mode) : lstat(path, &st) == 0;
}

static enum tw_status fail(int why, const char *path, char *error, size_t error_size)
{
    snprintf(error, error_size, "--stats-path: cannot make directory %s: %s", path, strerror(why));
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
        snprintf(error, error_size, "--stats-path: the name is too long");
        return TW_ERR_USAGE;
    }
    memcpy(made, wanted, length);
    made[length] = '\0';
    int why = make_parents(made);
    if (why != 0) {
        return fail(why, made, error, error_size);
    }
    if (is_in_the_way(made)) {
        snprintf(error, error_size, "--stats-path=%s: exists and is not a directory; give another",
                 made);
        return TW_ERR_IO;
    }
    for (unsigned number = 1; number <= RUN_DIR_TRIES; number++) {
        if (mkdir(made, 0777) == 0) {
            return TW_OK;
        }
        if (errno != EEXIST) {
            return fail(errno, made, error, error_size);
        }
        snprintf(made + length, made_size - length, "-%u", number);
    }
    return fail(EEXIST, made, error, error_size);
}
