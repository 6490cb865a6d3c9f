/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - writes JSON (RFC 8259): single values to memory or to a stream, and whole documents.
 *
 * The functions report no errors of a stream: call ferror() once, at the end.
 *
 * Invariants
 *  J1  The output is valid JSON and valid UTF-8 for any strings: invalid bytes become U+FFFD.
 *  J2  A number reads back as the same number: integers have all digits, doubles have 15 to 17
 *      digits, as few as suffice. Infinities and NaN, which JSON lacks, become null.
 *  J3  The decimal separator is a point in any locale.
 */
#ifndef WARPSCOPE_TEXT_JSON_H
#define WARPSCOPE_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Values ---------------------------------------------------------------------------------- */

/* Returns the maximum length in bytes of the JSON string for a text of size bytes. */
static inline size_t json_string_max(size_t size)
{
    return 6 * size + 2;
}

/* Writes text (size bytes) to `to` as a JSON string, without a terminating zero. Returns the end of
 * the string. */
char *json_write_string(char *to, const void *text, size_t size);

/* Prints text (size bytes) as a JSON string. */
void json_print_bytes(FILE *out, const void *text, size_t size);
void json_print_string(FILE *out, const char *value); /* writes null if value is NULL */
void json_print_double(FILE *out, double value);

/* ---- Documents ------------------------------------------------------------------------------- */

#define JSON_MAX_DEPTH 32

/*
 * A document that is being written. The caller sets `out`, which it owns, and may set `compact` and
 * `indent`; the other members are zero at the start. Members of objects and arrays are written in
 * the order of the calls. In these calls, key is the member's name inside an object, and NULL
 * inside an array and at the top level. Each member has its own line, indented by level; if compact
 * is true, only members after json_line() begin a line. A line end follows the document.
 */
struct json_writer {
    FILE *out;
    bool compact;
    unsigned indent;                     /* number of blanks per level of indentation; 0: two */
    unsigned depth;                      /* number of open objects and arrays */
    bool has_member[JSON_MAX_DEPTH + 1]; /* for each level, true if a comma is due */
};

/* Writes all that precedes the value of a member; the caller writes the value to `out`. */
void json_begin(struct json_writer *writer, const char *key);

void json_object_open(struct json_writer *writer, const char *key);
void json_object_close(struct json_writer *writer);
void json_array_open(struct json_writer *writer, const char *key);
void json_array_close(struct json_writer *writer);
/* Begins a new line, after a comma if one is due, and indents it if `indent` is not 0. The caller
 * must then write a member. */
void json_line(struct json_writer *writer);
/* Opens an object on a new line. */
static inline void json_object_line(struct json_writer *writer, const char *key)
{
    json_line(writer);
    json_object_open(writer, key);
}

void json_put_string(struct json_writer *writer, const char *key, const char *value);
void json_put_u64(struct json_writer *writer, const char *key, uint64_t value);
void json_put_double(struct json_writer *writer, const char *key, double value);
void json_put_bool(struct json_writer *writer, const char *key, bool value);
void json_put_null(struct json_writer *writer, const char *key);

#endif
