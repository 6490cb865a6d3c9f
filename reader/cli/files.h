/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - finds and opens the record files that the operands of a command name, with messages on
 * stderr.
 */
#ifndef WARPSCOPE_READER_CLI_FILES_H
#define WARPSCOPE_READER_CLI_FILES_H

#include <stdio.h>

#include "access/covers.h"
#include "access/folder.h"
#include "access/stream.h"
#include "cli/args.h"
#include "cli/messages.h"

/* Like ws_files_gather(), but prints messages on stderr. */
bool ws_files_find(struct ws_files *files, char **operands, int n);
/* Like ws_stream_survey(), but prints messages on stderr. */
void ws_stream_open(struct ws_file *stream, const struct ws_files *files, size_t i);
/* Like ws_file_survey(), but prints messages on stderr. */
void ws_file_open(struct ws_file *file, const char *path, bool strict);
/* Like ws_file_open(), for file number i of files, together with the files joined to it. */
void ws_file_open_joined(struct ws_file *file, const struct ws_files *files, size_t i);

/* Prints what a recording covers in one line, unless it is the whole run. It is the first line that
 * a command prints about the recording. before: words before it, such as "A: ". out NULL: prints
 * nothing. Returns false if the recording is incomplete, so that the exit status must be 1. */
bool ws_covers_say(FILE *out, const char *before, const struct ws_covers *covers);
/* If the run of a recording is still going on, prints on stderr how far it is. path: the first
 * operand. For commands that print records. */
void ws_running_say(const char *path, const struct ws_covers *covers);
/* Like ws_covers_say(), for a recording of which only one stream is used. */
bool ws_stream_covers_say(FILE *out, const struct ws_file *stream);

/* Opens the event trace among the files, with all its parts. The caller closes it with
 * ws_trace_close(). If there is no trace or more than one, prints an error message and returns
 * NULL. absent: error message if there is no trace. */
struct ws_file *ws_trace_open(const struct ws_files *files, const char *absent);
void ws_trace_close(struct ws_file *trace);

/* Stores in `name`, of `size` bytes, the most recently changed directory called stats-output or
 * stats-output-N in the current directory. Returns false if there is none. */
bool ws_files_newest(char *name, size_t size);

/* Carries out a subcommand on its files. found: false if no file was found for at least one
 * operand. Returns the exit status. */
typedef int (*ws_files_run_f)(const struct ws_args *args, const struct ws_files *files, bool found);
/* Parses the command line of a subcommand whose operands are directories and files, and calls run
 * with the files. Returns the exit status of run, or that of ws_args_parse_paths() if it fails. */
int ws_files_command(const struct ws_usage *usage, int argc, char **argv, ws_files_run_f run);

#endif
