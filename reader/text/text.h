/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - numbers and strings for text, CSV and JSON.
 */
#ifndef WARPSCOPE_READER_TEXT_TEXT_H
#define WARPSCOPE_READER_TEXT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/read.h"
#include "text/sink.h"

#define WS_NUMBER_MAX 40 /* bytes for any number, with the terminator */

/* Prints the shortest of %.15g, %.16g, %.17g that reads back as the same double, or "nan", "inf",
 * "-inf". Returns the length. */
size_t ws_format_f64(char *to, double v);
/* Like ws_format_f64(), for a float: %.6g .. %.9g. */
size_t ws_format_f32(char *to, float v);
size_t ws_format_u64(char *to, uint64_t v);
size_t ws_format_i64(char *to, int64_t v);
/* Prints a field's value according to its type. */
size_t ws_format_value(char *to, const struct fmt_value *v);

/* Returns the bytes of the UTF-8 character at the start of text (size bytes, at least 1), or 0 if
 * there is none (RFC 3629). */
size_t ws_utf8_length(const void *text, size_t size);

/* Writes text (size bytes, untrusted) as a JSON string with its quotes. The output is valid UTF-8:
 * other bytes become U+FFFD. */
void ws_json_string(FILE *out, const char *text, size_t size);
/* Like ws_json_string(), to a sink of at least 16 bytes. */
void ws_sink_json(struct ws_sink *sink, const char *text, size_t size);
/* Writes a number for JSON: null for NaN and infinities. */
void ws_json_f64(FILE *out, double v);

/* Writes text (size bytes) as a CSV field, quoted where RFC 4180 requires it. */
void ws_csv_string(FILE *out, const char *text, size_t size);
void ws_sink_csv(struct ws_sink *sink, const char *text, size_t size);

/* Writes text for a terminal: control characters and bytes that are not UTF-8 become '?'. */
void ws_plain_string(FILE *out, const char *text);

/* Like ws_plain_string(), into memory, cut to size bytes at the end of a character. */
void ws_plain_text(char *to, size_t size, const char *text);

/* Like ws_plain_string(), as a column of a table: cut to width characters, or padded with blanks.
 * width: up to WS_COLUMN_MAX. Counts characters, not their width on a terminal. */
#define WS_COLUMN_MAX 60u
void ws_plain_column(FILE *out, const char *text, size_t width);
/* Like ws_plain_column(), for paths, which are cut in the middle: "/scratch/...run7/MemTrace-1". */
void ws_plain_path_column(FILE *out, const char *path, size_t width);

/* Prints "1.5 GB", "12.3 kB", "17 bytes". */
void ws_format_bytes(char *to, size_t size, uint64_t bytes);

#endif
