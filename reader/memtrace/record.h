/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - "warpscope memtrace record": runs a CUDA program so that it writes memory traces, on a
 * GPU or on the CPU.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_RECORD_H
#define WARPSCOPE_READER_MEMTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/args.h"

enum ws_record_on { WS_RECORD_AUTO, WS_RECORD_GPU, WS_RECORD_CPU };

/* Texts of numbers are checked already; NULL: not given. */
struct ws_record {
    enum ws_record_on on;
    const char *directory; /* %p: process, %r: rank, %%: a percent sign */
    const char *sms, *devices, *ring;
    bool is_compressed, is_mangled;
    char **program; /* its words, with a NULL behind them */
};

/* Reads the options of record, number `first` and following of the table, and the program, which is
 * behind the first operand. r points into argv. Returns an exit status, after a message unless it
 * is WS_EXIT_OK. */
int ws_record_options_read(struct ws_record *r, const struct ws_usage *usage, int first,
                           struct ws_args *args);

/* Runs the program. Returns its exit status, or ends by the signal that ended it. Messages, and
 * what was recorded, are printed on stderr. */
int ws_record_run(const struct ws_record *r);

/* ---- What the parts of the command use ------------------------------------------------------- */

/* Prints one line on stderr, "warpscope memtrace record: words". */
void ws_record_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Finds the file of a program as a shell does. out: PATH_MAX bytes. Returns false after a
 * message. */
bool ws_record_program(const char *name, char *out);

/* Returns whether there is a GPU and its driver. why: what is missing. */
bool ws_record_has_gpu(const char **why);

/*
 * Checks that a program can run with the CUDA runtime for the CPU. Sets *needs_preload if the
 * program looks for libraries in directories of its own first. What is no ELF file passes. Returns
 * false after a message.
 */
bool ws_record_fits_cpu(const char *path, bool *needs_preload);

/* The trace files of a directory, which may contain %p and %r. */
struct ws_record_files {
    char **paths; /* owned, with the array */
    size_t n;
};
/* Lists complete trace files, or those that a program left incomplete, by number. Returns false if
 * memory is exhausted. */
bool ws_record_files_find(struct ws_record_files *files, const char *directory, bool is_complete);
void ws_record_files_free(struct ws_record_files *files);

/* Prints what the files contain and what to do next. Returns whether there are any accesses. */
bool ws_record_files_say(const struct ws_record_files *files, const char *directory);

/* Prints how to use the traces that a program left incomplete. Returns whether there are any. */
bool ws_record_parts_say(const char *directory);

#endif
