/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * render.h - values as CSV and JSON in memory, with the same text as emit.h on a stream. All
 * functions return the end of their output and write no terminator.
 */
#ifndef WARPSCOPE_READER_RENDER_RENDER_H
#define WARPSCOPE_READER_RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the greatest length of a string of size bytes in either form. Bytes as hex are
 * shorter. */
static inline size_t ws_render_max(size_t size)
{
    return 6 * size + 2;
}

/* Prints a number of a type (enum fmt_type, not FMT_CHAR) whose little-endian bytes are at raw: at
 * most DECIMAL_MAX bytes. In JSON, NaN and infinities become null. */
char *ws_render_number(char *to, const uint8_t *raw, uint32_t type, bool json);
char *ws_render_csv(char *to, const uint8_t *text, size_t size);
char *ws_render_json(char *to, const uint8_t *text, size_t size);
/* Copy a string, with U+FFFD for bytes that are not UTF-8. */
static inline size_t ws_render_utf8_max(size_t size)
{
    return 3 * size + 1;
}
char *ws_render_utf8(char *to, const uint8_t *text, size_t size);
/* JSON adds quotes. */
char *ws_render_hex(char *to, const uint8_t *bytes, size_t size, bool json);

#endif
