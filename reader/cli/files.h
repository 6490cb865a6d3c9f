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
#include "cli/out.h"

/* Prints what a recording covers, broken into lines, unless it is the whole run. It is the first that
 * a command prints about the recording. before: words before it, such as "A: ". out NULL: prints
 * nothing. Returns false if the recording is incomplete, so that the exit status must be 1. */
bool ws_covers_say(FILE *out, const char *before, const struct ws_covers *covers);
/* Prints the command of the run that wrote the file with superblock sb, and its scheduler. Then
 * prints the number of ranks, of LPs, and of KPs per PE, and a blank line. */
void ws_run_print(FILE *out, const struct fmt_superblock *sb);
/* If the run of a recording is still going on, prints on stderr how far it is. path: the first
 * operand. For commands that print records. */
void ws_running_say(const char *path, const struct ws_covers *covers);
/* Returns true if a trace has the needed properties, a bitwise OR of enum ws_trace_needs. Otherwise
 * prints one line on stderr: which part lacks one, and what to do. */
bool ws_trace_require(const struct ws_file *trace, unsigned needs);
/* Like ws_covers_say(), for a recording of which only one stream is used. */
bool ws_stream_covers_say(FILE *out, const struct ws_file *stream);

/* Checks the command line of a subcommand beyond the types of its options. command: the struct that
 * has the values. Returns WS_EXIT_OK, or another exit status after an error message. */
typedef int (*ws_check_f)(void *command, const struct ws_args *args);

/* Like ws_args_parse(), for subcommands that require at least one directory or file as operand.
 * check may be NULL. */
bool ws_args_parse_paths(struct ws_args *args, const struct ws_usage *usage, void *command,
                         ws_check_f check, int argc, char **argv, int *exit_status);

/* Carries out a subcommand on its files. found: false if no file was found for at least one
 * operand. Returns the exit status. */
typedef int (*ws_files_run_f)(void *command, const struct ws_args *args,
                              const struct ws_files *files, bool found);
/* Parses the command line of a subcommand whose operands are directories and files, and calls run
 * with the files. Returns the exit status of run, or that of the command line if it is wrong. */
int ws_files_command(const struct ws_usage *usage, void *command, ws_check_f check,
                     ws_files_run_f run, int argc, char **argv);

/* Carries out a subcommand on the trace of events. Returns false after an error message. */
typedef bool (*ws_trace_run_f)(void *command, struct ws_file *trace, struct ws_outs *outs);
/* Like ws_files_command(), for a subcommand that reads the one trace of events among its files, and
 * writes files that replace none of them. absent: error message if there is no trace. The exit
 * status is WS_EXIT_OK only if run succeeds and the trace is complete. */
int ws_trace_command(const struct ws_usage *usage, void *command, ws_check_f check,
                     ws_trace_run_f run, const char *absent, int argc, char **argv);

#endif
