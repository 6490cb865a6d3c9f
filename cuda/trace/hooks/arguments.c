/* SPDX-License-Identifier: BSD-3-Clause
 *
 * arguments.c - see hooks.h.
 */
#define _GNU_SOURCE
#include "trace/hooks/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "trace/say.h"

void ws_arguments_make(struct ws_arguments *a, void *const *given, uint32_t count, uint64_t slot)
{
    a->slot = slot;
    a->many = count < WS_ARGUMENTS_FEW ? NULL : malloc((count + 1) * sizeof *a->many);
    a->all = a->many == NULL ? a->few : a->many;
    if (count >= WS_ARGUMENTS_FEW && a->many == NULL) {
        ws_trace_say("out of memory for the arguments of a kernel");
        abort(); /* a rewritten kernel cannot be launched without its arguments */
    }
    if (count > 0) {
        memcpy(a->all, given, count * sizeof *a->all);
    }
    a->all[count] = &a->slot;
}

void ws_arguments_free(struct ws_arguments *a)
{
    free(a->many);
}

struct ws_stream_key ws_stream_key(const struct ws_calls *calls, void *stream, bool per_thread)
{
    void *handle = stream != NULL ? stream : per_thread ? STREAM_PER_THREAD : STREAM_LEGACY;
    return (struct ws_stream_key){.calls = calls,
                                  .place = calls->place(),
                                  .handle = handle,
                                  .thread =
                                      handle == STREAM_PER_THREAD ? (uint64_t)pthread_self() : 0};
}

void ws_stream_destroyed(const struct ws_calls *calls, void *stream)
{
    struct ws_stream_key key = ws_stream_key(calls, stream, false);
    if (stream != NULL) {
        ws_tracer->stream_end(&key);
    }
}

void ws_graph_note(const struct ws_traced_kernel *kernel, const char *why)
{
    static bool is_said;
    ws_tracer->untraced(kernel, why);
    if (!__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED)) {
        ws_trace_say("launches of kernels in graphs are not traced: %.200s, and maybe others",
                     kernel->name);
    }
}
