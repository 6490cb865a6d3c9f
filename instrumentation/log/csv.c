/*
 * csv.c - entries as lines of CSV (RFC 4180: CRLF at the ends of lines, quotes where they are
 * needed).
 */
#include <string.h>

#include "log/writer.h"

static st_result csv_start(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    st_result result = writer_start(w);
    if (result == ST_OK) {
        put_text(w, "time,duration,phase,name,category,pid,tid,id,scope,level,args\r\n");
    }
    return result;
}

/* What was put together from `from` on becomes one cell. */
static void cell_quote(struct log_writer *w, size_t from)
{
    size_t size = w->used - from, quotes = 0;
    bool needed = false;
    for (size_t i = from; i < w->used; i++) {
        quotes += w->data[i] == '"';
        needed |= w->data[i] != '\0' && strchr("\",\r\n", w->data[i]) != NULL;
    }
    if (!needed) {
        return;
    }
    for (size_t i = 0; i < quotes + 2; i++) {
        put_bytes(w, "\"", 1); /* room */
    }
    if (w->full) {
        return;
    }
    size_t to = w->used - 1; /* where the closing quote stands already */
    for (size_t i = from + size; i > from; i--) {
        w->data[--to] = w->data[i - 1];
        if (w->data[i - 1] == '"') {
            w->data[--to] = '"';
        }
    }
    w->data[from] = '"';
}

static void cell_put(struct log_writer *w, const char *text)
{
    put_bytes(w, ",", 1);
    size_t from = w->used;
    put_text(w, text == NULL ? "" : text);
    cell_quote(w, from);
}

static void number_put(struct log_writer *w, uint64_t number)
{
    put_bytes(w, ",", 1);
    put_u64(w, number);
}

static st_result csv_add(st_logger *logger, const st_log_entry *e)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    char phase[2] = {e->phase == '\0' ? 'i' : e->phase, '\0'}, scope[2] = {e->scope, '\0'};
    size_t begin = writer_entry_begin(w);
    put_f64(w, e->time);
    put_bytes(w, ",", 1);
    put_f64(w, e->duration);
    cell_put(w, phase);
    cell_put(w, e->name);
    cell_put(w, e->category);
    number_put(w, e->pid);
    number_put(w, e->tid);
    number_put(w, e->id);
    cell_put(w, scope);
    put_bytes(w, ",", 1);
    put_i64(w, e->level);
    put_bytes(w, ",", 1);
    if (e->n_args > 0) {
        size_t from = w->used;
        put_json_args(w, e->args, e->n_args);
        cell_quote(w, from);
    }
    put_text(w, "\r\n");
    return writer_entry_end(w, begin);
}

static st_result csv_finish(st_logger *logger)
{
    return writer_finish((struct log_writer *)(void *)logger);
}

st_result st_log_csv_create(const st_log_target *target, const st_log_options *options,
                            st_logger **logger)
{
    static const struct log_kind kind = {.start = csv_start,
                                         .add = csv_add,
                                         .flush = writer_flush_logger,
                                         .finish = csv_finish,
                                         .free = writer_free};
    return writer_create(&kind, target, options, logger);
}
