/* SPDX-License-Identifier: BSD-3-Clause */
/* marker.c - see marker.h. */
#include "base/marker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MARKER_MAX 4400

uint64_t marker_new_id(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) * 0x9e3779b97f4a7c15u ^
           (uint64_t)getpid() << 8;
}

static void marker_path(char *path, const char *dir, uint64_t id)
{
    snprintf(path, MARKER_MAX, "%.4300s/.warpscope-%016" PRIx64, dir, id);
}

enum tw_status marker_leave(const char *dir, uint64_t id, char *error, size_t size)
{
    char path[MARKER_MAX];
    marker_path(path, dir, id);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        snprintf(error, size, "%s: cannot create: %s", path, strerror(errno));
        return TW_ERR_IO;
    }
    close(fd);
    return TW_OK;
}

void marker_remove(const char *dir, uint64_t id)
{
    char path[MARKER_MAX];
    marker_path(path, dir, id);
    unlink(path);
}

bool marker_sees(const char *dir, uint64_t id)
{
    char path[MARKER_MAX];
    marker_path(path, dir, id);
    if (access(path, F_OK) == 0) {
        return true;
    }
    /* A network file system may have cached that the marker does not exist. Reading the directory
     * renews the cache. */
    DIR *listing = opendir(dir);
    if (listing == NULL) {
        return false;
    }
    while (readdir(listing) != NULL) {
    }
    closedir(listing);
    return access(path, F_OK) == 0;
}
