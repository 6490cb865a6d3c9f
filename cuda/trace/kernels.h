/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of rewritten kernels, by which the tracing library recognises kernels with the hidden
 * parameter.
 *
 * For each source file, warpscope-nvcc adds a table and a constructor that registers the table:
 *
 * static const struct ws_traced_kernel kernels[] = {{"_Z5saxpyifPfS_", 4}};
 *     __attribute__((constructor)) static void add(void) { warpscope_cuda_kernels(kernels, 1); }
 *
 * The library adds the hidden argument to launches of kernels in these tables. All other launches
 * are unchanged.
 */
#ifndef WARPSCOPE_CUDA_KERNELS_H
#define WARPSCOPE_CUDA_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ws_traced_kernel {
    const char *name;    /* mangled name, as after .entry in the PTX */
    uint32_t parameters; /* number of parameters, without the hidden one */
};

/* Registers a table, which must stay valid until the program ends. Several threads may call this
 * function at once, even before main(), and repeatedly with the same names. */
void warpscope_cuda_kernels(const struct ws_traced_kernel *kernels, size_t count);

#ifdef __cplusplus
}
#endif

#endif
