/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.h - the common parts of loggers that write: the output buffer for a file or a function,
 * and the formatting of strings and numbers (internal to log/).
 *
 * An entry is formatted in the buffer. writer_entry_end() writes the buffer if it is full or holds
 * enough entries. If memory is exhausted, the entry is removed completely.
 */
#ifndef WARPSCOPE_LOG_WRITER_H
#define WARPSCOPE_LOG_WRITER_H

#include <string.h>

#include "log/logger.h"

struct log_writer {
    st_logger base;
    char *path; /* owned; path of the file; NULL: unknown */
    int (*write)(void *ctx, const void *data, size_t size);
    void *ctx;
    int fd; /* descriptor of the file; -1: none */
    size_t flush_entries;
    size_t gathered; /* number of entries in the buffer */
    double factor;   /* microseconds are time * factor, or time / divisor if that is not 0 */
    double divisor;
    bool any;    /* true if an entry was written */
    bool failed; /* true after a write error: nothing more is written */
    bool full;   /* true if memory is exhausted for the current entry */
    char *data;  /* owned; the buffer */
    size_t used, room;
    char **columns; /* owned; keys of the arguments that have CSV columns */
    size_t n_columns;
};

/* Creates a logger. kind: refers to the functions below, except for add, header and trailer. */
st_result writer_create(const struct log_kind *kind, const st_log_target *target,
                        const st_log_options *options, st_logger **logger);
st_result writer_start(struct log_writer *w); /* opens the file */
st_result writer_flush(struct log_writer *w);
st_result writer_finish(struct log_writer *w); /* flushes and closes the file */
void writer_free(st_logger *logger);
st_result writer_flush_logger(st_logger *logger);

/* Start and end an entry. writer_entry_begin() returns the position of the entry, an argument of
 * writer_entry_end(). The latter returns ST_OK, ST_IO (also after an earlier write error), or
 * ST_NO_MEMORY. */
size_t writer_entry_begin(struct log_writer *w);
st_result writer_entry_end(struct log_writer *w, size_t begin);
/* Ends the header of the file, which begins at position begin. Returns ST_OK, or ST_NO_MEMORY after
 * closing the file. */
st_result writer_head_end(struct log_writer *w, size_t begin);

/* ---- Strings and numbers --------------------------------------------------------------------- */

/* Makes space for size more bytes. Returns false and sets full if memory is exhausted. */
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
/* Writes a number with 15 to 17 digits, the fewest that read back as the same number; or NaN, inf,
 * -inf. */
void put_f64(struct log_writer *w, double value);
/* Writes a JSON string with its quotes. */
void put_json_text(struct log_writer *w, const char *text);
/* put_json_args() writes the arguments as {"key":value,...}. It omits those for which is_left_out
 * returns true (NULL: none). */
typedef bool (*log_arg_test)(const struct log_writer *w, const st_log_arg *args, size_t i);
void put_json_args(struct log_writer *w, const st_log_arg *args, size_t n_args,
                   log_arg_test is_left_out);
/* Writes the value of an argument as plain text, not JSON. Returns false for a string, which the
 * caller formats. */
bool put_value(struct log_writer *w, const st_log_arg *arg);

#endif
