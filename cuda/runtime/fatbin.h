/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fat binaries: the containers in which nvcc puts the device code of a program.
 *
 * NVIDIA does not document the layout. The following was found by experiments with nvcc 13 and all
 * its options for compression. All numbers are little-endian. A container is a header of 16 bytes
 * and its entries:
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
 * Functions of this file keep no state. Damaged or hostile containers give errors. At most
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
#define FATBIN_SIZE_UNKNOWN  SIZE_MAX /* the size is only known from the header of the container */

/* Structure of the program that refers to a container (fatbinary_section.h of the toolkit). */
struct fatbin_wrapper {
    uint32_t magic;
    /* 1: container in data; 2: linked from relocatable objects, whose containers are in more. */
    uint32_t version;
    const void *data;
    const void *const *more; /* terminated by NULL */
};

enum fatbin_result {
    FATBIN_FOUND,
    FATBIN_NO_PTX,      /* only machine code, or no entry */
    FATBIN_DAMAGED,     /* the error message states where and why */
    FATBIN_UNSUPPORTED, /* a compression that this build does not support */
    FATBIN_NO_MEMORY
};

struct fatbin_ptx {
    char *text; /* owned by the caller; terminated by a zero byte, which size does not count */
    size_t size;
    unsigned version;      /* version of PTX: 90 for 9.0 */
    unsigned architecture; /* 75 for sm_75 */
};

/*
 * Finds the PTX of the highest architecture that is at most `architecture`, or else of the lowest
 * one above it, and decompresses it. size: bytes of the data, or FATBIN_SIZE_UNKNOWN. Unless it
 * returns FATBIN_FOUND, error has a message.
 */
enum fatbin_result fatbin_ptx(const void *data, size_t size, unsigned architecture,
                              struct fatbin_ptx *ptx, char *error);

#endif
