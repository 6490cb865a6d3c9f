/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugins_find.h - finds the file of a subscriber library.
 */
#ifndef WARPSCOPE_BUS_TABLES_PLUGINS_FIND_H
#define WARPSCOPE_BUS_TABLES_PLUGINS_FIND_H

#include <limits.h>
#include <stdbool.h>

#include "files/trust.h"

/* Name of the environment variable with directories to search, separated by colons. */
#define PLUGINS_FOLDERS "WARPSCOPE_SUBSCRIBERS_PATH"

struct plugins_place {
    /* Path of the file with links resolved; the name itself if no file was found. */
    char path[PATH_MAX];
    char looked[1024]; /* directories that were searched without success, for an error message */
    char refused[TRUST_WHY_MAX]; /* why the file must not be loaded; "": it may */
};

/*
 * Finds the file of the library `name`, and sets *place. A name with a slash is a path. Any other
 * name is searched for in the directories of the simulator's own subscriber libraries, and in the
 * directories of PLUGINS_FOLDERS; never in the current directory, where other users may have put a
 * library. The simulator's directories are relative to the program or shared library that contains
 * this function. Returns false if the file is in none of these directories; the dynamic linker
 * possibly finds it elsewhere.
 */
bool plugins_find(const char *name, struct plugins_place *place);

#endif
