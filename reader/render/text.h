/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - numbers and strings for text, CSV and JSON.
 */
#ifndef WARPSCOPE_READER_RENDER_TEXT_H
#define WARPSCOPE_READER_RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/read.h"
#include "render/sink.h"
#include "text/decimal.h"
#include "text/utf8.h"

/* ---- To memory ------------------------------------------------------------------------------- */

/* Writes a field's value according to its type, with a terminating zero: at most DECIMAL_MAX bytes.
 * In JSON, NaN and infinities become null. Returns the length. */
size_t ws_format_value(char *to, const struct fmt_value *v, bool json);

/* The following functions return the end of their output and write no terminating zero. */

/* Like ws_format_value(), for a number of a type (enum fmt_type, not FMT_CHAR) whose little-endian
 * bytes are at raw. May overwrite DECIMAL_MAX bytes. */
char *ws_render_number(char *to, const uint8_t *raw, uint32_t type, bool json);
/* Writes bytes as two hexadecimal digits each; in JSON, adds quotes. */
char *ws_render_hex(char *to, const uint8_t *bytes, size_t size, bool json);
/* Writes text with \t, \n, \r and \\ for the characters that TSV cannot contain: at most 2 * size
 * bytes. */
char *ws_render_tsv(char *to, const char *text, size_t size);

/* ---- To a sink ------------------------------------------------------------------------------- */

void ws_sink_json(struct ws_sink *sink, const char *text, size_t size);
void ws_sink_csv(struct ws_sink *sink, const char *text, size_t size);

/* ---- For readable text ----------------------------------------------------------------------- */

#define WS_COLUMN_MAX 60u /* width of the widest column in characters */

/* Stores a number of bytes as text: "1.5 GB", "12.3 kB", "17 bytes". */
void ws_format_bytes(char *to, size_t size, uint64_t bytes);

#endif
