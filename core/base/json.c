/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - see json.h. Cost: linear in the text; no allocation. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "text/decimal.h"
#include "text/utf8.h"

/* ---- Values ---------------------------------------------------------------------------------- */

static void print_control(FILE *out, unsigned char byte)
{
    static const char plain[] = "\b\f\n\r\t";
    static const char letter[] = "bfnrt";
    const char *at = strchr(plain, byte);
    if (at != NULL) {
        fprintf(out, "\\%c", letter[at - plain]);
    } else {
        fprintf(out, "\\u%04x", (unsigned)byte);
    }
}

void json_print_string(FILE *out, const char *value)
{
    if (value == NULL) {
        fputs("null", out);
        return;
    }
    const unsigned char *text = (const unsigned char *)value;
    fputc('"', out);
    while (*text != '\0') {
        size_t length = utf8_length(text, UTF8_MAX);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (*text == '"' || *text == '\\') {
            fprintf(out, "\\%c", *text);
        } else if (*text < 0x20 || *text == 0x7F) {
            print_control(out, *text);
        } else {
            fwrite(text, 1, length, out);
        }
        text += length;
    }
    fputc('"', out);
}

void json_print_double(FILE *out, double value)
{
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    char text[DECIMAL_MAX];
    fwrite(text, 1, decimal_f64(text, value), out);
}

/* ---- Structure ------------------------------------------------------------------------------- */

void json_writer_init(struct json_writer *writer, FILE *out)
{
    *writer = (struct json_writer){.out = out};
}

static void break_line(struct json_writer *writer)
{
    fprintf(writer->out, "\n%*s", (int)(2 * writer->depth), "");
}

/* Writes everything that precedes a value. */
static void begin_value(struct json_writer *writer, const char *key)
{
    bool *has_member = &writer->has_member[writer->depth];
    assert(writer->depth > 0 || !*has_member);
    if (*has_member) {
        fputc(',', writer->out);
    }
    *has_member = true;
    if (writer->depth > 0) {
        break_line(writer);
    }
    if (key != NULL) {
        json_print_string(writer->out, key);
        fputs(": ", writer->out);
    }
}

static void open_level(struct json_writer *writer, const char *key, char bracket)
{
    assert(writer->depth < JSON_MAX_DEPTH);
    begin_value(writer, key);
    fputc(bracket, writer->out);
    writer->depth++;
    writer->has_member[writer->depth] = false;
}

static void close_level(struct json_writer *writer, char bracket)
{
    assert(writer->depth > 0);
    bool had_member = writer->has_member[writer->depth];
    writer->depth--;
    if (had_member) {
        break_line(writer);
    }
    fputc(bracket, writer->out);
    if (writer->depth == 0) {
        fputc('\n', writer->out);
    }
}

void json_object_open(struct json_writer *writer, const char *key)
{
    open_level(writer, key, '{');
}

void json_object_close(struct json_writer *writer)
{
    close_level(writer, '}');
}

void json_array_open(struct json_writer *writer, const char *key)
{
    open_level(writer, key, '[');
}

void json_array_close(struct json_writer *writer)
{
    close_level(writer, ']');
}

void json_put_string(struct json_writer *writer, const char *key, const char *value)
{
    begin_value(writer, key);
    json_print_string(writer->out, value);
}

void json_put_u64(struct json_writer *writer, const char *key, uint64_t value)
{
    begin_value(writer, key);
    fprintf(writer->out, "%" PRIu64, value);
}

void json_put_i64(struct json_writer *writer, const char *key, int64_t value)
{
    begin_value(writer, key);
    fprintf(writer->out, "%" PRId64, value);
}

void json_put_double(struct json_writer *writer, const char *key, double value)
{
    begin_value(writer, key);
    json_print_double(writer->out, value);
}

void json_put_bool(struct json_writer *writer, const char *key, bool value)
{
    begin_value(writer, key);
    fputs(value ? "true" : "false", writer->out);
}

void json_put_null(struct json_writer *writer, const char *key)
{
    begin_value(writer, key);
    fputs("null", writer->out);
}
