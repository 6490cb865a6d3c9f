/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.h - rewrites the PTX of one source file, and tells the tracing library of its kernels.
 */
#ifndef WARPSCOPE_CUDA_NVCC_MODULE_H
#define WARPSCOPE_CUDA_NVCC_MODULE_H

#include <stdbool.h>

/*
 * Rewrites the PTX in the file `ptx`. stub: the file of host code that registers the kernels, to
 * which a table of those that are traced is added; NULL: none. source: name of the source for
 * messages. Returns false after a message; then no PTX is left.
 */
bool nvcc_module_rewrite(const char *ptx, const char *stub, const char *source);

#endif
