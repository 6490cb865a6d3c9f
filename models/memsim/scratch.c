/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.c - temporary files; see scratch.h.
 */
#include "scratch.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ms_scratch_open(const char *folder, struct model_error *error)
{
    char path[1200];
    if (folder[0] == '\0') {
        const char *from_environment = getenv("TMPDIR");
        folder =
            from_environment == NULL || from_environment[0] == '\0' ? "/tmp" : from_environment;
    }
    snprintf(path, sizeof path, "%s/memsim-XXXXXX", folder);
    int fd = mkstemp(path);
    if (fd < 0) {
        model_fail(error,
                   "%s: no temporary file can be made here: %s; choose a directory with --scratch",
                   folder, strerror(errno));
        return -1;
    }
    unlink(path);
    return fd;
}

bool ms_scratch_write(int fd, const void *bytes, size_t size, uint64_t offset)
{
    assert(fd >= 0);
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = pwrite(fd, at, size, (off_t)offset);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        at += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

bool ms_scratch_read(int fd, void *bytes, size_t size, uint64_t offset)
{
    assert(fd >= 0);
    char *at = bytes;
    while (size > 0) {
        ssize_t done = pread(fd, at, size, (off_t)offset);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            errno = done == 0 ? EIO : errno;
            return false;
        }
        at += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}
