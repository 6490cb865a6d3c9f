/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One run of the kernels of a program on the interpreter, from stored PTX: the arrays, the launches
 * and their records.
 *
 * In a run of the original PTX, the interpreter observes the accesses. In a run of the rewritten
 * PTX, the kernels write records to a slot, and a thread drains them. Both runs have the same
 * addresses. An error ends the program with an error message.
 */
#ifndef WARPSCOPE_CUDA_REPLAY_RUN_H
#define WARPSCOPE_CUDA_REPLAY_RUN_H

#include "interp/interp.h"
#include "trace/slot.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_ARRAYS = 64, RUN_LAUNCHES = 128, RUN_MODULES = 8, RUN_PARAMETER_BYTES = 4096 };

struct run_array {
    char name[32];
    uint64_t address, bytes;
};

struct run_records {
    struct ws_slot_record *list;
    size_t count, space;
};

struct run_launch {
    char kernel[256];
    unsigned stream;
    struct run_records records;
};

struct run {
    bool rewritten;
    struct interp *device;
    struct interp_module *module;
    struct run_array arrays[RUN_ARRAYS];
    size_t array_count;
    struct run_launch launches[RUN_LAUNCHES];
    size_t launch_count;
    uint64_t instructions; /* number of traced instructions in the PTX; 0 for the original */
    struct ws_slot *slot;  /* slot of a rewritten run; else NULL */
    struct ws_slot_control *control;
    double seconds; /* total time of the launches, in seconds */
};

/* Prints an error message and ends the program with status 1. words: format as for printf(). */
_Noreturn void run_fail(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Creates a device and loads PTX files. ring: number of records in the slot's ring, a power of
 * two. */
void run_begin(struct run *run, bool rewritten, const char *const *files, size_t count,
               size_t ring);
/* Destroys the device, so that another run has the same addresses. The records remain. */
void run_end(struct run *run);
/* Frees the records of a run. */
void run_free(struct run *run);

/* Adds an array of zeroed device memory to the run. */
struct run_array *run_array(struct run *run, const char *name, uint64_t bytes);
/* Adds a variable of the module to the run as an array. */
void run_variable(struct run *run, const char *name);
/* Returns the array of this name. If there is none, ends the program. */
const struct run_array *run_find(const struct run *run, const char *name);

/* Runs a kernel, and adds the launch and its records to the run. launch: sizes and parameters of
 * the launch. */
void run_launch(struct run *run, const char *kernel, unsigned stream, struct interp_launch *launch);

#endif
