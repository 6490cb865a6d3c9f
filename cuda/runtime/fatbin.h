/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fat binaries: the containers in which nvcc puts the device code of a program.
 *
 * NVIDIA does not document their layout. Experiments with nvcc 13 and all its options for
 * compression showed the following layout. All numbers are little-endian. Sizes are in bytes. A
 * container is a header of 16 bytes, followed by its entries:
 *
 *     0 u32 magic 0xBA55ED50            4 u16 version 1
 *     6 u16 size of this header          8 u64 size of all entries
 *
 * An entry is a header, of at least 64 bytes, and its payload:
 *
 *      0 u16 kind: 1 PTX, 2 machine code (ELF)     2 u16 version       4 u32 size of this header
 *      8 u64 size of the payload, with padding    16 u32 size of the compressed data, or 0
 *     24 u16 minor, 26 u16 major version of PTX   28 u32 architecture: 75 for sm_75
 *     40 u64 flags: 0x2000 LZ4, 0x8000 zstd       56 u64 size after decompression, or 0
 *
 * Functions of this file keep no state. A damaged or hostile container leads to an error. At most
 * FATBIN_TEXT_MAX bytes are allocated for a container.
 */
#ifndef WARPSCOPE_CUDA_FATBIN_H
#define WARPSCOPE_CUDA_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FATBIN_ERROR_MAX = 256 };

#define FATBIN_MAGIC         0xBA55ED50u
#define FATBIN_WRAPPER_MAGIC 0x466243B1u
#define FATBIN_TEXT_MAX      ((size_t)256 << 20)
#define FATBIN_SIZE_UNKNOWN  SIZE_MAX /* only the container's header states the size */

/* Structure in a program that refers to its containers (see fatbinary_section.h of the toolkit). */
struct fatbin_wrapper {
    uint32_t magic;
    /* 1: `data` is the container; 2: the program was linked from relocatable objects, whose
     * containers are in `more`. */
    uint32_t version;
    const void *data;
    const void *const *more; /* terminated by NULL */
};

enum fatbin_result {
    FATBIN_FOUND,
    FATBIN_NO_PTX,      /* the container has only machine code, or no entry */
    FATBIN_DAMAGED,     /* the error message states where and why */
    FATBIN_UNSUPPORTED, /* a compression that this build does not support */
    FATBIN_NO_MEMORY
};

struct fatbin_ptx {
    char *text; /* PTX, which the caller frees; ends with a zero byte that size does not count */
    size_t size;
    unsigned version;      /* version of PTX, times 10: 90 for 9.0 */
    unsigned architecture; /* 75 for sm_75 */
};

/*
 * Finds the PTX for the highest architecture that is at most `architecture`, or else for the lowest
 * one above it. Decompresses that PTX into *ptx. size: size of the data in bytes, or
 * FATBIN_SIZE_UNKNOWN. Stores an error message in error (FATBIN_ERROR_MAX bytes), unless the result
 * is FATBIN_FOUND or FATBIN_NO_PTX.
 */
enum fatbin_result fatbin_ptx(const void *data, size_t size, unsigned architecture,
                              struct fatbin_ptx *ptx, char *error);

#endif
