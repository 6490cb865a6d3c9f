/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Textures and surfaces: what the 64-bit handle of a program refers to.
 *
 * The handle (cudaTextureObject_t, cudaSurfaceObject_t, CUtexObject, CUsurfObject), which kernels
 * pass to tex, tld4, suld, sust and txq, is the address of a struct interp_texture in the device's
 * own part for tools (interp_alloc_apart()). A handle is valid if device_holds() finds the first 8
 * bytes, and `magic` is INTERP_TEXTURE_MAGIC; a destroyed one is not. The structure never changes.
 *
 * Texel (x, y, z) has `texel` bytes at address + z * slice + y * pitch + x * texel, where z is also
 * the layer. This is memory of cudaMalloc() or of an array, and each texel that is read is a load of
 * global memory there. Its channels follow each other, each of bits[i] bits; 0: there is none.
 */
#ifndef WARPSCOPE_CUDA_INTERP_TEXTURE_H
#define WARPSCOPE_CUDA_INTERP_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#define INTERP_TEXTURE_MAGIC 0x65727574786574ull

/* Numbers of cudaChannelFormatKind, cudaTextureAddressMode and cudaTextureFilterMode. */
enum { INTERP_TEXEL_SIGNED, INTERP_TEXEL_UNSIGNED, INTERP_TEXEL_FLOAT };
enum { INTERP_WRAP, INTERP_CLAMP, INTERP_MIRROR, INTERP_BORDER };
enum { INTERP_POINT, INTERP_LINEAR };

struct interp_texture {
    uint64_t magic;
    uint64_t address, pitch, slice;
    uint32_t width, height, depth; /* texels; 0: the texture does not have this dimension */
    uint32_t texel, bits[4], kind;
    uint32_t address_mode[3], filter;
    float border[4];
    bool is_surface;    /* the members from address_mode on have no meaning */
    bool is_buffer;     /* linear memory, which coordinates address by integers only */
    bool is_layered;    /* depth is the number of layers */
    bool is_normalized; /* coordinates from 0 to 1 */
    bool reads_floats;  /* integers of 8 and 16 bits are read as numbers from 0 or -1 to 1 */
};

#endif
