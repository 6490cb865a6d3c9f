/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convert.h - "warpscope memtrace convert": writes a trace in the other form, plain or packed, or
 * what can be read of a damaged trace.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_CONVERT_H
#define WARPSCOPE_READER_MEMTRACE_CONVERT_H

/* Runs the command; argv[0] is "convert". Returns the exit status. */
int ws_memtrace_convert(int argc, char **argv);

#endif
