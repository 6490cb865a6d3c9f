/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - writes entries as lines of readable text. Control characters in names and values become
 * spaces, so that each entry stays on one line. U+FFFD replaces bytes that are not UTF-8.
 */
#include "log/writer.h"
#include "text/utf8.h"

static void words_put(struct log_writer *w, const char *text)
{
    for (const char *at = text == NULL ? "" : text; *at != '\0';) {
        bool control = (unsigned char)*at < 0x20 || *at == 0x7f;
        char shown[UTF8_MAX];
        size_t n = utf8_length(at, UTF8_MAX);
        n = n == 0 ? 1 : n;
        put_bytes(w, shown, (size_t)(utf8_repair(shown, control ? " " : at, n) - shown));
        at += n;
    }
}

static void arg_put(struct log_writer *w, const st_log_arg *arg)
{
    put_text(w, " ");
    words_put(w, arg->key);
    put_text(w, "=");
    if (!put_value(w, arg)) {
        words_put(w, arg->value.text);
    }
}

static st_result text_add(st_logger *logger, const st_log_entry *e)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    char phase[4] = {' ', e->phase == '\0' ? 'i' : e->phase, ' ', '\0'};
    size_t begin = writer_entry_begin(w);
    put_f64(w, e->time);
    put_text(w, phase);
    put_u64(w, e->pid);
    put_text(w, ".");
    put_u64(w, e->tid);
    put_text(w, " ");
    words_put(w, e->name);
    if (e->category != NULL && e->category[0] != '\0') {
        put_text(w, " [");
        words_put(w, e->category);
        put_text(w, "]");
    }
    if (e->phase == 'X') {
        put_text(w, " for=");
        put_f64(w, e->duration);
    }
    if (e->id != 0) {
        put_text(w, " id=");
        put_u64(w, e->id);
    }
    for (size_t i = 0; i < e->n_args; i++) {
        arg_put(w, &e->args[i]);
    }
    put_text(w, "\n");
    return writer_entry_end(w, begin);
}

st_result st_log_text_create(const st_log_target *target, const st_log_options *options,
                             st_logger **logger)
{
    static const struct log_kind kind = {.start = writer_start,
                                         .add = text_add,
                                         .flush = writer_flush,
                                         .finish = writer_finish,
                                         .free = writer_free};
    return writer_create(&kind, target, options, logger);
}
