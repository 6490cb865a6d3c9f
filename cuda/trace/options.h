/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of tracing, which come from the environment:
 *
 *     WARPSCOPE_MEMTRACE=DIR          directory of the trace files, created if absent; %p in it is the process's
 *                                     number, %r its MPI rank, %% a percent sign. Not set or empty: no tracing.
 *     WARPSCOPE_MEMTRACE_RING=N       records in the ring of a stream: a power of two, 64 to 2^26; 1048576
 *     WARPSCOPE_MEMTRACE_NAMES=KIND   kernel names: demangled (C++ as in the source) or mangled; demangled
 *     WARPSCOPE_MEMTRACE_FORM=FORM    plain (version 1) or packed; plain
 *     WARPSCOPE_MEMTRACE_PATIENCE=S   seconds that a kernel waits for room in the ring before it drops records; 60
 *     WARPSCOPE_MEMTRACE_LIMIT=N      most records of one file; 0: no limit; 0
 *
 * N takes a suffix k, M or G (2^10, 2^20, 2^30).
 */
#ifndef WARPSCOPE_CUDA_OPTIONS_H
#define WARPSCOPE_CUDA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_TRACE_VARIABLE "WARPSCOPE_MEMTRACE"

enum { WS_TRACE_DIRECTORY_MAX = 3500, WS_TRACE_ERROR_MAX = 4608 };

struct ws_trace_options {
    char directory[WS_TRACE_DIRECTORY_MAX]; /* "": no tracing */
    bool mangled;
    bool packed;
    uint64_t ring;     /* records */
    uint64_t patience; /* nanoseconds */
    uint64_t limit;    /* records of a file; UINT64_MAX: no limit */
};

/* Reads the environment. Returns false after an error, with one line in error (WS_TRACE_ERROR_MAX bytes) that names
 * the variable, its value and what it may be. Not set: true, with an empty directory. */
bool ws_trace_options_read(struct ws_trace_options *options, char *error);

#endif
