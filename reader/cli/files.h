/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - finds the record files for the operands of a command.
 */
#ifndef WARPSCOPE_READER_CLI_FILES_H
#define WARPSCOPE_READER_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/args.h"

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

/* Reads the command line of a subcommand for directories and files, and calls run with its files.
 * found: false if some operand has none. Returns the exit status: that of run, or of a mistake. */
typedef int (*ws_files_run_f)(const struct ws_args *args, const struct ws_files *files, bool found);
int ws_files_command(const struct ws_usage *usage, int argc, char **argv, ws_files_run_f run);

#endif
