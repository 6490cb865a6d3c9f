/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording of the accesses that the interpreter observes: one file per stream, in the directory that the
 * environment variable WARPSCOPE_MEMTRACE names (trace/options.h). Modules that were rewritten record their accesses
 * themselves, and are not observed.
 *
 * All functions but gpu_record_order() are for the thread of the stream.
 */
#ifndef WARPSCOPE_CUDA_RECORD_H
#define WARPSCOPE_CUDA_RECORD_H

#include "runtime/module.h"

/* Gives the stream its number at its first launch, in the order of the program's calls. */
void gpu_record_order(struct gpu_stream *stream, const struct gpu_kernel *kernel);
/* Begins a launch in the stream's file. Returns the observer, or NULL if nothing is recorded; *user is for it. */
interp_observer gpu_record_begin(struct gpu_stream *stream, const struct gpu_kernel *kernel,
                                 void **user);
/* Notes that a launch did not end, with the interpreter's message. */
void gpu_record_fault(struct gpu_stream *stream, const char *message);
/* Ends the stream's file. */
void gpu_record_end(struct gpu_stream *stream);

#endif
