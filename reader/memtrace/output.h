/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - output of "warpscope memtrace": database, picture, dump.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_OUTPUT_H
#define WARPSCOPE_READER_MEMTRACE_OUTPUT_H

#include <stdio.h>

#include "cli/out.h"
#include "memtrace/tables.h"

/* Reason why this program cannot write databases; NULL if it can. */
extern const char *const ws_memtrace_sqlite_missing;
/* Writes all tables as a database; outs renames it when it is complete. Returns false after a
 * message. */
bool ws_memtrace_sqlite(struct ws_memtrace *m, struct ws_outs *outs, const char *path);
/* Writes a matrix as a picture. Returns false after a message. */
bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm);

enum ws_memtrace_form { WS_MEMTRACE_TEXT, WS_MEMTRACE_CSV, WS_MEMTRACE_JSON };
/* Prints the chosen accesses, at most top of them, stream by stream. Accesses before a fault are
 * printed. Returns false, after a message, if there is a fault. *output_errno: 0, or the error that
 * ended the output. */
bool ws_memtrace_dump(char **paths, uint32_t n, const struct ws_memtrace_choice *choice,
                      enum ws_memtrace_form form, uint64_t top, FILE *out, int *output_errno);

#endif
