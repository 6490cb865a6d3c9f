/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - "warpscope memtrace record": runs a CUDA program so that it writes memory traces, on a
 * GPU or on the CPU.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_RECORD_H
#define WARPSCOPE_READER_MEMTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memtrace/analysis.h"

enum ws_record_on { WS_RECORD_AUTO, WS_RECORD_GPU, WS_RECORD_CPU };

/* Options of the subcommand "record". */
struct ws_record {
    enum ws_record_on on;
    const char *directory; /* directory of the traces; %p: process, %r: rank, %%: percent sign */
    const char *ring;      /* size of the ring, as the user wrote it; NULL: not given */
    uint32_t sms, devices; /* 0: not given */
    uint64_t limit;        /* maximum number of accesses in a file; 0: not given */
    bool is_compressed, is_mangled;
    char **program; /* the program and its arguments, with NULL at the end */
};

/* Runs the program, and prints on stderr what it has recorded. Returns the exit status of the
 * program, or WS_EXIT_DAMAGED if it could not be run, has recorded no trace, if a trace is
 * incomplete, or if one of its processes or libraries was not recorded. If a signal ends the
 * program, the same signal ends this process. */
int ws_record_run(const struct ws_record *r);

/* ---- Functions that the parts of the command share ------------------------------------------- */

#define ws_record_say(...) ws_memtrace_say(true, __VA_ARGS__)

/* Finds the file of the program `name` as a shell does, and writes its path to `out`, which has
 * PATH_MAX bytes. Returns false after an error message. */
bool ws_record_program(const char *name, char *out);

/*
 * Returns true if the program `path` can run with the CUDA runtime for the CPU, or is not an ELF
 * file. Otherwise prints an error message and returns false.
 */
bool ws_record_fits_cpu(const char *path);

/* The trace files of a recording. If the name of its directory contains %p or %r, they can be in
 * several directories. */
struct ws_record_files {
    char **paths; /* owned, both the array and the strings */
    size_t n;
};
/* Stores in *files the trace files in `directory`, sorted by directory and number: the complete
 * files if is_complete is true, otherwise those that a program left incomplete. Omits the files in
 * `before`, an earlier result of this function (may be NULL). Returns false if memory is
 * exhausted. */
bool ws_record_files_find(struct ws_record_files *files, const char *directory, bool is_complete,
                          const struct ws_record_files *before);
/* Returns the name of a directory with its percent signs doubled, which the caller frees. Returns NULL if
 * memory is exhausted. */
char *ws_record_name(const char *directory);
/* Stores in *files the complete trace files in a directory whose name is no pattern. Returns false if
 * memory is exhausted. */
bool ws_record_files_in(struct ws_record_files *files, const char *directory);
void ws_record_files_free(struct ws_record_files *files);

/* Prints on stderr the numbers of launches and accesses in each file, and a suggestion for the next
 * command. Returns true if all files are complete. */
bool ws_record_files_say(const struct ws_record_files *files, const char *directory);

/* If a program has left incomplete trace files in `directory`, prints on stderr how to recover
 * them, and returns true. */
bool ws_record_parts_say(const char *directory);

#endif
