/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.h - parts common to loggers that write to a file or a function: the output buffer, and the
 * formatting of strings and numbers (internal to log/).
 *
 * Each entry is formatted in the buffer. writer_entry_end() writes the buffer to its destination if
 * the buffer is nearly full or holds enough entries. If memory is exhausted, the whole entry is
 * removed from the buffer.
 */
#ifndef WARPSCOPE_LOG_WRITER_H
#define WARPSCOPE_LOG_WRITER_H

#include <string.h>

#include "log/logger.h"

/* A short text that was written as JSON before. */
struct log_text {
    char text[24]; /* ends with zeros */
    char json[31];
    uint8_t size; /* of json; 0: none */
};
#define LOG_TEXTS 64u

struct log_writer {
    st_logger base;
    char *path; /* owned; path of the file; NULL: the destination is a function */
    int (*write)(void *ctx, const void *data, size_t size);
    void *ctx;
    int fd; /* descriptor of the open file; -1: none */
    size_t flush_entries;
    size_t gathered; /* number of entries in the buffer */
    /* Conversion of times from the caller's unit to microseconds: time / divisor if divisor is not
     * 0, otherwise time * factor. */
    double factor;
    double divisor;
    bool any;    /* true once an entry has been written */
    bool failed; /* true after a write error: nothing more is written */
    bool full;   /* true if memory is exhausted for the current entry */
    char *data;  /* owned; the buffer, of which `used` of `room` bytes are filled */
    size_t used, room;
    /* [hash of the address of a text]: the last short text that was there, since names and keys are
     * written again and again. */
    struct log_text texts[LOG_TEXTS];
    char **columns; /* owned; keys of the arguments that have CSV columns of their own */
    size_t n_columns;
};

/* Creates a logger in *logger. kind->flush and kind->free must be the functions below; kind->start
 * and kind->finish must be writer_start() and writer_finish(), or call them. Returns ST_OK,
 * ST_INVALID or ST_NO_MEMORY. */
st_result writer_create(const struct log_kind *kind, const st_log_target *target,
                        const st_log_options *options, st_logger **logger);
st_result writer_start(st_logger *logger); /* opens the file, allocates the buffer */
st_result writer_flush(st_logger *logger);
st_result writer_finish(st_logger *logger); /* writes the buffer, closes the file */
void writer_free(st_logger *logger);

/* These functions enclose the output of an entry. writer_entry_begin() returns the position of the
 * entry in the buffer, which is the argument `begin` of writer_entry_end(). The latter returns
 * ST_OK, ST_IO (also after an earlier write error), or ST_NO_MEMORY. */
size_t writer_entry_begin(struct log_writer *w);
st_result writer_entry_end(struct log_writer *w, size_t begin);
/* Ends the output of the header of the file, which begins at position begin in the buffer. Returns
 * ST_OK; if memory is exhausted, closes the file and returns ST_NO_MEMORY. */
st_result writer_head_end(struct log_writer *w, size_t begin);

/* ---- Strings and numbers --------------------------------------------------------------------- */

/* Makes space in the buffer for size more bytes. If memory is exhausted, sets w->full and returns
 * false. */
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
/* Writes a finite number with the fewest digits, 15 to 17, that read back as the same number.
 * Writes other values as NaN, inf or -inf. */
void put_f64(struct log_writer *w, double value);
/* Writes text as a JSON string, with its quotes. */
void put_json_text(struct log_writer *w, const char *text);
/* Test for put_json_args(): returns true if the object omits the argument at index i. */
typedef bool (*log_arg_test)(const struct log_writer *w, const st_log_arg *args, size_t i);
/* Writes the arguments as a JSON object. is_left_out selects arguments to omit; NULL: none is
 * omitted. */
void put_json_args(struct log_writer *w, const st_log_arg *args, size_t n_args,
                   log_arg_test is_left_out);
/* Writes the value of an argument as plain text, not JSON. If the value is a string, writes nothing
 * and returns false: the caller formats the string. */
bool put_value(struct log_writer *w, const st_log_arg *arg);

#endif
