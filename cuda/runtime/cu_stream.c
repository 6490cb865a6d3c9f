/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Streams and events of the driver interface.
 */
#include "runtime/api.h"
#include "runtime/driver.h"

int driver_stream(void *handle, struct gpu_stream **stream)
{
    struct gpu_device *device;
    int code = driver_device(&device);
    return code ? code : gpu_stream_of(handle, stream);
}

int cuStreamCreateWithPriority(void **handle, unsigned flags, int priority)
{
    struct gpu_device *device;
    struct gpu_stream *stream = NULL;
    int code = handle && flags <= STREAM_NON_BLOCKING ? driver_device(&device) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_stream_create(device, flags, priority, &stream);
    }
    if (!code) {
        *handle = stream;
    }
    return code;
}

int cuStreamCreate(void **handle, unsigned flags)
{
    return cuStreamCreateWithPriority(handle, flags, 0);
}

int cuStreamDestroy_v2(void *handle)
{
    struct gpu_stream *stream;
    if (!handle || handle == STREAM_LEGACY || handle == STREAM_PER_THREAD) {
        return GPU_INVALID_HANDLE;
    }
    int code = gpu_stream_of(handle, &stream);
    return code ? code : gpu_stream_destroy(stream);
}

int cuStreamSynchronize(void *handle)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    return code ? code : gpu_stream_wait(stream);
}
PER_THREAD(cuStreamSynchronize, _ptsz, (void *handle), (handle))

int cuStreamQuery(void *handle)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    return code ? code : gpu_stream_query(stream);
}
PER_THREAD(cuStreamQuery, _ptsz, (void *handle), (handle))

int cuStreamGetPriority(void *handle, int *priority)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    if (!code) {
        *priority = stream->priority;
    }
    return code;
}
PER_THREAD(cuStreamGetPriority, _ptsz, (void *handle, int *priority), (handle, priority))

int cuStreamGetFlags(void *handle, unsigned *flags)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    if (!code) {
        *flags = stream->flags;
    }
    return code;
}
PER_THREAD(cuStreamGetFlags, _ptsz, (void *handle, unsigned *flags), (handle, flags))

int cuStreamGetId(void *handle, unsigned long long *number)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    if (!code) {
        *number = stream->number;
    }
    return code;
}
PER_THREAD(cuStreamGetId, _ptsz, (void *handle, unsigned long long *number), (handle, number))

int cuStreamGetDevice(void *handle, int *number)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    if (!code) {
        *number = stream->device->number;
    }
    return code;
}
PER_THREAD(cuStreamGetDevice, _ptsz, (void *handle, int *number), (handle, number))

int cuStreamGetCtx(void *handle, void **context)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    if (!code) {
        *context = &stream->device->primary;
    }
    return code;
}
PER_THREAD(cuStreamGetCtx, _ptsz, (void *handle, void **context), (handle, context))

int cuStreamWaitEvent(void *handle, void *event, unsigned flags)
{
    struct gpu_stream *stream;
    struct gpu_event *e;
    (void)flags;
    int code = driver_stream(handle, &stream);
    if (!code) {
        code = gpu_event_of(event, &e);
    }
    return code ? code : gpu_stream_wait_event(stream, e);
}
PER_THREAD(cuStreamWaitEvent, _ptsz, (void *handle, void *event, unsigned flags),
           (handle, event, flags))

int cuStreamAddCallback(void *handle, void (*callback)(void *, int, void *), void *user,
                        unsigned flags)
{
    struct gpu_stream *stream;
    int code = callback && flags == 0 ? driver_stream(handle, &stream) : GPU_INVALID_VALUE;
    return code ? code : gpu_host_callback(stream, handle, callback, user);
}
PER_THREAD(cuStreamAddCallback, _ptsz,
           (void *handle, void (*callback)(void *, int, void *), void *user, unsigned flags),
           (handle, callback, user, flags))

int cuLaunchHostFunc(void *handle, void (*function)(void *), void *user)
{
    struct gpu_stream *stream;
    int code = function ? driver_stream(handle, &stream) : GPU_INVALID_VALUE;
    return code ? code : gpu_host_function(stream, function, user);
}
PER_THREAD(cuLaunchHostFunc, _ptsz, (void *handle, void (*function)(void *), void *user),
           (handle, function, user))

int cuStreamIsCapturing(void *handle, int *status)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    if (!code) {
        *status = 0;
    }
    return code;
}
PER_THREAD(cuStreamIsCapturing, _ptsz, (void *handle, int *status), (handle, status))

int cuThreadExchangeStreamCaptureMode(int *mode)
{
    return gpu_exchange_capture_mode(mode);
}

/* ---- Events ---------------------------------------------------------------------------------------------------- */

int cuEventCreate(void **handle, unsigned flags)
{
    struct gpu_device *device;
    struct gpu_event *event = NULL;
    int code = handle && flags <= 7 ? driver_device(&device) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_event_create(flags, &event);
    }
    if (!code) {
        *handle = event;
    }
    return code;
}

int cuEventDestroy_v2(void *handle)
{
    struct gpu_event *event;
    int code = gpu_event_of(handle, &event);
    return code ? code : gpu_event_destroy(event);
}

int cuEventRecordWithFlags(void *handle, void *stream, unsigned flags)
{
    struct gpu_event *event;
    struct gpu_stream *s;
    (void)flags;
    int code = gpu_event_of(handle, &event);
    if (!code) {
        code = driver_stream(stream, &s);
    }
    return code ? code : gpu_event_record(event, s);
}
PER_THREAD(cuEventRecordWithFlags, _ptsz, (void *handle, void *stream, unsigned flags),
           (handle, stream, flags))

int cuEventRecord(void *handle, void *stream)
{
    return cuEventRecordWithFlags(handle, stream, 0);
}
PER_THREAD(cuEventRecord, _ptsz, (void *handle, void *stream), (handle, stream))

int cuEventQuery(void *handle)
{
    struct gpu_event *event;
    int code = gpu_event_of(handle, &event);
    return code ? code : gpu_event_query(event);
}

int cuEventSynchronize(void *handle)
{
    struct gpu_event *event;
    int code = gpu_event_of(handle, &event);
    return code ? code : gpu_event_wait(event);
}

int cuEventElapsedTime_v2(float *milliseconds, void *begin, void *end)
{
    struct gpu_event *b, *e;
    int code = milliseconds ? gpu_event_of(begin, &b) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_event_of(end, &e);
    }
    return code ? code : gpu_event_elapsed(b, e, milliseconds);
}

int cuEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    return cuEventElapsedTime_v2(milliseconds, begin, end);
}
