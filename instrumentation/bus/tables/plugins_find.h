/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugins_find.h - where the file of a subscriber library is.
 */
#ifndef WARPSCOPE_BUS_TABLES_PLUGINS_FIND_H
#define WARPSCOPE_BUS_TABLES_PLUGINS_FIND_H

#include <limits.h>
#include <stdbool.h>

/* Folders with colons between, in the environment. */
#define PLUGINS_FOLDERS "WARPSCOPE_SUBSCRIBERS_PATH"

struct plugins_place {
    char path[PATH_MAX]; /* of the file, links followed; the name itself if it was not found */
    char looked[1024];   /* the folders without it, for a message */
};

/*
 * Finds the file of a name. A name with a slash is that file. Others are looked for here, in the
 * folders of PLUGINS_FOLDERS, and in those of the simulator's own subscriber libraries, by the
 * place of the program or the shared library that this function is in. False: it is in none of
 * them, and the dynamic linker may look.
 */
bool plugins_find(const char *name, struct plugins_place *place);

#endif
