/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of rewritten kernels: how the host's library knows which kernels take the hidden last parameter.
 *
 * The wrapper of nvcc adds one table for each source file it rewrites, and a constructor that registers it:
 *
 *     static const struct ws_traced_kernel kernels[] = {{"_Z5saxpyifPfS_", 4}};
 *     __attribute__((constructor)) static void add(void) { warpscope_cuda_kernels(kernels, 1); }
 *
 * Only names in a table are launched with the hidden parameter; all others are launched unchanged.
 */
#ifndef WARPSCOPE_CUDA_KERNELS_H
#define WARPSCOPE_CUDA_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ws_traced_kernel {
    const char *name;    /* as in the PTX (.entry), mangled */
    uint32_t parameters; /* of the original kernel, without the hidden one */
};

/* Registers a table, which must stay valid until the program ends. May be called before main(), from several threads,
 * and again with the same names. */
void warpscope_cuda_kernels(const struct ws_traced_kernel *kernels, size_t count);

#ifdef __cplusplus
}
#endif

#endif
