/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of tracing, which come from the environment:
 *
 *     WARPSCOPE_MEMTRACE=DIR         directory of the trace files, created if absent; %p in it is the
 *                                    number of the process, %r its MPI rank, %% a percent sign. If it
 *                                    is not set or empty, nothing is traced.
 *     WARPSCOPE_MEMTRACE_RING=N      records in the ring of a stream: a power of two, 64 to 2^26
 *                                    (default 1048576)
 *     WARPSCOPE_MEMTRACE_NAMES=KIND  names of kernels: demangled (as in C++, default) or mangled
 *     WARPSCOPE_MEMTRACE_FORM=FORM   plain (version 1, default) or packed
 *     WARPSCOPE_MEMTRACE_PATIENCE=S  seconds that a kernel waits for room in the ring before it drops
 *                                    records (default 60)
 *     WARPSCOPE_MEMTRACE_LIMIT=N     greatest number of records of a file; 0: no limit (default)
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
    char directory[WS_TRACE_DIRECTORY_MAX]; /* empty: no tracing */
    bool mangled;
    bool packed;
    uint64_t ring;     /* number of records in the ring */
    uint64_t patience; /* in nanoseconds */
    uint64_t limit;    /* greatest number of records of a file; UINT64_MAX: no limit */
};

/* Reads the environment. Returns false if a value is invalid; error (WS_TRACE_ERROR_MAX bytes) then
 * has one line that names the variable, its value and the valid values. If WARPSCOPE_MEMTRACE is
 * not set, returns true with an empty directory. */
bool ws_trace_options_read(struct ws_trace_options *options, char *error);

#endif
