/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome.c - writes entries in Chrome's "Trace Event Format" (JSON array form), which Perfetto's
 * viewer also reads. The file is an array with one trace event per line.
 */
#include "log/writer.h"

static st_result chrome_start(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    st_result result = writer_start(logger);
    if (result == ST_OK) {
        put_text(w, "[");
    }
    return result;
}

static inline void time_put(struct log_writer *w, const char *key, double time)
{
    put_text(w, key);
    put_f64(w, w->divisor != 0 ? time / w->divisor : time * w->factor);
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

static inline void numbers_put(struct log_writer *w, const st_log_entry *e, char phase)
{
    const char letter[] = {phase, '"'}; /* a letter that needs no escape sequence */
    put_text(w, ",\"ph\":\"");
    put_bytes(w, letter, sizeof letter);
    if (phase != 'M') {
        time_put(w, ",\"ts\":", e->time);
    }
    if (phase == 'X') {
        time_put(w, ",\"dur\":", e->duration);
    }
    put_text(w, ",\"pid\":");
    put_u64(w, e->pid);
    put_text(w, ",\"tid\":");
    put_u64(w, e->tid);
    /* The id is a string, since readers that store numbers as doubles keep only 53 bits. */
    if (has_id(phase)) {
        put_text(w, ",\"id\":\"");
        put_u64(w, e->id);
        put_text(w, "\"");
    }
    if (phase == 'i') {
        const char text[] = {e->scope == '\0' ? 't' : e->scope, '\0'};
        text_put(w, ",\"s\":", text);
    }
    if (phase == 'f') { /* makes the flow end at the enclosing slice, not at the next one */
        put_text(w, ",\"bp\":\"e\"");
    }
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
