/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - writes numbers and strings in the forms of readable text, CSV, TSV and JSON.
 */
#ifndef WARPSCOPE_READER_RENDER_TEXT_H
#define WARPSCOPE_READER_RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/read.h"
#include "text/decimal.h"
#include "text/utf8.h"

/* ---- To memory ------------------------------------------------------------------------------- */

/* Writes the value of a field to `to` according to its type, with a terminating zero: at most
 * DECIMAL_MAX bytes. If json is true, writes null for NaN and infinities. Returns the length of the
 * text. */
size_t ws_format_value(char *to, const struct fmt_value *v, bool json);

/* The following functions write to `to` without a terminating zero, and return the end of their
 * output. */

/* Like ws_format_value(), for the number whose little-endian bytes are at raw. type: enum fmt_type,
 * but not FMT_CHAR. May overwrite up to DECIMAL_MAX bytes at `to`, even if the text is shorter. */
char *ws_render_number(char *to, const uint8_t *raw, uint32_t type, bool json);
/* Writes size bytes as two hexadecimal digits each; if json is true, in quotes. */
char *ws_render_hex(char *to, const uint8_t *bytes, size_t size, bool json);
/* Writes text with escape sequences for the characters that TSV cannot contain: backslash, tab,
 * line feed and carriage return. U+FFFD replaces bytes that are not UTF-8. Writes at most
 * 3 * size bytes. */
char *ws_render_tsv(char *to, const char *text, size_t size);

/* ---- For readable text ----------------------------------------------------------------------- */

/* Stores a number of bytes as text in `to`, which has `size` bytes: "1.50 GB", "12.3 kB", "17
 * bytes". */
void ws_format_bytes(char *to, size_t size, uint64_t bytes);

#endif
