/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_file.c - see part_file.h.
 */
#define _GNU_SOURCE /* required for asprintf() */
#include "format/part_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES 10000

int fmt_part_create(const char *path, unsigned mode, char **name)
{
    int fd = -1;
    *name = NULL;
    for (int try = 1; try <= TRIES; try++) {
        char again[16] = "";
        if (try > 1) {
            snprintf(again, sizeof again, "-%d", try);
        }
        if (asprintf(name, "%s.part-%ld%s", path, (long)getpid(), again) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            return fd;
        }
        int kept = errno;
        free(*name);
        *name = NULL;
        errno = kept;
        if (kept != EEXIST) {
            break;
        }
    }
    return -1;
}

/* Returns true if name is BASE.part-DIGITS or BASE.part-DIGITS-DIGITS. */
static bool is_part(const char *name, const char *base)
{
    static const char digits[] = "0123456789", infix[] = ".part-";
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || strncmp(name + length, infix, strlen(infix)) != 0) {
        return false;
    }
    const char *pid = name + length + strlen(infix), *end = pid + strspn(pid, digits);
    if (end == pid || *end == '\0') {
        return end != pid;
    }
    size_t again = strspn(end + 1, digits);
    return *end == '-' && again > 0 && end[1 + again] == '\0';
}

size_t fmt_part_list(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1;
    size_t folder_length = (size_t)(base - path), n = 0;
    char *folder = folder_length == 0 ? strdup(".") : strndup(path, folder_length);
    char *first = NULL;
    DIR *dir = folder == NULL ? NULL : opendir(folder);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (is_part(e->d_name, base)) {
            n++;
            if (first == NULL || strcmp(e->d_name, first) < 0) {
                free(first);
                first = strdup(e->d_name);
            }
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    if (n > 0) {
        snprintf(name, size, "%.*s%s", (int)folder_length, path, first == NULL ? base : first);
    }
    free(first);
    free(folder);
    return n;
}
