/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of tracing, which come from the environment:
 *
 *     WARPSCOPE_MEMTRACE=DIR         directory of the trace files, created if absent. In DIR, %p
 *                                    stands for the process ID, %r for the MPI rank, %% for a
 *                                    percent sign. If the variable is not set or empty, nothing is
 *                                    traced.
 *     WARPSCOPE_MEMTRACE_RING=N      number of records in the ring of a stream: a power of two, 64
 *                                    to 2^26 (default 1048576)
 *     WARPSCOPE_MEMTRACE_NAMES=KIND  names of kernels: demangled (as in C++, default) or mangled
 *     WARPSCOPE_MEMTRACE_FORM=FORM   plain (version 1, default) or packed
 *     WARPSCOPE_MEMTRACE_PATIENCE=S  seconds that a kernel waits for room in the ring before it
 *                                    drops records (default 60)
 *     WARPSCOPE_MEMTRACE_LIMIT=N     maximum number of records in a file; 0: no limit (default)
 *
 * N may have a suffix k, M or G (2^10, 2^20, 2^30).
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
    uint64_t ring;     /* number of records in the ring of a stream */
    uint64_t patience; /* time in nanoseconds that a kernel waits for room in the ring */
    uint64_t limit;    /* maximum number of records in a file; UINT64_MAX: no limit */
};

/* Reads the environment into *options. If a value is invalid, returns false and stores an error
 * message of one line in error (WS_TRACE_ERROR_MAX bytes): the variable, its value and the valid
 * values. If WARPSCOPE_MEMTRACE is not set, returns true with an empty directory. */
bool ws_trace_options_read(struct ws_trace_options *options, char *error);

#endif
