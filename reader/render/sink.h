/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sink.h - a buffer in front of a stdio stream or a file that a command writes. For many small
 * pieces, it is several times as fast as fwrite().
 *
 * Errors are those of the stream or file: check ferror(sink->out) after a flush.
 */
#ifndef WARPSCOPE_READER_RENDER_SINK_H
#define WARPSCOPE_READER_RENDER_SINK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A buffered output. The caller provides the storage, including the buffer, and calls
 * ws_sink_flush() before it uses the stream in another way. */
struct ws_sink {
    FILE *out; /* NULL: the function `write` gets the bytes */
    void (*write)(void *ctx, const void *bytes, size_t n);
    void *ctx;
    char *bytes;
    size_t used, size;
    bool no_memory; /* true if a large text was left out */
};

static inline void ws_sink_write(struct ws_sink *sink, const void *bytes, size_t n)
{
    if (sink->out != NULL) {
        fwrite(bytes, 1, n, sink->out);
    } else {
        sink->write(sink->ctx, bytes, n);
    }
}

static inline void ws_sink_flush(struct ws_sink *sink)
{
    if (sink->used > 0) {
        ws_sink_write(sink, sink->bytes, sink->used);
        sink->used = 0;
    }
}

/* Returns space for n bytes, at most sink->size. The caller writes to it, and then adds the number
 * of bytes written to sink->used. */
static inline char *ws_sink_room(struct ws_sink *sink, size_t n)
{
    if (sink->size - sink->used < n) {
        ws_sink_flush(sink);
    }
    return sink->bytes + sink->used;
}

static inline void ws_sink_char(struct ws_sink *sink, char c)
{
    *ws_sink_room(sink, 1) = c;
    sink->used++;
}

static inline void ws_sink_bytes(struct ws_sink *sink, const void *bytes, size_t n)
{
    if (n > sink->size) {
        ws_sink_flush(sink);
        ws_sink_write(sink, bytes, n);
    } else if (n > 0) {
        memcpy(ws_sink_room(sink, n), bytes, n);
        sink->used += n;
    }
}

static inline void ws_sink_text(struct ws_sink *sink, const char *text)
{
    ws_sink_bytes(sink, text, strlen(text));
}

#endif
