/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.h - rewrites the PTX of one source file, and adds a table of its traced kernels to the
 * host code.
 */
#ifndef WARPSCOPE_CUDA_NVCC_MODULE_H
#define WARPSCOPE_CUDA_NVCC_MODULE_H

#include <stdbool.h>

/*
 * Rewrites the PTX in the file `ptx`. stub: file of host code that registers the kernels, to which
 * the table of traced kernels is added; NULL: none. source: name of the source file in messages. If
 * this fails, removes the PTX and returns false after a message on stderr.
 */
bool nvcc_module_rewrite(const char *ptx, const char *stub, const char *source);

#endif
