/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - writes strings and arguments as JSON (RFC 8259), see writer.h.
 *
 * Each byte that does not start a valid UTF-8 character (RFC 3629: no overlong forms, no
 * surrogates, nothing beyond U+10FFFF) is replaced by U+FFFD.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/writer.h"
#include "text/utf8.h"

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
        bool plain = *at >= 0x20 && *at != '"' && *at != '\\' && *at != 0x7f;
        size_t length = plain && *at < 0x7f ? 1 : utf8_length(at, UTF8_MAX);
        if (plain && length > 0) {
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

static void value_put(struct log_writer *w, const st_log_arg *arg)
{
    bool is_text =
        arg->kind == ST_LOG_HEX || (arg->kind == ST_LOG_F64 && !isfinite(arg->value.f64));
    if (is_text) { /* JSON has no number for it */
        put_bytes(w, "\"", 1);
    }
    if (!put_value(w, arg)) {
        put_json_text(w, arg->value.text);
    }
    if (is_text) {
        put_bytes(w, "\"", 1);
    }
}

void put_json_args(struct log_writer *w, const st_log_arg *args, size_t n_args,
                   log_arg_test is_left_out)
{
    bool any = false;
    put_bytes(w, "{", 1);
    for (size_t i = 0; i < n_args; i++) {
        if (is_left_out != NULL && is_left_out(w, args, i)) {
            continue;
        }
        if (any) {
            put_bytes(w, ",", 1);
        }
        any = true;
        put_json_text(w, args[i].key);
        put_bytes(w, ":", 1);
        value_put(w, &args[i]);
    }
    put_bytes(w, "}", 1);
}
