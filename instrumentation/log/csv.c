/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.c - writes entries as CSV (RFC 4180): lines end with CRLF, and cells have quotes where
 * needed.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "log/writer.h"
#include "text/csv.h"

/* Completes the cell whose text begins at position `from` in the buffer: adds quotes if needed. */
static void cell_quote(struct log_writer *w, size_t from)
{
    assert(from <= w->used);
    size_t size = w->used - from;
    if (csv_max(size) > w->room - w->used && !writer_grow(w, csv_max(size))) {
        return;
    }
    char *text = w->data + from, *cell = w->data + w->used;
    size_t length = (size_t)(csv_write(cell, text, size) - cell);
    memmove(text, cell, length);
    w->used = from + length;
}

static void cell_put(struct log_writer *w, const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text);
    put_bytes(w, ",", 1);
    if (csv_max(size) <= w->room - w->used || writer_grow(w, csv_max(size))) {
        w->used = (size_t)(csv_write(w->data + w->used, text, size) - w->data);
    }
}

static void count_put(struct log_writer *w, uint64_t number)
{
    put_bytes(w, ",", 1);
    put_u64(w, number);
}

static bool key_is(const st_log_arg *arg, const char *key)
{
    return arg->key != NULL && strcmp(arg->key, key) == 0;
}

/* Returns the first of the arguments args whose key is the name of the column; NULL: none. */
static const st_log_arg *arg_of(const st_log_arg *args, size_t n_args, const char *column)
{
    for (size_t i = 0; i < n_args; i++) {
        if (key_is(&args[i], column)) {
            return &args[i];
        }
    }
    return NULL;
}

/* Returns true if the argument at index i has a column of its own. */
static bool has_column(const struct log_writer *w, const st_log_arg *args, size_t i)
{
    for (size_t c = 0; c < w->n_columns; c++) {
        if (key_is(&args[i], w->columns[c])) {
            /* A second argument with the same key has no column. */
            return arg_of(args, i, w->columns[c]) == NULL;
        }
    }
    return false;
}

static void columns_put(struct log_writer *w, const st_log_entry *e)
{
    for (size_t c = 0; c < w->n_columns; c++) {
        const st_log_arg *arg = arg_of(e->args, e->n_args, w->columns[c]);
        put_bytes(w, ",", 1);
        size_t from = w->used;
        if (arg != NULL && !put_value(w, arg)) {
            put_text(w, arg->value.text == NULL ? "" : arg->value.text);
        }
        cell_quote(w, from);
    }
}

static void args_put(struct log_writer *w, const st_log_entry *e)
{
    bool any = false;
    for (size_t i = 0; i < e->n_args && !any; i++) {
        any = !has_column(w, e->args, i);
    }
    put_bytes(w, ",", 1);
    if (any) {
        size_t from = w->used;
        put_json_args(w, e->args, e->n_args, has_column);
        cell_quote(w, from);
    }
}

static st_result csv_start(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    st_result result = writer_start(logger);
    if (result == ST_OK) {
        size_t begin = writer_entry_begin(w);
        put_text(w, "time,duration,phase,name,category,pid,tid,id,scope,level");
        for (size_t c = 0; c < w->n_columns; c++) {
            cell_put(w, w->columns[c]);
        }
        put_text(w, ",args\r\n");
        result = writer_head_end(w, begin);
    }
    return result;
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
    count_put(w, e->pid);
    count_put(w, e->tid);
    count_put(w, e->id);
    cell_put(w, scope);
    put_bytes(w, ",", 1);
    put_i64(w, e->level);
    columns_put(w, e);
    args_put(w, e);
    put_text(w, "\r\n");
    return writer_entry_end(w, begin);
}

/* Returns ST_OK if the options have no columns, or columns with distinct non-empty names; otherwise
 * ST_INVALID. */
static st_result columns_check(const st_log_options *options)
{
    size_t n = options == NULL ? 0 : options->n_columns;
    if (n > 0 && options->columns == NULL) {
        return ST_INVALID;
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = options->columns[i];
        if (name == NULL || name[0] == '\0') {
            return ST_INVALID;
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(options->columns[j], name) == 0) {
                return ST_INVALID;
            }
        }
    }
    return ST_OK;
}

/* Copies the names of the columns from options to the logger. Returns false if memory is
 * exhausted. */
static bool columns_copy(st_logger *logger, const st_log_options *options)
{
    assert(options != NULL);
    struct log_writer *w = (struct log_writer *)(void *)logger;
    w->columns = calloc(options->n_columns + 1, sizeof(*w->columns));
    while (w->columns != NULL && w->n_columns < options->n_columns) {
        char *copy = strdup(options->columns[w->n_columns]);
        if (copy == NULL) {
            return false;
        }
        w->columns[w->n_columns++] = copy;
    }
    return w->columns != NULL;
}

st_result st_log_csv_create(const st_log_target *target, const st_log_options *options,
                            st_logger **logger)
{
    static const struct log_kind kind = {.start = csv_start,
                                         .add = csv_add,
                                         .flush = writer_flush,
                                         .finish = writer_finish,
                                         .free = writer_free};
    st_result result = columns_check(options);
    result = result == ST_OK ? writer_create(&kind, target, options, logger) : result;
    if (result == ST_OK && options != NULL && !columns_copy(*logger, options)) {
        st_logger_destroy(*logger);
        result = ST_NO_MEMORY;
    }
    return result;
}
