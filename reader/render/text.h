/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - numbers and strings for text, CSV and JSON.
 */
#ifndef WARPSCOPE_READER_RENDER_TEXT_H
#define WARPSCOPE_READER_RENDER_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/read.h"
#include "render/sink.h"
#include "text/decimal.h"
#include "text/utf8.h"

/* Prints a field's value according to its type. */
size_t ws_format_value(char *to, const struct fmt_value *v);

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

#define WS_COLUMN_MAX 60u /* characters of the widest column */

/* Prints "1.5 GB", "12.3 kB", "17 bytes". */
void ws_format_bytes(char *to, size_t size, uint64_t bytes);

#endif
