/* SPDX-License-Identifier: BSD-3-Clause */
/* control_files.c - removes the request files that a killed run has left; see control_files.h. */
#include "info/control_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "access/journals.h"
#include "data/known.h"
#include "files/trust.h"
#include "format/control_file.h"

#define ANSWERS_MORE (sizeof CONTROL_ANSWERS_END - sizeof CONTROL_FILE_END)

/* Removes the file of answers at `path`, and the file of requests beside it, unless a run holds
 * their lock. Overwrites `path`. */
static void pair_remove(char *path)
{
    char why[TRUST_WHY_MAX];
    int fd = trust_open_private(path, O_RDONLY, why, sizeof why);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        unlink(path);
        path[strlen(path) - ANSWERS_MORE] = '\0';
        unlink(path);
    }
    if (fd >= 0) {
        close(fd);
    }
}

void control_files_remove(const char *record_file)
{
    char *folder = ws_journals_linked_file(record_file);
    char *slash = folder == NULL ? NULL : strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder] = '\0';
    }
    DIR *dir = folder == NULL ? NULL : opendir(slash == NULL ? "." : folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (ws_ends_with(entry->d_name, CONTROL_ANSWERS_END)) {
            size_t size = strlen(folder) + strlen(entry->d_name) + 2;
            char *path = malloc(size);
            if (path != NULL) {
                snprintf(path, size, "%s/%s", slash == NULL ? "." : folder, entry->d_name);
                pair_remove(path);
            }
            free(path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    free(folder);
}
