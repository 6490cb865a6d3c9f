/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - writes the output of "warpscope memtrace" as a database, as a picture or as a dump.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_OUTPUT_H
#define WARPSCOPE_READER_MEMTRACE_OUTPUT_H

#include <stdio.h>

#include "cli/out.h"
#include "memtrace/tables.h"

/* Reason why this program cannot write databases; NULL if it can. */
extern const char *const ws_memtrace_sqlite_missing;
/* Writes all tables of the results to a database. The file gets the name `path` when
 * ws_outs_publish() is called. Returns false after an error message. */
bool ws_memtrace_sqlite(struct ws_memtrace *m, struct ws_outs *outs, const char *path);
/* Writes the matrix of kernels, or of SMs if by_sm is true, as a picture. The file gets the name
 * `path` when ws_outs_publish() is called. Returns false after an error message. */
bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm);

enum ws_memtrace_form { WS_MEMTRACE_TEXT, WS_MEMTRACE_CSV, WS_MEMTRACE_JSON };
/* Prints the selected accesses in n trace files to `out`, file by file, and at most `top` in all.
 * If a file has a fault, prints the accesses before the fault and an error message. Returns false
 * after such a fault, if a trace is incomplete, or if the selection matches nothing. Sets *output_errno to the error number if writing fails, otherwise to 0. */
bool ws_memtrace_dump(char **paths, uint32_t n, const struct ws_memtrace_choice *choice,
                      enum ws_memtrace_form form, uint64_t top, FILE *out, int *output_errno);

#endif
