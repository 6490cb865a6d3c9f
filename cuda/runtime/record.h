/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording of the accesses that the interpreter observes. Each stream has a file in the directory
 * that the environment variable WARPSCOPE_MEMTRACE names (trace/options.h). Rewritten modules
 * record their accesses themselves, and are not observed.
 *
 * Only the thread of a stream calls these functions, except gpu_record_order().
 */
#ifndef WARPSCOPE_CUDA_RECORD_H
#define WARPSCOPE_CUDA_RECORD_H

#include "runtime/module.h"

/* Sets the number of the stream's trace file at its first launch. Numbers follow the order of the
 * program's calls. Returns false if launches of the kernel are not recorded. */
bool gpu_record_order(struct gpu_stream *stream, const struct gpu_kernel *kernel);
/* Begins a launch in the trace file of the stream. Returns the observer of the launch, and sets
 * *user to the observer's argument. Returns NULL if the launch is not recorded. */
interp_observer gpu_record_begin(struct gpu_stream *stream, const struct gpu_kernel *kernel,
                                 void **user);
/* Adds to the trace file a note that a launch did not end, or could not run. */
void gpu_record_fault(struct gpu_stream *stream, const char *message);
/* Completes the trace file of the stream. */
void gpu_record_end(struct gpu_stream *stream);

#endif
