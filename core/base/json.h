/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - writes JSON (RFC 8259) to a stream, for the machine-readable reports.
 *
 * A writer puts each member on its own line, indented by two spaces per level. Members are written
 * in order. key is the member's name inside an object, and NULL inside an array and at the top.
 * Errors remain in the stream: test ferror() once, at the end.
 *
 * Invariants
 *  J1  The output is valid JSON and valid UTF-8 for any strings: invalid bytes become U+FFFD.
 *  J2  A number reads back as the same number: integers with all digits, doubles with the fewest
 *      sufficient digits from 15 to 17. Infinities and NaN, which JSON lacks, become null.
 *  J3  The decimal separator is a point in any locale.
 */
#ifndef WARPSCOPE_BASE_JSON_H
#define WARPSCOPE_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_MAX_DEPTH 32

struct json_writer {
    FILE *out;
    unsigned depth;                      /* open objects and arrays */
    bool has_member[JSON_MAX_DEPTH + 1]; /* by depth: true after the first member */
};

/* Starts a document on out, which the caller owns. */
void json_writer_init(struct json_writer *writer, FILE *out);

void json_object_open(struct json_writer *writer, const char *key);
void json_object_close(struct json_writer *writer);
void json_array_open(struct json_writer *writer, const char *key);
void json_array_close(struct json_writer *writer);

void json_put_string(struct json_writer *writer, const char *key, const char *value);
void json_put_u64(struct json_writer *writer, const char *key, uint64_t value);
void json_put_i64(struct json_writer *writer, const char *key, int64_t value);
void json_put_double(struct json_writer *writer, const char *key, double value);
void json_put_bool(struct json_writer *writer, const char *key, bool value);
void json_put_null(struct json_writer *writer, const char *key);

/* Print single values. A NULL string becomes null. */
void json_print_string(FILE *out, const char *value);
void json_print_double(FILE *out, double value);

#endif
