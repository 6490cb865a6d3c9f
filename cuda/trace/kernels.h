/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of kernels, by which the tracing library recognises kernels with the hidden parameter, and
 * kernels whose accesses are not all traced.
 *
 * For each source file, warpscope-nvcc adds a table and a constructor that registers the table:
 *
 * static const struct ws_traced_kernel kernels[] = {{"_Z5saxpyifPfS_", 4, 1, NULL}};
 *     __attribute__((constructor)) static void add(void) { warpscope_traced_kernels(kernels, 1); }
 *
 * The library adds the hidden argument to launches of kernels with `has_slot`. All other launches
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
    uint32_t has_slot;   /* 1: the kernel has the hidden parameter; 0: it is not traced */
    /* Instructions that are not traced, or the reason why the kernel is not traced, as in struct
     * rewrite_kernel (rewrite/rewrite.h); NULL: all accesses are traced. */
    const char *untraced;
};

/* Registers a table, which must stay valid until the program ends. Several threads may call this
 * function at once, even before main(), and repeatedly with the same names. */
void warpscope_traced_kernels(const struct ws_traced_kernel *kernels, size_t count);

#ifdef __cplusplus
}
#endif

#endif
