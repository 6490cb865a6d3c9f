/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All traced streams of the program. Functions may be called by several threads.
 *
 * Tracing never changes the program's results: what cannot be traced is launched untraced, and one message says why.
 * It ends with the program (exit() or return from main()). A child of fork() is traced only if its parent had no
 * traced launch before; CUDA itself does not work in other children. A program and its shared libraries may each
 * contain this code: the first of them traces for all.
 */
#ifndef WARPSCOPE_CUDA_TRACER_H
#define WARPSCOPE_CUDA_TRACER_H

#include "trace/stream.h"

/* A launch between ws_tracer_launch() and ws_tracer_launched(). */
struct ws_tracer_ticket {
    uint64_t slot; /* value of the hidden parameter; 0: not traced */
    struct ws_traced_stream *stream;
    struct ws_traced_launch *launch;
};

/* Prepares the launch of a rewritten kernel. Call ws_tracer_launched() directly after the launch, by the same thread:
 * other launches into the stream wait. kernel: mangled name. */
void ws_tracer_launch(struct ws_tracer_ticket *ticket, const struct ws_stream_key *key,
                      const char *kernel);
/* is_good: whether the launch succeeded. */
void ws_tracer_launched(struct ws_tracer_ticket *ticket, bool is_good);

/* The program is about to destroy a stream, or to reset a device or context. Waits for the stream's launches, which
 * the drain needs. */
void ws_tracer_stream_end(const struct ws_stream_key *key);
void ws_tracer_place_end(const struct ws_calls *calls, uint64_t place);
/* Completes all files. Later launches are not traced. */
void ws_tracer_end(void);

#endif
