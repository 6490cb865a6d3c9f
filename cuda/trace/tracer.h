/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All traced streams of the program. Several threads may call these functions.
 *
 * Tracing never changes the results of the program. A launch that cannot be traced is launched
 * untraced, and one message states why. Tracing ends with the program (exit() or return from
 * main()). A child process made by fork() is traced only if its parent had no traced launch before;
 * CUDA itself does not work in other children. A program and its shared libraries may each contain
 * this code: the first copy traces for all.
 */
#ifndef WARPSCOPE_CUDA_TRACER_H
#define WARPSCOPE_CUDA_TRACER_H

#include "trace/kernels.h"
#include "trace/stream.h"

/* State of a launch between the functions `launch` and `launched` of the tracer. */
struct ws_tracer_ticket {
    uint64_t slot; /* value of the hidden parameter; 0: the launch is not traced */
    struct ws_traced_stream *stream;
    struct ws_traced_launch *launch;
};

struct ws_tracer_functions {
    /* Prepares the launch of a kernel in a table, and sets *ticket. The same thread must call
     * launched() directly after the launch, since other launches into the stream wait until then. */
    void (*launch)(struct ws_tracer_ticket *ticket, const struct ws_stream_key *key,
                   const struct ws_traced_kernel *kernel);
    /* Adds a note to all traces that end from now on: launches of the kernel are not traced. why:
     * the reason, as in "since a graph launches it"; must stay valid. */
    void (*untraced)(const struct ws_traced_kernel *kernel, const char *why);
    /* Completes the launch of a ticket. error: CUDA's error number; 0: CUDA accepted the launch. */
    void (*launched)(struct ws_tracer_ticket *ticket, int error);
    /* Must be called after the program has allocated memory, and before it frees it. See
     * ws_memory_begins() and ws_memory_ends(). */
    void (*memory_begins)(uint64_t address, uint64_t bytes, const char *call, const char *name);
    void (*memory_ends)(uint64_t address);
    /* Must be called before the program destroys a stream. If the stream's launches have ended, ends
     * the stream and completes its file; otherwise, a later call of a tracer function does this. */
    void (*stream_end)(const struct ws_stream_key *key);
    /* Must be called before the program resets a device or destroys a context. Waits for the
     * launches of its streams and completes their files. */
    void (*place_end)(const struct ws_calls *calls, uint64_t place);
};

/* Functions of the tracer, possibly of another copy of this code. */
extern const struct ws_tracer_functions *ws_tracer;

/* Completes the files of all streams. Later launches are not traced. */
void ws_tracer_end(void);

#endif
