/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - finds the record files for the operands of a command.
 */
#ifndef WARPSCOPE_READER_CLI_FILES_H
#define WARPSCOPE_READER_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct ws_files {
    char **paths; /* on the heap */
    size_t n;
};

/*
 * Collects the files that the operands name. A directory stands for its files that are named like
 * record files, sorted by name, without those in the layout of ROSS 8. Returns false, after a line
 * on stderr, if a directory could not be read or has no such file; files then holds the rest. Must
 * be freed in any case.
 */
bool ws_files_find(struct ws_files *files, char **operands, int n);
void ws_files_free(struct ws_files *files);

#endif
