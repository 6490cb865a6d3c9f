/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies and fills, in the order of a stream.
 */
#include "runtime/graph.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size in bytes of an asynchronous copy that reads its pageable source before it
 * returns. */
enum { STAGED_MAX = 1 << 20 };

/* Returns the number of bytes from the first to the last byte of an area, inclusive. */
static size_t span(size_t width, size_t height, size_t depth, size_t pitch, size_t slice)
{
    assert(width > 0 && height > 0 && depth > 0);
    return (depth - 1) * slice + (height - 1) * pitch + width;
}

static void copy_area(const struct gpu_copy *c)
{
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++) {
            uint64_t to = c->to + z * c->to_slice + y * c->to_pitch;
            uint64_t from = c->from + z * c->from_slice + y * c->from_pitch;
            memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, c->width);
        }
    }
}

static void run_copy(struct gpu_stream *stream, void *data, int failed)
{
    (void)stream, (void)failed;
    copy_area(data);
}

/* Returns true if all bytes of an area lie in the same allocation or variable. Sets *inside to true
 * if the first byte lies in any, and *pinned to true if that byte is in host or managed memory. */
static bool covers(uint64_t address, size_t bytes, bool *inside, bool *pinned)
{
    struct gpu_allocation a;
    *inside = gpu_find(address, &a, NULL);
    assert(!*inside || address - a.address < a.bytes);
    *pinned = *inside && a.kind != GPU_MEMORY_DEVICE;
    return *inside && bytes <= a.address + a.bytes - address;
}

static int check(const struct gpu_copy *c, bool *from_pageable, bool *to_pageable)
{
    size_t to_bytes = span(c->width, c->height, c->depth, c->to_pitch, c->to_slice);
    size_t from_bytes = span(c->width, c->height, c->depth, c->from_pitch, c->from_slice);
    bool to_inside, from_inside, to_pinned, from_pinned;
    TRY(CHECK(c->kind >= COPY_HOST_HOST && c->kind <= COPY_DEFAULT, GPU_INVALID_DIRECTION));
    TRY(NEED(c->to && c->from));
    bool to_fits = covers(c->to, to_bytes, &to_inside, &to_pinned);
    bool from_fits = covers(c->from, from_bytes, &from_inside, &from_pinned);
    bool to_device = c->kind == COPY_HOST_DEVICE || c->kind == COPY_DEVICE_DEVICE;
    bool from_device = c->kind == COPY_DEVICE_HOST || c->kind == COPY_DEVICE_DEVICE;
    bool is_cut = (to_inside && !to_fits) || (from_inside && !from_fits);
    bool is_outside = (to_device && !to_inside) || (from_device && !from_inside);
    bool is_device = c->kind != COPY_DEFAULT && ((!to_device && to_inside && !to_pinned) ||
                                                 (!from_device && from_inside && !from_pinned));
    TRY(NEED(!is_cut && !is_outside && !is_device));
    *from_pageable = !from_inside;
    *to_pageable = !to_inside;
    return GPU_OK;
}

/* Sets *work to a copy that contains the source data, so that the program may change the source at
 * once. */
static int stage(const struct gpu_copy *c, size_t bytes, struct gpu_work **work)
{
    assert(bytes <= STAGED_MAX && bytes == c->width * c->height * c->depth);
    struct gpu_copy *task = malloc(sizeof *task + bytes);
    TRY(CHECK(task, GPU_OUT_OF_MEMORY));
    *task = *c;
    task->from = (uint64_t)(uintptr_t)(task + 1);
    task->from_pitch = c->width;
    task->from_slice = c->width * c->height;
    struct gpu_copy now = *c;
    now.to = task->from;
    now.to_pitch = task->from_pitch;
    now.to_slice = task->from_slice;
    copy_area(&now);
    *work = gpu_work_new(GPU_NODE_COPY, run_copy, task);
    return CHECK(*work, GPU_OUT_OF_MEMORY);
}

int gpu_copy_work(const struct gpu_copy *copy, struct gpu_work **work)
{
    bool from_pageable, to_pageable;
    bool empty = copy->width == 0 || copy->height == 0 || copy->depth == 0;
    TRY(NEED(!empty) ?: check(copy, &from_pageable, &to_pageable));
    return gpu_work_make(GPU_NODE_COPY, run_copy, copy, sizeof *copy, work);
}

/* Submits work, and waits for it if `wait` is true. */
static int submit(struct gpu_stream *stream, struct gpu_work *work, bool wait)
{
    int code = gpu_submit(stream, work, false);
    return code || !wait ? code : gpu_stream_wait(stream);
}

int gpu_copy(struct gpu_stream *stream, const struct gpu_copy *copy, bool wait)
{
    bool from_pageable, to_pageable;
    int code = gpu_failed(stream->device);
    if (code || copy->width == 0 || copy->height == 0 || copy->depth == 0) {
        return code;
    }
    TRY(check(copy, &from_pageable, &to_pageable));
    size_t bytes = copy->width * copy->height * copy->depth;
    struct gpu_work *work;
    bool at_once = !wait && !stream->capture;
    bool staged = at_once && from_pageable && !to_pageable && bytes <= STAGED_MAX;
    wait = wait || (at_once && !staged && (from_pageable || to_pageable));
    return (staged ? stage(copy, bytes, &work)
                   : gpu_work_make(GPU_NODE_COPY, run_copy, copy, sizeof *copy, &work))
               ?: submit(stream, work, wait);
}

static void run_fill(struct gpu_stream *stream, void *data, int failed)
{
    (void)stream, (void)failed;
    const struct gpu_fill *f = data;
    for (size_t z = 0; z < f->depth; z++) {
        for (size_t y = 0; y < f->height; y++) {
            unsigned char *row = (unsigned char *)(uintptr_t)(f->to + z * f->slice + y * f->pitch);
            if (f->unit == 1) {
                memset(row, (int)(f->value & 0xff), f->width);
            }
            for (size_t x = 0; f->unit > 1 && x < f->width; x++) {
                memcpy(row + x * f->unit, &f->value, f->unit);
            }
        }
    }
}

static bool is_empty(const struct gpu_fill *fill)
{
    return fill->width == 0 || fill->height == 0 || fill->depth == 0;
}

int gpu_fill_work(const struct gpu_fill *fill, struct gpu_work **work)
{
    bool inside, pinned;
    assert(fill->unit == 1 || fill->unit == 2 || fill->unit == 4);
    TRY(NEED(!is_empty(fill)));
    size_t bytes =
        span(fill->width * fill->unit, fill->height, fill->depth, fill->pitch, fill->slice);
    TRY(NEED(covers(fill->to, bytes, &inside, &pinned) && fill->to % fill->unit == 0));
    return gpu_work_make(GPU_NODE_FILL, run_fill, fill, sizeof *fill, work);
}

int gpu_fill(struct gpu_stream *stream, const struct gpu_fill *fill, bool wait)
{
    struct gpu_work *work;
    int code = gpu_failed(stream->device);
    return code || is_empty(fill) ? code : gpu_fill_work(fill, &work) ?: submit(stream, work, wait);
}
