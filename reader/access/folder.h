/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - finds the record files that paths of directories and files stand for.
 */
#ifndef WARPSCOPE_READER_ACCESS_FOLDER_H
#define WARPSCOPE_READER_ACCESS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "data/messages.h"

struct ws_files {
    char **paths; /* on the heap */
    size_t n;
};

/*
 * Collects the files that n operands name. A directory stands for its files that are named like
 * record files, sorted by name, without those in the layout of ROSS 8. Returns false, after a line
 * of messages, if a directory could not be read or has no such file; files then holds the rest.
 * Must be freed in any case.
 */
bool ws_files_gather(struct ws_files *files, const char *const *operands, int n,
                     const struct ws_messages *messages);
void ws_files_free(struct ws_files *files);

#endif
