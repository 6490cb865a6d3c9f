/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.h - rewrites the PTX of one source file, and adds a table of its traced kernels to the
 * host code.
 */
#ifndef WARPSCOPE_CUDA_NVCC_MODULE_H
#define WARPSCOPE_CUDA_NVCC_MODULE_H

#include <stdbool.h>

/*
 * Rewrites the PTX in the file `ptx`. stub: file with the host code that registers the kernels, to
 * which this function appends the table of traced kernels; NULL: none. source: name of the source
 * file in messages. If this fails, prints an error message and returns false; the PTX file is then
 * removed, unless it could not be read.
 */
bool nvcc_module_rewrite(const char *ptx, const char *stub, const char *source);

#endif
