/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - writes strings and arguments as JSON, see writer.h. */
#include "text/json.h"

#include <math.h>

#include "log/writer.h"

/* Writes a text, and keeps it in *last if it is short. */
static void new_text_put(struct log_writer *w, const char *text, struct log_text *last)
{
    const size_t size = text == NULL ? 0 : strlen(text);
    if (json_string_max(size) > w->room - w->used && !writer_grow(w, json_string_max(size))) {
        return;
    }
    const char *begin = w->data + w->used, *end = json_write_string(w->data + w->used, text, size);
    const size_t length = (size_t)(end - begin);
    w->used += length;
    if (size < sizeof last->text && length < sizeof last->json && text != NULL) {
        memcpy(last->text, text, size + 1);
        memcpy(last->json, begin, length);
        last->size = (uint8_t)length;
    }
}

void put_json_text(struct log_writer *w, const char *text)
{
    struct log_text *last = &w->texts[(uintptr_t)text / 8 % LOG_TEXTS];
    if (text != NULL && last->size > 0 && sizeof *last <= w->room - w->used &&
        strcmp(last->text, text) == 0) {
        memcpy(w->data + w->used, last->json, sizeof last->json);
        w->used += last->size;
    } else {
        new_text_put(w, text, last);
    }
}

/* Writes the value of an argument as JSON. JSON has no numbers for NaN and infinities, which become
 * null, and no hexadecimal numbers, which become strings. */
static void value_put(struct log_writer *w, const st_log_arg *arg)
{
    const size_t quote = arg->kind == ST_LOG_HEX;
    if (arg->kind == ST_LOG_F64 && !isfinite(arg->value.f64)) {
        put_text(w, "null");
        return;
    }
    put_bytes(w, "\"", quote);
    if (!put_value(w, arg)) {
        put_json_text(w, arg->value.text);
    }
    put_bytes(w, "\"", quote);
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
