/*
 * memtrace_output.h - files that "warpscope memtrace" makes, and its dump.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_OUTPUT_H
#define WARPSCOPE_READER_MEMTRACE_OUTPUT_H

#include <stdio.h>

#include "memtrace_tables.h"
#include "out.h"

/* Not NULL: what this program was built without. */
extern const char *const ws_memtrace_sqlite_missing;
/* All tables as a database; outs give it its name. False: that was said. */
bool ws_memtrace_sqlite(struct ws_memtrace *m, struct ws_outs *outs, const char *path);
/* A matrix as a picture. False: that was said. */
bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm);

enum ws_memtrace_form { WS_MEMTRACE_TEXT, WS_MEMTRACE_CSV, WS_MEMTRACE_JSON };
/* Prints the accesses that are chosen, at most top of them, stream by stream. What comes before a
 * fault is printed. False: there is one; that was said. */
bool ws_memtrace_dump(char **paths, uint32_t n, const struct ws_memtrace_choice *choice,
                      enum ws_memtrace_form form, uint64_t top, FILE *out);

#endif
