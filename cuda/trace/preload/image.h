/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Images of modules that a program loads at run time. PTX text is rewritten; cubins and fat binaries are not.
 */
#ifndef WARPSCOPE_CUDA_PRELOAD_IMAGE_H
#define WARPSCOPE_CUDA_PRELOAD_IMAGE_H

#include <stddef.h>

/* Returns the rewritten text, to be freed with free(), and its size with the terminating zero; or NULL if the image
 * is loaded as it is: tracing is off, or a message has said why. size: bytes of a text that may lack its zero; 0: an
 * image that is terminated, or has its size in its header. */
char *ws_image_rewrite(const void *image, size_t size, size_t *new_size);
/* Likewise, for a file. NULL also if it cannot be read; the driver reports that. */
char *ws_image_rewrite_file(const char *path, size_t *new_size);

#endif
