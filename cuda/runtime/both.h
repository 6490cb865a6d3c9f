/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that both interfaces have: streams, events, facts about devices and kernels.
 * cudart_both.c and cu_both.c include this file once each, and define before:
 *
 *     NAME(Function)        name of a function: cudaFunction or cuFunction
 *     NAME_V2(Function)     name of a function that the driver interface has in version 2
 *     CONTEXT(Function)     name of a function of the current context
 *     CURRENT(&device)      sets device to that of the current context; returns 0 or an error code
 *     READY(&device)        the same; also returns the code of the device's fault
 *     STREAM(handle, &s)    sets s to the stream of a handle; returns 0 or an error code
 *     END(code)             the code to return to the program
 *     NO_KERNEL             error code for a handle that is not a kernel
 */
#ifndef NAME
#error "cudart_both.c and cu_both.c include this file"
#endif

/* ---- Streams --------------------------------------------------------------------------------- */

int NAME(StreamCreateWithPriority)(void **handle, unsigned flags, int priority)
{
    struct gpu_device *device;
    struct gpu_stream *stream = NULL;
    int code = handle && flags <= STREAM_NON_BLOCKING ? READY(&device) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_stream_create(device, flags, priority, &stream);
    }
    if (!code) {
        *handle = stream;
    }
    return END(code);
}

int NAME_V2(StreamDestroy)(void *handle)
{
    struct gpu_stream *stream;
    if (!handle || handle == STREAM_LEGACY || handle == STREAM_PER_THREAD) {
        return END(GPU_INVALID_HANDLE);
    }
    int code = gpu_stream_of(handle, &stream);
    return END(code ? code : gpu_stream_destroy(stream));
}

/* Defines a function that has the result of a call for a stream. */
#define STREAM_CALL(function, call)                                                                \
    PER_THREAD(NAME(function), _ptsz, (void *handle), (handle))                                    \
    {                                                                                              \
        struct gpu_stream *stream;                                                                 \
        int code = STREAM(handle, &stream);                                                        \
        return END(code ? code : call(stream));                                                    \
    }
STREAM_CALL(StreamSynchronize, gpu_stream_wait)
STREAM_CALL(StreamQuery, gpu_stream_query)

/* Defines a function that stores a fact about a stream. */
#define STREAM_FACT(function, type, fact)                                                          \
    PER_THREAD(NAME(function), _ptsz, (void *handle, type *value), (handle, value))                \
    {                                                                                              \
        struct gpu_stream *stream;                                                                 \
        int code = STREAM(handle, &stream);                                                        \
        if (!code) {                                                                               \
            *value = fact;                                                                         \
        }                                                                                          \
        return END(code);                                                                          \
    }
STREAM_FACT(StreamGetPriority, int, stream->priority)
STREAM_FACT(StreamGetFlags, unsigned, stream->flags)
STREAM_FACT(StreamGetId, unsigned long long, stream->number)
STREAM_FACT(StreamGetDevice, int, stream->device->number)
STREAM_FACT(StreamIsCapturing, int, 0) /* streams are never captured */

PER_THREAD(NAME(StreamWaitEvent), _ptsz, (void *handle, void *event, unsigned flags),
           (handle, event, flags))
{
    struct gpu_stream *stream;
    struct gpu_event *e;
    (void)flags;
    int code = STREAM(handle, &stream);
    if (!code) {
        code = gpu_event_of(event, &e);
    }
    return END(code ? code : gpu_stream_wait_event(stream, e));
}

PER_THREAD(NAME(StreamAddCallback), _ptsz,
           (void *handle, void (*callback)(void *, int, void *), void *user, unsigned flags),
           (handle, callback, user, flags))
{
    struct gpu_stream *stream;
    int code = callback && flags == 0 ? STREAM(handle, &stream) : GPU_INVALID_VALUE;
    return END(code ? code : gpu_host_callback(stream, handle, callback, user));
}

PER_THREAD(NAME(LaunchHostFunc), _ptsz, (void *handle, void (*function)(void *), void *user),
           (handle, function, user))
{
    struct gpu_stream *stream;
    int code = function ? STREAM(handle, &stream) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_failed(stream->device);
    }
    return END(code ? code : gpu_host_function(stream, function, user));
}

/* Streams are never captured. The mode is only stored, for programs that read it back. */
int NAME(ThreadExchangeStreamCaptureMode)(int *mode)
{
    struct gpu_thread *t = gpu_thread();
    if (!mode || *mode < 0 || *mode > 2) {
        return END(GPU_INVALID_VALUE);
    }
    int before = t->capture_mode;
    assert(before >= 0 && before <= 2);
    t->capture_mode = *mode;
    *mode = before;
    return GPU_OK;
}

/* ---- Events ---------------------------------------------------------------------------------- */

static int event_create(void **handle, unsigned flags)
{
    struct gpu_device *device;
    struct gpu_event *event = NULL;
    int code = handle && flags <= 7 ? CURRENT(&device) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_event_create(flags, &event);
    }
    if (!code) {
        *handle = event;
    }
    return END(code);
}

/* Defines a function that has the result of a call for an event. */
#define EVENT_CALL(name, call)                                                                     \
    int name(void *handle)                                                                         \
    {                                                                                              \
        struct gpu_event *event;                                                                   \
        int code = gpu_event_of(handle, &event);                                                   \
        return END(code ? code : call(event));                                                     \
    }
EVENT_CALL(NAME_V2(EventDestroy), gpu_event_destroy)
EVENT_CALL(NAME(EventQuery), gpu_event_query)
EVENT_CALL(NAME(EventSynchronize), gpu_event_wait)

