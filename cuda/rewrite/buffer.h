/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A text that grows. Once memory has been exhausted, `failed` is true and all functions do nothing.
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

/* Allocates memory for a text of `size` bytes in total, including its zero byte. */
void buffer_reserve(struct buffer *buffer, size_t size);

/* This function and the next three append a text to the buffer. buffer_number() appends the number
 * in decimal. */
void buffer_add(struct buffer *buffer, const char *s, size_t length);
void buffer_string(struct buffer *buffer, const char *s);
void buffer_text(struct buffer *buffer, struct ptx_text text);
void buffer_number(struct buffer *buffer, int64_t number);

#endif
