/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Growing text. After memory was exhausted once, all functions do nothing.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_BUFFER_H
#define WARPSCOPE_CUDA_REWRITE_BUFFER_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
    char *s;
    size_t length, size;
    bool failed;
};

/* Allocates memory for a text of size bytes in total. */
void buffer_reserve(struct buffer *buffer, size_t size);

void buffer_add(struct buffer *buffer, const char *s, size_t length);
void buffer_string(struct buffer *buffer, const char *s);
void buffer_text(struct buffer *buffer, struct ptx_text text);
void buffer_number(struct buffer *buffer, int64_t number);

#endif