PER_THREAD(NAME(EventRecordWithFlags), _ptsz, (void *handle, void *stream, unsigned flags),
           (handle, stream, flags))
{
    struct gpu_event *event;
    struct gpu_stream *s;
    (void)flags;
    int code = gpu_event_of(handle, &event);
    if (!code) {
        code = STREAM(stream, &s);
    }
    return END(code ? code : gpu_event_record(event, s));
}

PER_THREAD(NAME(EventRecord), _ptsz, (void *handle, void *stream), (handle, stream))
{
    return NAME(EventRecordWithFlags)(handle, stream, 0);
}

int NAME(EventElapsedTime)(float *milliseconds, void *begin, void *end)
{
    struct gpu_event *b, *e;
    int code = milliseconds ? gpu_event_of(begin, &b) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_event_of(end, &e);
    }
    return END(code ? code : gpu_event_elapsed(b, e, milliseconds));
}

/* ---- Devices --------------------------------------------------------------------------------- */

CONSTANT(NAME(DriverGetVersion), GPU_VERSION)

int NAME(DeviceGetAttribute)(int *value, int attribute, int number)
{
    struct gpu_device *device;
    int code = value ? gpu_device(number, &device) : GPU_INVALID_VALUE;
    return END(code ? code : gpu_attribute(device, attribute, value));
}

int NAME(DeviceGetPCIBusId)(char *id, int length, int number)
{
    if (!id || length < 13 || number < 0 || number >= gpu_device_count()) {
        return END(id && length >= 13 ? GPU_INVALID_DEVICE : GPU_INVALID_VALUE);
    }
    snprintf(id, (size_t)length, "0000:01:%02x.0", (unsigned)number & 0xff);
    return GPU_OK;
}

/* Sets *can to 0 for all devices: the interpreter checks accesses against the memory of one device
 * only. */
int NAME(DeviceCanAccessPeer)(int *can, int number, int peer)
{
    if (number < 0 || peer < 0 || number >= gpu_device_count() || peer >= gpu_device_count()) {
        return END(GPU_INVALID_DEVICE);
    }
    *can = 0;
    return GPU_OK;
}

static int limit_of(int limit, uint64_t **place)
{
    struct gpu_device *device;
    int code = CURRENT(&device);
    if (!code && (limit < 0 || limit >= GPU_LIMITS)) {
        code = GPU_UNSUPPORTED_LIMIT;
    }
    if (!code) {
        *place = &device->limits[limit];
    }
    return END(code);
}

int CONTEXT(GetLimit)(size_t *value, int limit)
{
    uint64_t *place;
    int code = limit_of(limit, &place);
    if (!code) {
        *value = *place;
    }
    return code;
}

int CONTEXT(SetLimit)(int limit, size_t value)
{
    uint64_t *place;
    int code = limit_of(limit, &place);
    if (!code) {
        *place = value;
    }
    return code;
}

CONSTANT(CONTEXT(GetCacheConfig), 0)
NO_EFFECT(CONTEXT(SetCacheConfig))

int CONTEXT(GetStreamPriorityRange)(int *least, int *greatest)
{
    if (least) {
        *least = 0;
    }
    if (greatest) {
        *greatest = -1;
    }
    return GPU_OK;
}

int NAME_V2(MemGetInfo)(size_t *available, size_t *total)
{
    struct gpu_device *device;
    int code = READY(&device);
    if (code) {
        return END(code);
    }
    gpu_lock();
    uint64_t used = device->used;
    gpu_unlock();
    if (available) {
        *available = used < device->memory ? device->memory - used : 0;
    }
    if (total) {
        *total = device->memory;
    }
    return GPU_OK;
}

NO_EFFECT(NAME(ProfilerStart))
NO_EFFECT(NAME(ProfilerStop))

/* ---- Kernels --------------------------------------------------------------------------------- */

int NAME(FuncGetName)(const char **name, const void *function)
{
    const struct gpu_kernel *k = gpu_kernel_of(function);
    if (!k || !name) {
        return END(k ? GPU_INVALID_VALUE : NO_KERNEL);
    }
    *name = k->name;
    return GPU_OK;
}

int NAME(FuncGetParamInfo)(const void *function, size_t index, size_t *offset, size_t *size)
{
    struct gpu_kernel *k = gpu_kernel_of(function);
    return END(k ? gpu_kernel_parameter(k, index, offset, size) : NO_KERNEL);
}

int NAME(FuncSetAttribute)(const void *function, int attribute, int value)
{
    struct gpu_kernel *k = gpu_kernel_of(function);
    return END(k ? gpu_function_set(k, attribute, value) : NO_KERNEL);
}

int NAME(FuncSetCacheConfig)(const void *function, int preference)
{
    (void)preference;
    return END(gpu_kernel_of(function) ? GPU_OK : NO_KERNEL);
}

ALIAS(NAME(FuncSetSharedMemConfig), NAME(FuncSetCacheConfig))

int NAME(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *ctas, const void *function,
                                                             int threads, size_t dynamic,
                                                             unsigned flags)
{
    (void)flags;
    struct gpu_kernel *k = gpu_kernel_of(function);
    return END(k ? gpu_occupancy(k, threads, dynamic, ctas) : NO_KERNEL);
}

int NAME(OccupancyMaxActiveBlocksPerMultiprocessor)(int *ctas, const void *function, int threads,
                                                    size_t dynamic)
{
    return NAME(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(ctas, function, threads,
                                                                    dynamic, 0);
}
