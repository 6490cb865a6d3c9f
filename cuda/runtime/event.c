/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events, and functions of the host that run in the order of a stream.
 */
#include "runtime/graph.h"
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int gpu_event_create(unsigned flags, struct gpu_event **event)
{
    struct gpu_device *device;
    TRY(gpu_current(&device));
    GPU_HOLD;
    struct gpu_event *e = gpu_handle_new(sizeof *e, GPU_EVENT);
    TRY(CHECK(e, GPU_OUT_OF_MEMORY));
    e->device = device;
    e->flags = flags;
    e->references = 1;
    *event = e;
    return GPU_OK;
}

int gpu_event_of(void *handle, struct gpu_event **event)
{
    *event = handle;
    return gpu_handle_known(handle, GPU_EVENT) ? GPU_OK : GPU_INVALID_HANDLE;
}

/* Removes a reference to an event. Frees the event if no reference is left. The caller holds the
 * lock. */
static void drop_event(struct gpu_event *event)
{
    assert(event->references > 0);
    if (--event->references > 0) {
        return;
    }
    if (event->point.stream) {
        gpu_stream_drop(event->point.stream);
    }
    gpu_capture_attach(&event->capture, &event->front, NULL);
    free(event);
}

int gpu_event_destroy(struct gpu_event *event)
{
    GPU_HOLD;
    gpu_handle_remove(event);
    drop_event(event);
    return GPU_OK;
}

struct mark {
    struct gpu_event *event;
    uint64_t ticket;
};

/* Stores the time at which the stream reached the event, unless the program has recorded the event
 * again in the meantime. */
static void reach(struct gpu_stream *stream, void *data, int failed)
{
    (void)failed;
    struct mark *mark = data;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    GPU_HOLD;
    struct gpu_event *event = mark->event;
    if (event->point.stream == stream && event->point.ticket == mark->ticket) {
        event->nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    drop_event(event);
}

int gpu_event_record(struct gpu_event *event, struct gpu_stream *stream)
{
    TRY(CHECK(event->device == stream->device, GPU_INVALID_HANDLE));
    struct mark *mark = malloc(sizeof *mark);
    TRY(CHECK(mark, GPU_OUT_OF_MEMORY));
    GPU_HOLD;
    assert(event->references > 0 && stream->references > 0);
    int code = gpu_capture_check(stream);
    if (stream->capture || code) {
        free(mark);
        return code ?: gpu_capture_record(event, stream);
    }
    gpu_capture_attach(&event->capture, &event->front, NULL);
    struct gpu_point before = event->point;
    uint64_t ticket = stream->issued + 1;
    *mark = (struct mark){event, ticket};
    event->references++;
    stream->references++;
    event->point = (struct gpu_point){stream, ticket};
    code = gpu_submit_locked(stream, gpu_work_new(GPU_NODE_EMPTY, reach, mark), NULL, true);
    if (code) {
        event->point = before;
        event->references--;
        stream->references--;
    } else if (before.stream) {
        gpu_stream_drop(before.stream);
    }
    return code;
}

int gpu_event_wait(struct gpu_event *event)
{
    TRY(CHECK(!event->capture, GPU_CAPTURED_EVENT));
    GPU_HOLD;
    if (event->point.stream) {
        gpu_wait_locked(event->point);
    }
    return gpu_failed(event->device);
}

/* Returns true if the stream has reached the point of an event. The caller holds the lock. */
static bool is_reached(const struct gpu_event *event)
{
    assert(!event->point.stream || event->point.stream->done <= event->point.stream->issued);
    return !event->point.stream || event->point.stream->done >= event->point.ticket;
}

int gpu_event_query(struct gpu_event *event)
{
    TRY(event->capture ? GPU_CAPTURED_EVENT : gpu_failed(event->device));
    GPU_HOLD;
    return is_reached(event) ? GPU_OK : GPU_NOT_READY;
}

int gpu_event_elapsed(struct gpu_event *begin, struct gpu_event *end, float *milliseconds)
{
    GPU_HOLD;
    if ((begin->flags | end->flags) & EVENT_DISABLE_TIMING || !begin->point.stream ||
        !end->point.stream) {
        return GPU_INVALID_HANDLE;
    }
    if (!is_reached(begin) || !is_reached(end)) {
        return GPU_NOT_READY;
    }
    *milliseconds = (float)((double)(end->nanoseconds - begin->nanoseconds) * 1e-6);
    return GPU_OK;
}

int gpu_stream_wait_event(struct gpu_stream *stream, struct gpu_event *event)
{
    GPU_HOLD;
    int code = gpu_capture_check(stream);
    if (event->capture || stream->capture) {
        return gpu_capture_join(stream, event);
    }
    return code || !event->point.stream
               ? code
               : gpu_submit_locked(stream, gpu_work_empty(GPU_NODE_EMPTY), &event->point, false);
}

struct call {
    void (*function)(void *);
    void (*callback)(void *, int, void *);
    void *handle, *user;
};

static void run_call(struct gpu_stream *stream, void *data, int failed)
{
    (void)stream;
    struct call *call = data;
    if (call->callback) {
        call->callback(call->handle, failed, call->user);
    } else {
        call->function(call->user);
    }
}

int gpu_host_work(void (*function)(void *), void *user, struct gpu_work **work)
{
    const struct call call = {.function = function, .user = user};
    return gpu_work_make(GPU_NODE_HOST, run_call, &call, sizeof call, work);
}

int gpu_host_callback(struct gpu_stream *stream, void *handle,
                      void (*function)(void *, int, void *), void *user)
{
    const struct call call = {.callback = function, .handle = handle, .user = user};
    struct gpu_work *work;
    return gpu_work_make(GPU_NODE_HOST, run_call, &call, sizeof call, &work)
               ?: gpu_submit(stream, work, true);
}
