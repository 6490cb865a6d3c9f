/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fat binaries: the containers in which nvcc puts the device code of a program.
 *
 * NVIDIA does not document the layout; this one was found by experiments with nvcc 13 and all its options for
 * compression. All numbers are little-endian. A container is a header of 16 bytes and its entries:
 *
 *     0 u32 magic 0xBA55ED50    4 u16 version 1    6 u16 bytes of this header    8 u64 bytes of all entries
 *
 * An entry is a header, of at least 64 bytes, and its payload:
 *
 *      0 u16 kind: 1 PTX, 2 machine code (ELF)     2 u16 version       4 u32 bytes of this header
 *      8 u64 bytes of the payload, with padding   16 u32 bytes that are compressed, or 0
 *     24 u16 minor, 26 u16 major version of PTX   28 u32 architecture: 75 for sm_75
 *     40 u64 flags: 0x2000 LZ4, 0x8000 zstd       56 u64 bytes after decompression, or 0
 *
 * Functions of this file keep no state. Hostile containers give errors, and at most FATBIN_TEXT_MAX bytes are
 * allocated for one.
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
#define FATBIN_SIZE_UNKNOWN  SIZE_MAX /* the container's own header bounds it */

/* The program's structure that refers to a container (fatbinary_section.h of the toolkit). */
struct fatbin_wrapper {
    uint32_t magic;
    uint32_t
        version; /* 1: data; 2: linked from relocatable objects, whose containers are in more */
    const void *data;
    const void *const *more; /* ends with NULL */
};

enum fatbin_result {
    FATBIN_FOUND,
    FATBIN_NO_PTX,      /* machine code alone, or nothing */
    FATBIN_DAMAGED,     /* error states where and why */
    FATBIN_UNSUPPORTED, /* a compression that this build lacks */
    FATBIN_NO_MEMORY
};

struct fatbin_ptx {
    char *text; /* ends with a zero, which size does not count; free() it */
    size_t size;
    unsigned version;      /* 90 for 9.0 */
    unsigned architecture; /* 75 for sm_75 */
};

/*
 * Finds the PTX of the highest architecture that is at most `architecture`, or else the lowest above it, and
 * decompresses it. size is that of the data, or FATBIN_SIZE_UNKNOWN.
 */
enum fatbin_result fatbin_ptx(const void *data, size_t size, unsigned architecture,
                              struct fatbin_ptx *ptx, char *error);

#endif
