/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels by the pointers that the program launches: a host function, or a handle of the kernel.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_FUNCTIONS_H
#define WARPSCOPE_CUDA_HOOKS_FUNCTIONS_H

#include "trace/kernels.h"

/* Stores the name of the kernel for a pointer. name must stay valid as long as the pointer. */
void ws_function_note(const void *pointer, const char *name);
/* Stores that another pointer stands for the same kernel. */
void ws_function_copy(const void *pointer, const void *known);
/* Returns the entry of the kernel in the tables of rewritten ones, or NULL if it was not
 * rewritten. */
const struct ws_traced_kernel *ws_function_find(const void *pointer);

/* Like ws_function_find(), for the mangled name of a kernel. */
const struct ws_traced_kernel *ws_function_named(const char *name);

#endif
