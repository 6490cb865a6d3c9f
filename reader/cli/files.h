/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - the record files that the operands of a command name.
 */
#ifndef WARPSCOPE_READER_CLI_FILES_H
#define WARPSCOPE_READER_CLI_FILES_H

#include "access/folder.h"
#include "access/stream.h"
#include "cli/args.h"
#include "cli/messages.h"

/* Like ws_files_gather(), ws_stream_survey() and ws_file_survey(), but print messages on stderr. */
bool ws_files_find(struct ws_files *files, char **operands, int n);
void ws_stream_open(struct ws_file *stream, const struct ws_files *files, size_t i);
void ws_file_open(struct ws_file *survey, const char *path, bool strict);
/* Like ws_file_open(), for path number i of files, together with the files joined to it. */
void ws_file_open_joined(struct ws_file *survey, const struct ws_files *files, size_t i);

/* Opens the event trace among the files, with all its parts. absent: message if there is none.
 * Returns NULL after a message: there is none, or there are several. The caller closes it. */
struct ws_file *ws_trace_open(const struct ws_files *files, const char *absent);
void ws_trace_close(struct ws_file *trace);

/* Writes the name of the directory stats-output, or stats-output-N, in the current directory that
 * was changed last. Returns false if there is none. */
bool ws_files_newest(char *name, size_t size);

/* ws_files_command() reads the command line of a subcommand whose operands are directories and
 * files, and calls run with the files. found: false if some operand has none. Returns the exit
 * status of run, or WS_EXIT_USAGE. */
typedef int (*ws_files_run_f)(const struct ws_args *args, const struct ws_files *files, bool found);
int ws_files_command(const struct ws_usage *usage, int argc, char **argv, ws_files_run_f run);

#endif
