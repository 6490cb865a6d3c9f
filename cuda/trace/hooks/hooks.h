/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of the hooks: arguments of launches, kernels by the pointers that programs launch, and the
 * calls that tracing needs.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_H
#define WARPSCOPE_CUDA_HOOKS_H

#include "trace/tracer.h"

/* ---- arguments.c: the array of arguments of a launch, with the hidden argument at its end ------ */

enum { WS_ARGUMENTS_FEW = 64 };

struct ws_arguments {
    /* Array of all arguments for the launch; points to `few` or `many`. */
    void **all;
    uint64_t slot;
    void **many; /* allocated array, if the arguments do not fit in `few`; else NULL */
    void *few[WS_ARGUMENTS_FEW];
};

/* Sets a->all: copies `count` pointers to arguments from given, and appends a pointer to a->slot.
 * Ends the program if memory is exhausted. */
void ws_arguments_make(struct ws_arguments *a, void *const *given, uint32_t count, uint64_t slot);
void ws_arguments_free(struct ws_arguments *a);

/* ---- arguments.c: streams and graphs ----------------------------------------------------------- */

/* Returns the identity of a stream of the current device or context. per_thread: true if stream 0 is
 * the default stream of the thread. */
struct ws_stream_key ws_stream_key(const struct ws_calls *calls, void *stream, bool per_thread);
/* Called before a stream is destroyed. */
void ws_stream_destroyed(const struct ws_calls *calls, void *stream);
/* Notes, and says once, that a kernel is not traced in graphs. why: as in struct ws_tracer_functions. The
 * hidden argument of rewritten kernels is 0 in graphs. */
void ws_graph_note(const struct ws_traced_kernel *kernel, const char *why);

/* ---- functions.c: kernels by the pointer that the program launches, a host function or a handle - */

/* Stores the mangled name of the kernel that a pointer stands for. name must stay valid as long as
 * the pointer. */
void ws_function_note(const void *pointer, const char *name);
/* Makes `pointer` stand for the same kernel as the pointer `known`. */
void ws_function_copy(const void *pointer, const void *known);
/* Returns the entry of a pointer's kernel in the tables of rewritten kernels, or NULL if the kernel
 * was not rewritten. */
const struct ws_traced_kernel *ws_function_find(const void *pointer);

/* Like ws_function_find(), for the mangled name of a kernel. */
const struct ws_traced_kernel *ws_function_named(const char *name);

/* ---- allocations.c: memory of programs that use CUDA's runtime ---------------------------------- */

/* Notes the variables of the program on the current device, with this number, unless that was done
 * before. A launch must follow, which loads their modules anyway. */
void ws_variables_note(uint64_t device);

/* ---- runtime_calls.c: functions of CUDA's runtime ---------------------------------------------- */

extern const struct ws_calls ws_runtime_calls;

#endif
