/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begin and end of the calls of the table (api.h), and what their rows share.
 */
#include "runtime/api.h"

void call_begin(struct call *c)
{
    bool per_thread = c->per_thread;
    c->thread = gpu_thread();
    c->per_thread = c->thread->per_thread;
    c->thread->per_thread = per_thread;
}

/* Converts an error code of the runtime interface to the code that the driver interface uses. */
static int driver_code(int code)
{
    switch (code) {
    case GPU_INVALID_CONFIGURATION:
    case GPU_INVALID_DIRECTION:
    case GPU_INVALID_PITCH:
        return GPU_INVALID_VALUE;
    case GPU_INVALID_FUNCTION:
    case GPU_INVALID_SYMBOL:
        return GPU_NOT_FOUND;
    default:
        return code;
    }
}

int call_end(struct call *c, int code)
{
    c->thread->per_thread = c->per_thread;
    if (c->driver) {
        return driver_code(code);
    }
    if (code) {
        c->thread->error = code;
    }
    return code;
}

int call_current(struct call *c)
{
    const struct gpu_context *context = gpu_context();
    if (!c->driver) {
        return gpu_current(&c->device);
    }
    TRY(CHECK(context, GPU_INVALID_CONTEXT));
    c->device = context->device;
    return gpu_failed(c->device);
}

int call_ready(struct call *c)
{
    return call_current(c) ?: gpu_failed(c->device);
}

int call_stream(struct call *c, void *handle)
{
    int code = c->driver ? call_current(c) : GPU_OK;
    return code ?: gpu_stream_of(handle, &c->stream);
}

int call_kernel(struct call *c, const void *function)
{
    c->kernel = gpu_kernel_of(function);
    return CHECK(c->kernel, c->driver ? GPU_INVALID_HANDLE : GPU_INVALID_FUNCTION);
}

int call_memory(struct call *c, const void *address)
{
    return NEED(gpu_find(address_of(address), &c->found, &c->device));
}

int call_note(const struct call *c, uint64_t address, uint64_t bytes)
{
    if (!c->thread->tool) {
        ws_memory_begins(address, bytes, c->name, NULL);
    }
    return GPU_OK;
}

int call_unlock(int result)
{
    gpu_unlock();
    return result;
}

void *call_new(size_t bytes, enum gpu_handle kind)
{
    GPU_HOLD;
    return gpu_handle_new(bytes, kind);
}

__attribute__((destructor)) static void finish(void)
{
    gpu_streams_finish();
}
