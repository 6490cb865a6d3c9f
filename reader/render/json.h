/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - writes JSON member by member: places commas, escapes strings, and prints NaN and
 * infinities as null.
 */
#ifndef WARPSCOPE_READER_RENDER_JSON_H
#define WARPSCOPE_READER_RENDER_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Initialise out. A name of NULL is for an element of an array, or the outermost value. A string of
 * NULL is printed as null. */
struct ws_json {
    FILE *out;
    bool comma; /* a comma is due before the next member */
};

void ws_json_open(struct ws_json *json, const char *name, char bracket); /* '{' or '[' */
void ws_json_close(struct ws_json *json, char bracket);                  /* '}' or ']' */
void ws_json_line(struct ws_json *json); /* the next member begins on its own line */
void ws_json_add_u64(struct ws_json *json, const char *name, uint64_t value);
void ws_json_add_f64(struct ws_json *json, const char *name, double value);
void ws_json_add_bool(struct ws_json *json, const char *name, bool value);
void ws_json_add_text(struct ws_json *json, const char *name, const char *value);

#endif
