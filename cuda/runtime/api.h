/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of the functions that programs call. The files table_*.c have its rows, by subject.
 *
 * A row has the names of a function, its parameters, and its work: an expression for the result, an
 * enum gpu_error, in which `c` is the call. BOTH() makes the functions of both interfaces from one
 * row, RUNTIME() or DRIVER() that of one interface. The rows with _STREAM also make the variants
 * name_ptsz, in which stream 0 is the per-thread default stream. Handles and addresses of both
 * interfaces are `void *` here.
 *
 * The interfaces differ as follows. The runtime interface makes a context current when it needs one,
 * and keeps the last error of each thread. The driver interface fails without a current context, and
 * has fewer error codes.
 */
#ifndef WARPSCOPE_CUDA_API_H
#define WARPSCOPE_CUDA_API_H

#include "runtime/module.h"
#include <string.h>

/* The prototypes are in NVIDIA's headers. Rows name all parameters, also those without effect. The
 * work `a ?: b` is the first error of a and b (gpu.h). */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A call of a function. The members from `device` on are set by the work of its row. */
struct call {
    const char *name; /* of the function */
    bool driver, per_thread;
    void *handle; /* stream of a copy or fill */
    bool wait;    /* true if the function returns only after its copy or fill */
    struct gpu_thread *thread;
    struct gpu_device *device;
    struct gpu_stream *stream;
    struct gpu_event *event, *end;
    struct gpu_kernel *kernel;
    struct gpu_allocation found;
    struct gpu_work *work;
    struct gpu_copy copy;
};

void call_begin(struct call *c);
/* Returns the code to return to the program. */
int call_end(struct call *c, int code);

/* The functions below set members of the call, and return 0 or an error code. */
int call_current(struct call *c); /* device: that of the current context */
int call_ready(struct call *c);   /* the same; returns the code of the device's fault */
int call_stream(struct call *c, void *handle);
int call_kernel(struct call *c, const void *function);
int call_memory(struct call *c, const void *address); /* found, device: of an allocation */

/* Notes memory that the call has made for the program (trace/memory.h). Returns GPU_OK. */
int call_note(const struct call *c, uint64_t address, uint64_t bytes);

/* Returns `result`, after the lock has been released. */
int call_unlock(int result);
/* Like gpu_handle_new(), for a caller that does not hold the lock. */
void *call_new(size_t bytes, enum gpu_handle kind);

/* ---- Rows ------------------------------------------------------------------------------------ */

#define ROW(name, is_driver, is_per_thread, stream_handle, waits, parameters, work)                \
    int name parameters                                                                            \
    {                                                                                              \
        struct call c = {#name, is_driver, is_per_thread, stream_handle, waits, .thread = NULL};   \
        call_begin(&c);                                                                            \
        return call_end(&c, work);                                                                 \
    }
#define PLAIN(name, is_driver, parameters, work)                                                   \
    ROW(name, is_driver, false, NULL, false, parameters, work)
#define STREAMED(name, is_driver, parameters, work)                                                \
    PLAIN(name, is_driver, parameters, work)                                                       \
    ROW(name##_ptsz, is_driver, true, NULL, false, parameters, work)
#define RUNTIME(name, parameters, work)        PLAIN(name, false, parameters, work)
#define RUNTIME_STREAM(name, parameters, work) STREAMED(name, false, parameters, work)
#define DRIVER(name, parameters, work)         PLAIN(name, true, parameters, work)
#define DRIVER_STREAM(name, parameters, work)  STREAMED(name, true, parameters, work)
#define BOTH(name, driver_name, parameters, work)                                                  \
    RUNTIME(name, parameters, work)                                                                \
    DRIVER(driver_name, parameters, work)
#define BOTH_STREAM(name, driver_name, parameters, work)                                           \
    RUNTIME_STREAM(name, parameters, work)                                                         \
    DRIVER_STREAM(driver_name, parameters, work)

/* Makes a function that waits for its work on stream 0, a function that submits the same work to the
 * stream of an additional parameter, and the per-thread variants of both. */
#define COPY(name, async_name, is_driver, parameters, work)                                        \
    ROW(name, is_driver, false, NULL, true, parameters, work)                                      \
    ROW(name##_ptds, is_driver, true, NULL, true, parameters, work)                                \
    ROW(async_name, is_driver, false, stream, false, (LIST parameters, void *stream), work)        \
    ROW(async_name##_ptsz, is_driver, true, stream, false, (LIST parameters, void *stream), work)
#define LIST(...) __VA_ARGS__

/* Gives a function of the same file a further name. */
#define ALIAS(name, function) extern __typeof__(function) name __attribute__((alias(#function)));

/* ---- Parts of a row's work ------------------------------------------------------------------- */

#define CURRENT          call_current(&c)
#define READY            call_ready(&c)
#define DEVICE(number)   gpu_device(number, &c.device)
#define STREAM(handle)   call_stream(&c, handle)
#define EVENT(handle)    gpu_event_of(handle, &c.event)
#define KERNEL(function) call_kernel(&c, function)
#define MEMORY(address)  call_memory(&c, address)
/* Checks that a handle is one of this kind. */
#define IS(handle, kind)                                                                           \
    CHECK(gpu_handle_known(handle, kind), c.driver ? GPU_INVALID_HANDLE : GPU_INVALID_VALUE)
/* LOCKED() is the result of work that is done while the lock is held. */
#define LOCKED(work) (gpu_lock(), call_unlock(work))
/* SET() stores a value in an object, PUT() where a pointer of the program points, and GIVE() too, unless
 * that is NULL. */
#define SET(object, value) ((object) = (value), GPU_OK)
#define PUT(place, value)  ((place) ? SET(*(place), value) : GPU_INVALID_VALUE)
#define GIVE(place, value) ((place) ? SET(*(place), value) : GPU_OK)

static inline uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static inline void *pointer_to(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Sets the parameters of a launch: addresses of all, or the array `extra` of the driver
 * interface. */
int gpu_launch_parameters(struct gpu_launch *l, void **parameters, void **extra);
/* The functions below make copies from the parameters of functions. copy_symbol() sets the place of
 * a copy to (inward) or from a part of a variable. */
struct gpu_copy copy_line(const void *to, const void *from, size_t bytes, int kind);
int copy_runtime3d(const struct runtime_copy3d *p, struct gpu_copy *copy);
int copy_driver3d(const struct driver_copy3d *p, struct gpu_copy *copy);
int copy_symbol(bool inward, const void *symbol, size_t offset, struct gpu_copy *copy);

/* Returns the function of this library that has the name, or NULL. newest: true to return the
 * newest version of a driver function, such as name_v2. */
void *gpu_function_named(const char *name, bool newest);
/* Says once that a function fails, and why. Returns GPU_NOT_SUPPORTED. */
int gpu_refuse(const char *name, const char *why, bool *said);

#endif
