/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome.c - writes entries in Chrome's "Trace Event Format" (JSON array form), which Perfetto's
 * viewer also reads. The file is an array with one trace event per line.
 */
#include "log/writer.h"
#include "text/decimal.h"

static st_result chrome_start(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    st_result result = writer_start(logger);
    if (result == ST_OK) {
        put_text(w, "[");
    }
    return result;
}

static inline void text_put(struct log_writer *w, const char *key, const char *text)
{
    put_text(w, key);
    put_json_text(w, text);
}

static bool has_id(char phase)
{
    return phase == 'b' || phase == 'n' || phase == 'e' || phase == 's' || phase == 't' ||
           phase == 'f';
}

static inline char *copy(char *to, const char *text)
{
    memcpy(to, text, strlen(text)); /* of a constant length, since text is a literal */
    return to + strlen(text);
}

static inline char *number_put(char *to, const char *key, uint64_t number)
{
    to = copy(to, key);
    return to + decimal_u64(to, number);
}

static inline char *time_put(const struct log_writer *w, char *to, const char *key, double time)
{
    to = copy(to, key);
    return to + decimal_f64(to, w->divisor != 0 ? time / w->divisor : time * w->factor);
}

/* Writes the members with numbers and letters. One check of space suffices for them. */
static inline void numbers_put(struct log_writer *w, const st_log_entry *e, char phase)
{
    const size_t room = 5 * DECIMAL_MAX + 100;
    if (room > w->room - w->used && !writer_grow(w, room)) {
        return;
    }
    char *to = copy(w->data + w->used, ",\"ph\":\"");
    *to++ = phase; /* a letter that needs no escape sequence */
    to = phase != 'M' ? time_put(w, to, "\",\"ts\":", e->time) : copy(to, "\"");
    to = phase == 'X' ? time_put(w, to, ",\"dur\":", e->duration) : to;
    to = number_put(to, ",\"pid\":", e->pid);
    to = number_put(to, ",\"tid\":", e->tid);
    /* The id is a string, since readers that store numbers as doubles keep only 53 bits. */
    to = has_id(phase) ? copy(number_put(to, ",\"id\":\"", e->id), "\"") : to;
    if (phase == 'i') {
        to = copy(to, ",\"s\":\"");
        *to++ = e->scope == '\0' ? 't' : e->scope;
        *to++ = '"';
    }
    /* This makes the flow end at the enclosing slice, not at the next one. */
    to = phase == 'f' ? copy(to, ",\"bp\":\"e\"") : to;
    w->used = (size_t)(to - w->data);
}

static st_result chrome_add(st_logger *logger, const st_log_entry *e)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    char phase = e->phase == '\0' ? 'i' : e->phase;
    size_t begin = writer_entry_begin(w);
    text_put(w, w->any ? ",\n{\"name\":" : "\n{\"name\":", e->name);
    /* Viewers distinguish asynchronous events and flows by category as well as by id, so these
     * phases need a category. */
    if ((e->category != NULL && e->category[0] != '\0') || has_id(phase)) {
        text_put(w, ",\"cat\":", e->category == NULL ? "" : e->category);
    }
    numbers_put(w, e, phase);
    if (e->color != NULL && e->color[0] != '\0') {
        text_put(w, ",\"cname\":", e->color);
    }
    if (e->n_args > 0) {
        put_text(w, ",\"args\":");
        put_json_args(w, e->args, e->n_args, NULL);
    }
    put_text(w, "}");
    return writer_entry_end(w, begin);
}

static st_result chrome_finish(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    if (!w->failed) {
        put_text(w, "\n]\n");
    }
    return writer_finish(logger);
}

st_result st_log_chrome_create(const st_log_target *target, const st_log_options *options,
                               st_logger **logger)
{
    static const struct log_kind kind = {.start = chrome_start,
                                         .add = chrome_add,
                                         .flush = writer_flush,
                                         .finish = chrome_finish,
                                         .free = writer_free};
    return writer_create(&kind, target, options, logger);
}
