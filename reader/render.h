/*
 * render.h - values as CSV and JSON in memory; the same text that emit.h gives on a stream. All
 * functions return the end of what they wrote, and write no terminator.
 */
#ifndef WARPSCOPE_READER_RENDER_H
#define WARPSCOPE_READER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that a text of size bytes takes at most, in either form; bytes as hex take less. */
static inline size_t ws_render_max(size_t size)
{
    return 6 * size + 2;
}

/* A number of a type (enum fmt_type, not FMT_CHAR) whose little-endian bytes are at raw: at most
 * WS_NUMBER_MAX bytes. In JSON numbers that are none are null. */
char *ws_render_number(char *to, const uint8_t *raw, uint32_t type, bool json);
char *ws_render_csv(char *to, const uint8_t *text, size_t size);
char *ws_render_json(char *to, const uint8_t *text, size_t size);
/* The text with U+FFFD for what is not UTF-8. */
static inline size_t ws_render_utf8_max(size_t size)
{
    return 3 * size + 1;
}
char *ws_render_utf8(char *to, const uint8_t *text, size_t size);
/* In JSON with quotes. */
char *ws_render_hex(char *to, const uint8_t *bytes, size_t size, bool json);

#endif
