/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - see json.h. Cost: linear in the length of the text; no memory is allocated. */
#include "text/json.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "text/decimal.h"
#include "text/utf8.h"

/* ---- Values in memory ------------------------------------------------------------------------ */

static char *control_write(char *to, unsigned char byte)
{
    static const char plain[] = "\b\f\n\r\t", letters[] = "bfnrt";
    static const char digits[] = "0123456789abcdef";
    const char *at = memchr(plain, byte, sizeof plain - 1);
    *to++ = '\\';
    if (at != NULL) {
        *to++ = letters[at - plain];
        return to;
    }
    const char code[] = {'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
    memcpy(to, code, sizeof code);
    return to + sizeof code;
}

/* Writes the character at text[*at] to `to`, escaped if necessary, in at most 6 bytes. Returns the
 * end of the output, and moves *at past the character. */
static inline char *escaped_write(char *to, const unsigned char *text, size_t size, size_t *at)
{
    assert(*at < size);
    unsigned char first = text[*at];
    if (first >= 0x20 && first < 0x7f) {
        if (first == '"' || first == '\\') {
            *to++ = '\\';
        }
        *to++ = (char)first;
        ++*at;
        return to;
    }
    size_t n = utf8_length(text + *at, size - *at);
    if (n > 1) {
        memcpy(to, text + *at, n);
        to += n;
    } else if (n == 1) {
        to = control_write(to, first);
    } else {
        memcpy(to, "\\ufffd", 6);
        to += 6;
    }
    *at += n > 0 ? n : 1;
    return to;
}

/* Returns true if one of the eight bytes must not be copied to a string unchecked: a control
 * character, a quote, a backslash, or a byte that is not ASCII. The tests set the top bit of each
 * such byte (Mycroft, 1987). They may also set the top bit of the next byte, which does not change
 * the result. */
static inline bool is_special(uint64_t eight)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t low = eight - 0x20 * ones;
    uint64_t quote = (eight ^ '"' * ones) - ones;
    uint64_t backslash = (eight ^ '\\' * ones) - ones;
    uint64_t del = (eight ^ 0x7f * ones) - ones;
    return ((low | quote | backslash | del | eight) & tops) != 0;
}

/* Copies 4 to 7 bytes as two words that overlap. Returns false if one of the bytes is special, see
 * is_special(). */
static inline bool short_copy(char *to, const char *from, size_t size)
{
    uint32_t first, last;
    memcpy(&first, from, sizeof first);
    memcpy(&last, from + size - sizeof last, sizeof last);
    memcpy(to, &first, sizeof first);
    memcpy(to + size - sizeof last, &last, sizeof last);
    return !is_special(first | (uint64_t)last << 32);
}

/* Copies eight bytes at a time as long as none of them is special, see is_special(). */
char *json_write_string(char *to, const void *text, size_t size)
{
    const char *from = text;
    *to++ = '"';
    for (size_t i = 0; i < size;) {
        uint64_t eight = 0;
        size_t left = size - i;
        if (left >= sizeof eight) {
            memcpy(&eight, from + i, sizeof eight);
            memcpy(to, &eight, sizeof eight);
            left = is_special(eight) ? 0 : sizeof eight;
        } else {
            left = left >= sizeof(uint32_t) && short_copy(to, from + i, left) ? left : 0;
        }
        to += left;
        i += left;
        if (left == 0) {
            to = escaped_write(to, text, size, &i);
        }
    }
    *to++ = '"';
    return to;
}

void json_print_bytes(FILE *out, const void *text, size_t size)
{
    char part[256];
    fputc('"', out);
    for (size_t i = 0; i < size;) {
        char *to = part;
        while (i < size && to <= part + sizeof part - 6) {
            to = escaped_write(to, text, size, &i);
        }
        fwrite(part, 1, (size_t)(to - part), out);
    }
    fputc('"', out);
}

void json_print_string(FILE *out, const char *value)
{
    if (value == NULL) {
        fputs("null", out);
    } else {
        json_print_bytes(out, value, strlen(value));
    }
}

void json_print_double(FILE *out, double value)
{
    char digits[DECIMAL_MAX] = "null";
    if (isfinite(value)) {
        decimal_f64(digits, value);
    }
    fputs(digits, out);
}

/* ---- Documents ------------------------------------------------------------------------------- */

static void begin_line(struct json_writer *writer, unsigned indent)
{
    fputc('\n', writer->out);
    for (unsigned i = 0; i < indent * writer->depth; i++) {
        fputc(' ', writer->out);
    }
}

static void break_line(struct json_writer *writer)
{
    if (!writer->compact) {
        begin_line(writer, writer->indent == 0 ? 2 : writer->indent);
    }
}

/* This is a comma, a line end, blanks and the key. */
void json_begin(struct json_writer *writer, const char *key)
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
        fputs(writer->compact ? ":" : ": ", writer->out);
    }
}

static void open_level(struct json_writer *writer, const char *key, char bracket)
{
    assert(writer->depth < JSON_MAX_DEPTH);
    json_begin(writer, key);
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

void json_line(struct json_writer *writer)
{
    bool *has_member = &writer->has_member[writer->depth];
    if (*has_member) {
        fputc(',', writer->out);
    }
    begin_line(writer, writer->indent);
    *has_member = false;
}

void json_put_string(struct json_writer *writer, const char *key, const char *value)
{
    json_begin(writer, key);
    json_print_string(writer->out, value);
}

void json_put_u64(struct json_writer *writer, const char *key, uint64_t value)
{
    char digits[DECIMAL_MAX];
    json_begin(writer, key);
    fwrite(digits, 1, decimal_u64(digits, value), writer->out);
}

void json_put_double(struct json_writer *writer, const char *key, double value)
{
    json_begin(writer, key);
    json_print_double(writer->out, value);
}

void json_put_bool(struct json_writer *writer, const char *key, bool value)
{
    json_begin(writer, key);
    fputs(value ? "true" : "false", writer->out);
}

void json_put_null(struct json_writer *writer, const char *key)
{
    json_begin(writer, key);
    fputs("null", writer->out);
}
