/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Growing text; see buffer.h.
 */
#include "rewrite/buffer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_reserve(struct buffer *buffer, size_t size)
{
    if (buffer->failed || size <= buffer->size) {
        return;
    }
    char *grown = size < SIZE_MAX / 4 ? realloc(buffer->s, size) : NULL;
    buffer->failed = grown == NULL;
    if (grown != NULL) {
        buffer->s = grown;
        buffer->size = size;
    }
}

void buffer_add(struct buffer *buffer, const char *s, size_t length)
{
    assert(buffer->length <= buffer->size);
    if (buffer->failed) {
        return;
    }
    if (length >= buffer->size - buffer->length) {
        buffer_reserve(buffer, buffer->length + length + buffer->size / 2 + 4096);
        if (buffer->failed) {
            return;
        }
    }
    assert(length < buffer->size - buffer->length);
    if (length > 0) {
        memcpy(buffer->s + buffer->length, s, length);
    }
    buffer->length += length;
    buffer->s[buffer->length] = '\0';
}

void buffer_string(struct buffer *buffer, const char *s)
{
    buffer_add(buffer, s, strlen(s));
}

void buffer_text(struct buffer *buffer, struct ptx_text text)
{
    buffer_add(buffer, text.s, text.length);
}

void buffer_number(struct buffer *buffer, int64_t number)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRId64, number);
    assert(length > 0 && (size_t)length < sizeof text);
    buffer_add(buffer, text, (size_t)length);
}
