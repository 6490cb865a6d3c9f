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

/* Options of record. Texts of numbers have been checked. NULL: not given. */
struct ws_record {
    enum ws_record_on on;
    const char *directory; /* may contain %p (process), %r (rank) and %% (percent sign) */
    const char *sms, *devices, *ring;
    bool is_compressed, is_mangled;
    char **program; /* the words of the command, terminated by NULL */
};

/* Reads the options of record, which begin at number `first` of the table, and the program, which
 * begins at the second operand. r points into argv. Returns an exit status, after a message unless
 * it is WS_EXIT_OK. */
int ws_record_options_read(struct ws_record *r, const struct ws_usage *usage, int first,
                           struct ws_args *args);

/* Runs the program, and prints on stderr what was recorded. Returns the exit status of the program.
 * If a signal ended it, this process ends by the same signal. */
int ws_record_run(const struct ws_record *r);

/* ---- Functions that the parts of the command share ------------------------------------------- */

/* Prints one line on stderr: "warpscope memtrace record: " and the formatted words. */
void ws_record_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Finds the file of a program by the rules of a shell. out: PATH_MAX bytes. Returns false after a
 * message. */
bool ws_record_program(const char *name, char *out);

/* Returns true if there is a GPU with a driver, else false; *why then states what is missing. */
bool ws_record_has_gpu(const char **why);

/*
 * Checks that a program can run with the CUDA runtime for the CPU. Sets *needs_preload if the
 * program first searches libraries in directories of its own. A file that is not an ELF file is
 * accepted. Returns false after a message.
 */
bool ws_record_fits_cpu(const char *path, bool *needs_preload);

/* The trace files of a directory, whose name may contain %p and %r. */
struct ws_record_files {
    char **paths; /* owned, with the array */
    size_t n;
};
/* Lists trace files in the order of their numbers: complete files, or those that a program left
 * incomplete. Omits files of `before` (may be NULL), which this function has listed. Returns false
 * if memory is exhausted. */
bool ws_record_files_find(struct ws_record_files *files, const char *directory, bool is_complete,
                          const struct ws_record_files *before);
void ws_record_files_free(struct ws_record_files *files);

/* Prints what the files contain and suggests the next command. Returns true if there are any
 * accesses. */
bool ws_record_files_say(const struct ws_record_files *files, const char *directory);

/* Prints how to use trace files that a program left incomplete. Returns true if there are any. */
bool ws_record_parts_say(const char *directory);

#endif
