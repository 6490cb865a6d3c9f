/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table of kernels, found by the pointer that the program launches: a host function, or a kernel
 * handle.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_FUNCTIONS_H
#define WARPSCOPE_CUDA_HOOKS_FUNCTIONS_H

#include "trace/kernels.h"

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

#endif
