/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Images of modules that a program loads at run time. The library rewrites PTX text, but not cubins
 * and fat binaries.
 */
#ifndef WARPSCOPE_CUDA_PRELOAD_IMAGE_H
#define WARPSCOPE_CUDA_PRELOAD_IMAGE_H

#include <stddef.h>

/* Returns the rewritten text of an image, which the caller frees with free(). Sets *new_size to the
 * text's size in bytes, including its terminating zero. Returns NULL if the original image should
 * be loaded: tracing is off, or a message has stated why. size: size in bytes of a text without a
 * terminating zero; 0: the image ends with a zero byte, or states its size in a header. */
char *ws_image_rewrite(const void *image, size_t size, size_t *new_size);
/* Like ws_image_rewrite(), for the image in a file. Also returns NULL if the file cannot be read,
 * which the driver then reports. */
char *ws_image_rewrite_file(const char *path, size_t *new_size);

#endif
