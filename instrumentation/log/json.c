/*
 * json.c - texts and arguments as JSON (RFC 8259), see writer.h.
 *
 * What is not UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF) becomes
 * one U+FFFD for each byte that begins nothing valid.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/writer.h"

static bool is_tail(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the character at `at`, 0 if it is not valid. The text ends with a zero, which is no
 * tail: nothing behind it is looked at. */
static size_t utf8_length(const unsigned char *at)
{
    unsigned char first = at[0];
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4 || !is_tail(at[1])) {
        return 0;
    }
    if (first < 0xe0) {
        return 2;
    }
    bool overlong = (first == 0xe0 && at[1] < 0xa0) || (first == 0xf0 && at[1] < 0x90);
    bool surrogate = first == 0xed && at[1] >= 0xa0;
    bool beyond = first == 0xf4 && at[1] >= 0x90;
    if (overlong || surrogate || beyond || !is_tail(at[2])) {
        return 0;
    }
    if (first < 0xf0) {
        return 3;
    }
    return is_tail(at[3]) ? 4 : 0;
}

static void control_put(struct log_writer *w, unsigned char c)
{
    static const char from[] = "\b\f\n\r\t", to[] = "bfnrt";
    const char *known = strchr(from, c);
    char text[8];
    if (known != NULL) {
        snprintf(text, sizeof text, "\\%c", to[known - from]);
    } else {
        snprintf(text, sizeof text, "\\u%04x", c);
    }
    put_text(w, text);
}

void put_json_text(struct log_writer *w, const char *text)
{
    const unsigned char *at = (const unsigned char *)(text == NULL ? "" : text), *from = at;
    put_bytes(w, "\"", 1);
    while (*at != '\0') {
        size_t length = utf8_length(at);
        if (length > 0 && *at >= 0x20 && *at != '"' && *at != '\\' && *at != 0x7f) {
            at += length;
            continue;
        }
        put_bytes(w, from, (size_t)(at - from));
        if (length == 0) {
            put_text(w, "\xef\xbf\xbd");
        } else if (*at == '"' || *at == '\\') {
            char escaped[2] = {'\\', (char)*at};
            put_bytes(w, escaped, 2);
        } else {
            control_put(w, *at);
        }
        from = ++at;
    }
    put_bytes(w, from, (size_t)(at - from));
    put_bytes(w, "\"", 1);
}

static void f64_put(struct log_writer *w, double value)
{
    if (isfinite(value)) {
        put_f64(w, value);
    } else { /* JSON has no number for it */
        put_bytes(w, "\"", 1);
        put_f64(w, value);
        put_bytes(w, "\"", 1);
    }
}

void put_json_args(struct log_writer *w, const st_log_arg *args, size_t n_args)
{
    put_bytes(w, "{", 1);
    for (size_t i = 0; i < n_args; i++) {
        if (i > 0) {
            put_bytes(w, ",", 1);
        }
        put_json_text(w, args[i].key);
        put_bytes(w, ":", 1);
        switch (args[i].kind) {
        case ST_LOG_U64:
            put_u64(w, args[i].value.u64);
            break;
        case ST_LOG_I64:
            put_i64(w, args[i].value.i64);
            break;
        case ST_LOG_F64:
            f64_put(w, args[i].value.f64);
            break;
        default:
            put_json_text(w, args[i].value.text);
            break;
        }
    }
    put_bytes(w, "}", 1);
}
