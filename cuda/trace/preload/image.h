/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Images of modules that a program loads at run time. PTX text is rewritten; cubins and fat binaries are not.
 */
#ifndef WARPSCOPE_CUDA_PRELOAD_IMAGE_H
#define WARPSCOPE_CUDA_PRELOAD_IMAGE_H

#include <stddef.h>

/* Returns the rewritten text, to be freed with free(), and its size with the terminating zero.
 * Returns NULL if the original image should be loaded: tracing is off, or a message has stated why.
 * size: bytes of a text without a terminating zero; 0: the image has one, or its header has its
 * size. */
char *ws_image_rewrite(const void *image, size_t size, size_t *new_size);
/* The same for a file. Also returns NULL if it cannot be read, which the driver then reports. */
char *ws_image_rewrite_file(const char *path, size_t *new_size);

#endif
