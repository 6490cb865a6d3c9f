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

/* Stores the error message. why: an errno value; 0: the file is too short. Returns false. */
static bool failed(struct ws_temp *temp, const char *what, int why)
{
    snprintf(temp->error, sizeof temp->error, "cannot %s a temporary file in %.100s: %s%s", what,
             folder_of(), why == 0 ? "it has become shorter" : strerror(why),
             strcmp(what, "read") == 0 ? "" : " (TMPDIR may name another directory)");
    return false;
}

static bool file_open(struct ws_temp *temp)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/warpscope-XXXXXX", folder_of());
    temp->fd = mkostemp(path, O_CLOEXEC);
    if (temp->fd < 0) {
        return failed(temp, "create", errno);
    }
    unlink(path);
    return true;
}

/* Writes or reads n bytes at `bytes`. Returns false after a failure. */
static bool transfer(struct ws_temp *temp, char *bytes, size_t n, uint64_t offset, bool writes)
{
    for (size_t at = 0; at < n;) {
        ssize_t done = writes ? pwrite(temp->fd, bytes + at, n - at, (off_t)(offset + at))
                              : pread(temp->fd, bytes + at, n - at, (off_t)(offset + at));
        if (done <= 0 && !(done < 0 && errno == EINTR)) {
            return failed(temp, writes ? "write to" : "read",
                          done < 0 ? errno
                          : writes ? ENOSPC
                                   : 0);
        }
        at += done > 0 ? (size_t)done : 0;
    }
    return true;
}

bool ws_temp_write(struct ws_temp *temp, const void *from, size_t n, uint64_t offset)
{
    return (temp->fd >= 0 || file_open(temp)) && transfer(temp, (char *)from, n, offset, true);
}

bool ws_temp_read(struct ws_temp *temp, void *to, size_t n, uint64_t offset)
{
    return transfer(temp, to, n, offset, false);
}

void ws_temp_close(struct ws_temp *temp)
{
    if (temp->fd >= 0) {
        close(temp->fd);
    }
    *temp = (struct ws_temp){.fd = -1};
}
