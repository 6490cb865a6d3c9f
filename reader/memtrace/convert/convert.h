/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convert.h - "warpscope memtrace convert": writes a trace to another file, in plain or packed
 * form. The command can also write the part of a damaged trace that precedes the damage.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_CONVERT_H
#define WARPSCOPE_READER_MEMTRACE_CONVERT_H

/* Runs the command; argv[0] is "convert". Returns the exit status. */
int ws_memtrace_convert(int argc, char **argv);

#endif
