/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file MemTrace-memory, beside the trace files of a process: its allocations, and the accesses by
 * lines of the source. docs/memory-traces.md describes it. The tracing library and the interpreter's
 * runtime write it by these functions, which several threads may call.
 *
 * Before ws_memory_create(), lines are kept in memory. Without WARPSCOPE_MEMTRACE, and in a child
 * process made by fork() after it, the functions do nothing.
 */
#ifndef WARPSCOPE_CUDA_MEMORY_H
#define WARPSCOPE_CUDA_MEMORY_H

#include "store/spans.h"
#include "trace/options.h"

/* An allocation begins, and those that it overlaps end. call: the function that made it; what follows
 * an underscore does not count. name: mangled name of a variable, NULL: none. */
void ws_memory_begins(uint64_t address, uint64_t bytes, const char *call, const char *name);
/* Ends the allocation that begins at an address, if there is one. */
void ws_memory_ends(uint64_t address);
/* Finds the allocation with an address. Its number is its position in the file, from 1 on. Returns one
 * of the address alone with the number 0 if there is none. */
struct span ws_memory_find(uint64_t address);
/* The program has launched a kernel, of which the trace file `number` will have the accesses. */
void ws_memory_launch(unsigned number);

/* Accesses by a kernel, from one line of the source, to one allocation. */
struct ws_memory_line {
    const char *kernel; /* mangled name */
    const char *path;   /* of the source file */
    uint64_t line;
    uint64_t allocation;         /* its number; 0: unknown */
    uint64_t accesses, bytes[3]; /* bytes: of loads, stores and atomics */
};
/* Adds a line with the accesses of all launches in the trace file `number`. */
void ws_memory_line(unsigned number, const struct ws_memory_line *line);

/* Creates the file, unless it exists, in which case a message says so. */
void ws_memory_create(const struct ws_trace_options *options);
/* Completes the file. */
void ws_memory_finish(void);

#endif
