/* SPDX-License-Identifier: BSD-3-Clause */
/* plugins_find.c - searches for subscriber libraries, see plugins_find.h. */
#define _GNU_SOURCE /* required for dladdr() */
#include "bus/tables/plugins_find.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Directories of the simulator's own libraries, relative to the directory of libwarpscope.so or of
 * the program. */
static const char *const own_folders[] = {"warpscope", "../lib/warpscope",
                                          "../" WARPSCOPE_LIBRARY_FOLDER "/warpscope"};

/* Sets folder (size bytes) to the directory of the program or library that contains this function.
 * Returns false if the directory is unknown. */
static bool own_folder(char *folder, size_t size)
{
    static const char here = 0;
    char real[PATH_MAX];
    Dl_info info;
    if (dladdr(&here, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    /* For a program, dladdr() yields the name by which it was started, which is possibly not a
     * path. */
    if (realpath(info.dli_fname, real) == NULL && realpath("/proc/self/exe", real) == NULL) {
        return false;
    }
    char *slash = strrchr(real, '/');
    *(slash == NULL ? real : slash) = '\0';
    return snprintf(folder, size, "%s", real) < (int)size;
}

/* Sets place->path to the file at path with links resolved, or place->refused if it is another
 * user's. */
static void take(struct plugins_place *place, const char *path)
{
    char real[PATH_MAX];
    if (!trust_check(TRUST_INPUT, path, real, NULL, place->refused, sizeof place->refused)) {
        snprintf(place->path, sizeof place->path, "%s", path);
    } else if (realpath(real, place->path) == NULL) { /* absolute, as the dynamic linker's names */
        snprintf(place->refused, sizeof place->refused, "%s", strerror(errno));
    } else {
        place->refused[0] = '\0';
    }
}

/* Looks for the file `name` in a directory, whose path is the first `length` bytes of `folder`. If
 * the file is there, sets place->path, or place->refused, and returns true. Otherwise adds the
 * directory to place->looked and returns false. */
static bool is_in(struct plugins_place *place, const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
    if (length == 0 || n >= (int)sizeof path) {
        return false;
    }
    if (access(path, F_OK) == 0) {
        take(place, path);
        return true;
    }
    size_t used = strlen(place->looked);
    snprintf(place->looked + used, sizeof place->looked - used, "%s%.*s", used == 0 ? "" : ", ",
             (int)length, folder);
    return false;
}

/* Looks for the file `name` in each directory of `list`, as is_in() does for one directory. The
 * directories in `list` are separated by colons. */
static bool is_in_list(struct plugins_place *place, const char *list, const char *name)
{
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        if (is_in(place, list, length, name)) {
            return true;
        }
        list += length;
        list += *list == ':';
    }
    return false;
}

static bool is_in_own(struct plugins_place *place, const char *name)
{
    char own[PATH_MAX];
    char real[PATH_MAX];
    if (!own_folder(own, sizeof own)) {
        return false;
    }
    for (size_t i = 0; i < sizeof own_folders / sizeof *own_folders; i++) {
        char folder[PATH_MAX + 64];
        snprintf(folder, sizeof folder, "%s/%s", own, own_folders[i]);
        if (realpath(folder, real) != NULL && is_in(place, real, strlen(real), name)) {
            return true;
        }
    }
    return false;
}

bool plugins_find(const char *name, struct plugins_place *place)
{
    place->looked[0] = '\0';
    place->refused[0] = '\0';
    snprintf(place->path, sizeof place->path, "%s", name);
    if (strchr(name, '/') != NULL) {
        take(place, name);
        return true;
    }
    return is_in_own(place, name) || is_in_list(place, getenv(PLUGINS_FOLDERS), name);
}
