/* SPDX-License-Identifier: BSD-3-Clause */
/* temp_file.c - see temp_file.h. */
#define _GNU_SOURCE /* required for mkostemp() */
#include "order/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder_of(void)
{
    const char *folder = getenv("TMPDIR");
    return folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
}

static bool failed(const char *what, int why, char *error, size_t size)
{
    snprintf(error, size,
             "cannot %s a temporary file in %.100s: %s (TMPDIR may name another directory)", what,
             folder_of(), strerror(why));
    return false;
}

int ws_temp_open(char *error, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/warpscope-XXXXXX", folder_of());
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        failed("create", errno, error, size);
    } else {
        unlink(path);
    }
    return fd;
}

bool ws_temp_write(int fd, const void *from, size_t n, uint64_t offset, char *error, size_t size)
{
    const char *at = from;
    while (n > 0) {
        ssize_t done = pwrite(fd, at, n, (off_t)offset);
        if (done <= 0 && !(done < 0 && errno == EINTR)) {
            return failed("write to", done < 0 ? errno : ENOSPC, error, size);
        }
        size_t moved = done > 0 ? (size_t)done : 0;
        at += moved;
        n -= moved;
        offset += moved;
    }
    return true;
}

bool ws_temp_read(int fd, void *to, size_t n, uint64_t offset, char *error, size_t size)
{
    char *at = to;
    while (n > 0) {
        ssize_t done = pread(fd, at, n, (off_t)offset);
        if (done <= 0 && !(done < 0 && errno == EINTR)) {
            snprintf(error, size, "cannot read a temporary file in %.100s: %s", folder_of(),
                     done < 0 ? strerror(errno) : "it has become shorter");
            return false;
        }
        size_t moved = done > 0 ? (size_t)done : 0;
        at += moved;
        n -= moved;
        offset += moved;
    }
    return true;
}
