/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels by the pointers that the host launches: a host function, or a handle of the kernel.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_FUNCTIONS_H
#define WARPSCOPE_CUDA_HOOKS_FUNCTIONS_H

#include "trace/kernels.h"

/* Notes the name of the kernel that a pointer stands for. name stays valid while the pointer does. */
void ws_function_note(const void *pointer, const char *name);
/* Notes that another pointer stands for the same kernel. */
void ws_function_copy(const void *pointer, const void *known);
/* Returns the entry of the kernel in the tables of rewritten ones; NULL: it was not rewritten. */
const struct ws_traced_kernel *ws_function_find(const void *pointer);

/* Likewise, by the kernel's name. */
const struct ws_traced_kernel *ws_function_named(const char *name);

#endif
