/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Streams and events of the runtime interface.
 */
#include "runtime/api.h"
#include <assert.h>

int cudaStreamCreateWithPriority(void **handle, unsigned flags, int priority)
{
    struct gpu_device *device;
    struct gpu_stream *stream = NULL;
    int code =
        handle && flags <= STREAM_NON_BLOCKING ? gpu_device_ready(&device) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_stream_create(device, flags, priority, &stream);
    }
    if (!code) {
        *handle = stream;
    }
    return done(code);
}

int cudaStreamCreate(void **handle)
{
    return cudaStreamCreateWithPriority(handle, 0, 0);
}

int cudaStreamCreateWithFlags(void **handle, unsigned flags)
{
    return cudaStreamCreateWithPriority(handle, flags, 0);
}

int cudaStreamDestroy(void *handle)
{
    struct gpu_stream *stream;
    if (!handle || handle == STREAM_LEGACY || handle == STREAM_PER_THREAD) {
        return done(GPU_INVALID_HANDLE);
    }
    int code = gpu_stream_of(handle, &stream);
    return done(code ? code : gpu_stream_destroy(stream));
}

int cudaStreamSynchronize(void *handle)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    return done(code ? code : gpu_stream_wait(stream));
}
PER_THREAD(cudaStreamSynchronize, _ptsz, (void *handle), (handle))

int cudaStreamQuery(void *handle)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    return done(code ? code : gpu_stream_query(stream));
}
PER_THREAD(cudaStreamQuery, _ptsz, (void *handle), (handle))

int cudaStreamGetPriority(void *handle, int *priority)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    if (!code) {
        *priority = stream->priority;
    }
    return done(code);
}
PER_THREAD(cudaStreamGetPriority, _ptsz, (void *handle, int *priority), (handle, priority))

int cudaStreamGetFlags(void *handle, unsigned *flags)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    if (!code) {
        *flags = stream->flags;
    }
    return done(code);
}
PER_THREAD(cudaStreamGetFlags, _ptsz, (void *handle, unsigned *flags), (handle, flags))

int cudaStreamGetId(void *handle, unsigned long long *number)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    if (!code) {
        *number = stream->number;
    }
    return done(code);
}
PER_THREAD(cudaStreamGetId, _ptsz, (void *handle, unsigned long long *number), (handle, number))

int cudaStreamGetDevice(void *handle, int *number)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    if (!code) {
        *number = stream->device->number;
    }
    return done(code);
}
PER_THREAD(cudaStreamGetDevice, _ptsz, (void *handle, int *number), (handle, number))

int cudaStreamWaitEvent(void *handle, void *event, unsigned flags)
{
    struct gpu_stream *stream;
    struct gpu_event *e;
    (void)flags;
    int code = gpu_stream_of(handle, &stream);
    if (!code) {
        code = gpu_event_of(event, &e);
    }
    return done(code ? code : gpu_stream_wait_event(stream, e));
}
PER_THREAD(cudaStreamWaitEvent, _ptsz, (void *handle, void *event, unsigned flags),
           (handle, event, flags))

int cudaStreamAddCallback(void *handle, void (*callback)(void *, int, void *), void *user,
                          unsigned flags)
{
    struct gpu_stream *stream;
    int code = callback && flags == 0 ? gpu_stream_of(handle, &stream) : GPU_INVALID_VALUE;
    return done(code ? code : gpu_host_callback(stream, handle, callback, user));
}
PER_THREAD(cudaStreamAddCallback, _ptsz,
           (void *handle, void (*callback)(void *, int, void *), void *user, unsigned flags),
           (handle, callback, user, flags))

int cudaLaunchHostFunc(void *handle, void (*function)(void *), void *user)
{
    struct gpu_stream *stream;
    int code = function ? gpu_stream_of(handle, &stream) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_failed(stream->device);
    }
    return done(code ? code : gpu_host_function(stream, function, user));
}
PER_THREAD(cudaLaunchHostFunc, _ptsz, (void *handle, void (*function)(void *), void *user),
           (handle, function, user))

int cudaStreamIsCapturing(void *handle, int *status)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    if (!code) {
        *status = 0;
    }
    return done(code);
}
PER_THREAD(cudaStreamIsCapturing, _ptsz, (void *handle, int *status), (handle, status))

/* Streams are never captured. The mode is only stored, for programs that read it back. */
int gpu_exchange_capture_mode(int *mode)
{
    struct gpu_thread *t = gpu_thread();
    if (!mode || *mode < 0 || *mode > 2) {
        return GPU_INVALID_VALUE;
    }
    int before = t->capture_mode;
    assert(before >= 0 && before <= 2);
    t->capture_mode = *mode;
    *mode = before;
    return GPU_OK;
}

int cudaThreadExchangeStreamCaptureMode(int *mode)
{
    return done(gpu_exchange_capture_mode(mode));
}

/* ---- Events ---------------------------------------------------------------------------------------------------- */

int cudaEventCreateWithFlags(void **handle, unsigned flags)
{
    struct gpu_event *event = NULL;
    if (!handle || flags > 7) {
        return done(GPU_INVALID_VALUE);
    }
    int code = gpu_event_create(flags, &event);
    if (!code) {
        *handle = event;
    }
    return done(code);
}

int cudaEventCreate(void **handle)
{
    return cudaEventCreateWithFlags(handle, 0);
}

int cudaEventDestroy(void *handle)
{
    struct gpu_event *event;
    int code = gpu_event_of(handle, &event);
    return done(code ? code : gpu_event_destroy(event));
}

int cudaEventRecordWithFlags(void *handle, void *stream, unsigned flags)
{
    struct gpu_event *event;
    struct gpu_stream *s;
    (void)flags;
    int code = gpu_event_of(handle, &event);
    if (!code) {
        code = gpu_stream_of(stream, &s);
    }
    return done(code ? code : gpu_event_record(event, s));
}
PER_THREAD(cudaEventRecordWithFlags, _ptsz, (void *handle, void *stream, unsigned flags),
           (handle, stream, flags))

int cudaEventRecord(void *handle, void *stream)
{
    return cudaEventRecordWithFlags(handle, stream, 0);
}
PER_THREAD(cudaEventRecord, _ptsz, (void *handle, void *stream), (handle, stream))

int cudaEventQuery(void *handle)
{
    struct gpu_event *event;
    int code = gpu_event_of(handle, &event);
    return done(code ? code : gpu_event_query(event));
}

int cudaEventSynchronize(void *handle)
{
    struct gpu_event *event;
    int code = gpu_event_of(handle, &event);
    return done(code ? code : gpu_event_wait(event));
}

int cudaEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    struct gpu_event *b, *e;
    int code = milliseconds ? gpu_event_of(begin, &b) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_event_of(end, &e);
    }
    return done(code ? code : gpu_event_elapsed(b, e, milliseconds));
}
