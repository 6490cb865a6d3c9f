/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.c - the output buffer of loggers, for a file or a function, see writer.h.
 *
 * Invariants
 *  W1  used <= room.
 *  W2  Outside of an entry, the buffer holds complete entries only.
 *  W3  If failed is true, the buffer is empty and stays empty.
 */
#include "log/writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/trust.h"
#include "files/write_all.h"

#define BUFFER_SIZE ((size_t)64 << 10)

/* ---- Creation and release -------------------------------------------------------------------- */

/* Sets the conversion of times to microseconds. If possible, times are multiplied or divided by an
 * integer, so that 1234567 ns give exactly 1234.567 us. */
static void unit_set(struct log_writer *w, double unit_s)
{
    double factor = unit_s * 1e6, whole = round(factor);
    w->factor = fabs(factor - whole) < 1e-9 * factor && whole >= 1 ? whole : factor;
    if (factor < 1) {
        double divisor = 1 / factor;
        whole = round(divisor);
        w->divisor = fabs(divisor - whole) < 1e-9 * divisor ? whole : divisor;
    }
}

st_result writer_create(const struct log_kind *kind, const st_log_target *target,
                        const st_log_options *options, st_logger **logger)
{
    double unit_s = options == NULL || options->unit_s == 0 ? 1 : options->unit_s;
    if (logger == NULL || target == NULL || (target->path == NULL && target->write == NULL) ||
        !(unit_s > 0 && unit_s <= 1e12)) {
        return ST_INVALID;
    }
    st_result result = log_create(kind, sizeof(struct log_writer), logger);
    if (result != ST_OK) {
        return result;
    }
    struct log_writer *w = (struct log_writer *)(void *)*logger;
    w->write = target->write;
    w->ctx = target->ctx;
    w->fd = -1;
    w->flush_entries = options == NULL ? 0 : options->flush_entries;
    unit_set(w, unit_s);
    w->path = target->path == NULL ? NULL : strdup(target->path);
    if (target->path != NULL && w->path == NULL) {
        free(w);
        *logger = NULL;
        return ST_NO_MEMORY;
    }
    return ST_OK;
}

static st_result no_memory(struct log_writer *w)
{
    return log_fail(&w->base, ST_NO_MEMORY, w->path, "out of memory", 0);
}

st_result writer_start(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    if (w->data == NULL) {
        w->data = malloc(BUFFER_SIZE);
        w->room = w->data == NULL ? 0 : BUFFER_SIZE;
    }
    if (w->data == NULL) {
        return no_memory(w);
    }
    if (w->write == NULL) {
        char why[TRUST_WHY_MAX], what[TRUST_WHY_MAX + 16];
        w->fd =
            trust_open(TRUST_WRITE, w->path, O_WRONLY | O_CREAT | O_TRUNC, 0666, why, sizeof why);
        if (w->fd < 0) {
            snprintf(what, sizeof what, "cannot create: %s", why);
            return log_fail(&w->base, ST_IO, w->path, what, 0);
        }
    }
    return ST_OK;
}

void writer_free(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    if (w->fd >= 0) {
        close(w->fd);
    }
    for (size_t i = 0; i < w->n_columns; i++) {
        free(w->columns[i]);
    }
    free(w->columns);
    free(w->path);
    free(w->data);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static int bytes_write(struct log_writer *w, const char *data, size_t size)
{
    assert(w->write != NULL || w->fd >= 0);
    return w->write != NULL ? w->write(w->ctx, data, size) : write_all(w->fd, data, size);
}

st_result writer_flush(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    assert(w->used <= w->room);
    if (w->failed) {
        return ST_IO;
    }
    int why = w->used == 0 ? 0 : bytes_write(w, w->data, w->used);
    if (why != 0) {
        /* The entries in the buffer have been counted as written, but are lost. */
        w->failed = true;
        w->base.lost += w->gathered;
        w->base.entries -= w->gathered;
    }
    w->used = 0;
    w->gathered = 0;
    return why == 0 ? ST_OK : log_fail(&w->base, ST_IO, w->path, "cannot write", why);
}

st_result writer_finish(st_logger *logger)
{
    struct log_writer *w = (struct log_writer *)(void *)logger;
    st_result result = writer_flush(logger);
    if (w->fd >= 0 && close(w->fd) != 0 && result == ST_OK) {
        result = log_fail(&w->base, ST_IO, w->path, "cannot write", errno);
    }
    w->fd = -1;
    return result;
}

size_t writer_entry_begin(struct log_writer *w)
{
    w->full = false;
    return w->used;
}

st_result writer_head_end(struct log_writer *w, size_t begin)
{
    assert(begin <= w->used);
    if (!w->full) {
        return ST_OK;
    }
    w->used = begin;
    if (w->fd >= 0) {
        close(w->fd);
        w->fd = -1;
    }
    return no_memory(w);
}

st_result writer_entry_end(struct log_writer *w, size_t begin)
{
    assert(w->failed || begin <= w->used);
    if (w->failed || w->full) {
        w->used = w->failed ? 0 : begin;
        return w->failed ? ST_IO : no_memory(w);
    }
    w->any = true;
    if (w->used < BUFFER_SIZE / 4 * 3 &&
        (w->flush_entries == 0 || w->gathered + 1 < w->flush_entries)) {
        w->gathered++;
        return ST_OK;
    }
    /* Writes the earlier entries and this one; the caller counts this one. */
    return writer_flush(&w->base);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

bool writer_grow(struct log_writer *w, size_t size)
{
    assert(size > w->room - w->used);
    size_t room = w->room;
    while (room - w->used < size && room <= SIZE_MAX / 2) {
        room *= 2;
    }
    char *grown = w->full || room - w->used < size ? NULL : realloc(w->data, room);
    if (grown == NULL) {
        w->full = true;
        return false;
    }
    w->data = grown;
    w->room = room;
    return true;
}
