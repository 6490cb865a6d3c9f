/*
 * writer.h - the loggers that write: a buffer in front of a file or a function, and the texts and
 * numbers that go into it (inside log/ only).
 *
 * An entry is put together in the buffer; writer_entry_end() writes the buffer out when it is full
 * or enough entries have gathered. An entry for which there is no memory is taken back whole.
 */
#ifndef WARPSCOPE_LOG_WRITER_H
#define WARPSCOPE_LOG_WRITER_H

#include <string.h>

#include "log/logger.h"

struct log_writer {
    st_logger base;
    char *path; /* owned; NULL: unknown */
    int (*write)(void *ctx, const void *data, size_t size);
    void *ctx;
    int fd; /* -1: none */
    size_t flush_entries;
    size_t gathered; /* entries in the buffer */
    double factor;   /* microseconds = time * factor, or time / divisor where that is not 0 */
    double divisor;
    bool any;    /* was an entry written? */
    bool failed; /* writing failed: nothing more is written */
    bool full;   /* no memory for what is being put together */
    char *data;  /* owned */
    size_t used, room;
    char **columns; /* owned, of CSV: keys of args */
    size_t n_columns;
};

/* A logger of a kind whose functions are those below, but for add and what it puts first and
 * last. */
st_result writer_create(const struct log_kind *kind, const st_log_target *target,
                        const st_log_options *options, st_logger **logger);
st_result writer_start(struct log_writer *w); /* opens */
st_result writer_flush(struct log_writer *w);
st_result writer_finish(struct log_writer *w); /* flushes and closes */
void writer_free(st_logger *logger);
st_result writer_flush_logger(st_logger *logger);

/* Around an entry: where it began; ST_OK, ST_IO (also when nothing is written any more), or
 * ST_NO_MEMORY. */
size_t writer_entry_begin(struct log_writer *w);
st_result writer_entry_end(struct log_writer *w, size_t begin);
/* After what comes first: ST_OK, or ST_NO_MEMORY, and it is closed again. */
st_result writer_head_end(struct log_writer *w, size_t begin);

/* ---- Texts and numbers ----------------------------------------------------------------------- */

/* Makes room for size more bytes; false, and full: there is no memory. */
bool writer_grow(struct log_writer *w, size_t size);
static inline void put_bytes(struct log_writer *w, const void *data, size_t size)
{
    if (size <= w->room - w->used || writer_grow(w, size)) {
        memcpy(w->data + w->used, data, size);
        w->used += size;
    }
}
static inline void put_text(struct log_writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}
void put_u64(struct log_writer *w, uint64_t value);
void put_i64(struct log_writer *w, int64_t value);
/* At most 17 digits that read back as the same number, 15 where they do; NaN, inf, -inf. */
void put_f64(struct log_writer *w, double value);
/* A JSON string, with its quotes. */
void put_json_text(struct log_writer *w, const char *text);
/* {"key":value,...}, without those for which is_left_out is true (NULL: all). */
typedef bool (*log_arg_test)(const struct log_writer *w, const st_log_arg *args, size_t i);
void put_json_args(struct log_writer *w, const st_log_arg *args, size_t n_args,
                   log_arg_test is_left_out);
/* A value outside of JSON; false: it is a text, which the caller writes as the format asks. */
bool put_value(struct log_writer *w, const st_log_arg *arg);

#endif
