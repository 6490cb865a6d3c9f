/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording of the accesses that the interpreter observes. Each stream has a file in the directory
 * of the environment variable WARPSCOPE_MEMTRACE (trace/options.h). Rewritten modules record their
 * accesses themselves, and are not observed.
 *
 * Only the thread of a stream calls these functions, except gpu_record_order().
 */
#ifndef WARPSCOPE_CUDA_RECORD_H
#define WARPSCOPE_CUDA_RECORD_H

#include "runtime/module.h"

/* Gives the stream its number at its first launch, in the order of calls of the program. */
void gpu_record_order(struct gpu_stream *stream, const struct gpu_kernel *kernel);
/* Begins a launch in the file of the stream. Returns the observer, with *user as its argument, or
 * NULL if nothing is recorded. */
interp_observer gpu_record_begin(struct gpu_stream *stream, const struct gpu_kernel *kernel,
                                 void **user);
/* Adds a note that a launch did not end, with the message of the interpreter. */
void gpu_record_fault(struct gpu_stream *stream, const char *message);
/* Completes the file of the stream. */
void gpu_record_end(struct gpu_stream *stream);

#endif
