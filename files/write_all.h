/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_all.h - writes bytes to a file completely.
 */
#ifndef WARPSCOPE_FILES_WRITE_ALL_H
#define WARPSCOPE_FILES_WRITE_ALL_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/* Writes `size` bytes to fd, by several calls of write() if a call takes only a part or is
 * interrupted. Returns 0, or the number of the error. */
static inline int write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            return n < 0 ? errno : EIO;
        }
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

#endif
