/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The devices, streams, events and memory behind both interfaces of CUDA.
 *
 * A stream is a queue of tasks and a thread that runs them in order. A task waits first for the points of other
 * streams that it needs: those of events, and those that the legacy default stream implies. So kernels of several
 * streams run at the same time, and may wait for each other.
 *
 * gpu_lock() protects all streams, events, handles and tables; no function holds it while a task runs. Functions
 * return an enum gpu_error as int. A fault of a kernel marks its device as failed: tasks are dropped from then on,
 * and functions return the code of the fault until the device is reset.
 */
#ifndef WARPSCOPE_CUDA_GPU_H
#define WARPSCOPE_CUDA_GPU_H

#include "interp/interp.h"
#include "runtime/abi.h"
#include "runtime/map.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>

enum { GPU_DEVICES_MAX = 16, GPU_CONTEXTS_MAX = 64, GPU_LIMITS = 7 };

struct gpu_record;

/* The place in a stream after its first `ticket` tasks. */
struct gpu_point {
    struct gpu_stream *stream;
    uint64_t ticket;
};

/* Runs a task; failed: the device's error, or 0. With an error, only tasks that were submitted as lasting are run. */
typedef void (*gpu_task_run)(struct gpu_stream *stream, void *data, int failed);

struct gpu_task {
    struct gpu_task *next;
    gpu_task_run run;
    void *data; /* freed after the run */
    bool lasting;
    size_t need_count;
    struct gpu_point needs[];
};

struct gpu_stream {
    struct gpu_device *device;
    struct gpu_stream *next; /* of the device */
    pthread_cond_t changed;  /* a task was added or ended, or closing */
    struct gpu_task *first, *last;
    uint64_t issued, done; /* tasks */
    uint64_t number;
    unsigned references; /* the handle, the thread, points that are kept */
    unsigned flags;
    int priority;
    bool blocking; /* ordered with the legacy default stream */
    bool legacy;
    bool running; /* has a thread */
    bool closing;
    unsigned record_number;    /* of its trace; 0: none yet */
    struct gpu_record *record; /* of the stream's thread */
};

struct gpu_event {
    struct gpu_point point; /* stream NULL: never recorded */
    struct gpu_device *device;
    unsigned flags, references;
    int64_t nanoseconds; /* when the point was reached */
};

enum gpu_memory_kind { GPU_MEMORY_DEVICE, GPU_MEMORY_HOST, GPU_MEMORY_MANAGED };

struct gpu_allocation {
    uint64_t address, bytes;
    enum gpu_memory_kind kind;
    unsigned flags;
};

/* Memory that the program gave back in the order of a stream. It is free when a call waits for that point, so that
 * addresses depend on the sequence of calls alone. */
struct gpu_pending {
    struct gpu_pending *next;
    struct gpu_point point;
    uint64_t address;
};

struct gpu_context {
    struct gpu_device *device;
    unsigned flags;
    bool primary;
};

struct gpu_device {
    int number;
    struct interp *interp;
    unsigned sms;
    uint64_t memory, used;
    uint64_t pool_threshold;             /* kept for the program alone */
    struct gpu_stream *legacy, *streams; /* the list has legacy as well */
    struct gpu_map allocations;          /* by address */
    struct gpu_pending *pending;
    struct gpu_context primary;
    unsigned primary_references;
    uint64_t next_stream;
    uint64_t limits[GPU_LIMITS];
    int failed;     /* atomic: the code of the first fault, or 0 */
    int cancel;     /* atomic: ends launches */
    uint64_t peers; /* bit n: access to device n is enabled */
};

enum gpu_handle {
    GPU_ANY,
    GPU_STREAM,
    GPU_EVENT,
    GPU_KERNEL,
    GPU_MODULE,
    GPU_CONTEXT,
    GPU_LINK,
    GPU_POOL
};

/* State of a thread of the program. */
struct gpu_thread {
    int error;        /* the last one of the runtime interface */
    bool per_thread;  /* stream 0 is the per-thread default stream in this call */
    int capture_mode; /* of streams */
    bool tool;        /* allocations are apart from the program's */
    struct gpu_context *contexts[GPU_CONTEXTS_MAX];
    unsigned depth;
    struct gpu_stream *streams[GPU_DEVICES_MAX]; /* per-thread default streams */
};

/* All that the library keeps; in globals.c. */
struct gpu_state {
    pthread_mutex_t lock;
    pthread_once_t once;
    pthread_key_t key; /* of struct gpu_thread */
    struct gpu_map handles;
    struct gpu_device *devices[GPU_DEVICES_MAX];
    int device_count;          /* 0: not read yet */
    pthread_mutex_t load_lock; /* of modules; taken before lock, never while it is held */
    struct gpu_module *modules;
    struct gpu_map
        symbols; /* host addresses of kernels, and handles of kernels: struct gpu_kernel */
    struct gpu_map variables; /* host addresses of variables: struct gpu_variable */
    struct gpu_map reported;  /* names of functions that are not there */
    struct gpu_recording *recording;
    unsigned recorded_streams;
    unsigned threads; /* of streams */
    pthread_cond_t thread_ended;
    bool ended;  /* the program ends: no thread is started any more */
    bool forked; /* this process is a child of the one that has the streams */
};
extern struct gpu_state gpu_state;

void gpu_lock(void);
void gpu_unlock(void);
struct gpu_thread *gpu_thread(void);

/* Writes "warpscope: ..." and a line feed to the standard error. */
void gpu_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* ---- Handles --------------------------------------------------------------------------------- */

/* The lock is held. */
bool gpu_handle_add(void *handle, enum gpu_handle kind);
bool gpu_handle_is(const void *handle, enum gpu_handle kind);
void gpu_handle_remove(const void *handle);

/* ---- Devices ---------------------------------------------------------------------------------- */

int gpu_device_count(void);
/* Creates the device at its first use. */
int gpu_device(int number, struct gpu_device **device);
/* The device of the calling thread: that of its context, or the first one, whose context becomes current. */
int gpu_current(struct gpu_device **device);
/* Makes a context current in place of the present one; NULL: none. */
void gpu_make_current(struct gpu_context *context);
/* The device's error, or 0. */
int gpu_failed(struct gpu_device *device);
void gpu_fail(struct gpu_device *device, int code, const char *message);
int gpu_device_wait(struct gpu_device *device);
int gpu_device_reset(struct gpu_device *device);
/* Value of cudaDeviceAttr or CUdevice_attribute; both have the same numbers. */
int gpu_attribute(struct gpu_device *device, int attribute, int *value);
void gpu_device_name(const struct gpu_device *device, char *name, size_t size);
/* The error that interp's end of a launch means. */
int gpu_error_of(enum interp_end end, const char *message);

/* ---- Streams and events ------------------------------------------------------------------------ */

int gpu_stream_create(struct gpu_device *device, unsigned flags, int priority,
                      struct gpu_stream **stream);
/* The stream that a handle of a program means on the current device. */
int gpu_stream_of(void *handle, struct gpu_stream **stream);
/* Its tasks are still run. */
int gpu_stream_destroy(struct gpu_stream *stream);
int gpu_stream_wait(struct gpu_stream *stream);
int gpu_stream_query(struct gpu_stream *stream);
/* Adds a task. need: a further point to wait for, or NULL. data is from malloc(), or NULL. */
int gpu_submit(struct gpu_stream *stream, gpu_task_run run, void *data,
               const struct gpu_point *need, bool lasting);
/* The lock is held. */
int gpu_submit_locked(struct gpu_stream *stream, gpu_task_run run, void *data,
                      const struct gpu_point *need, bool lasting);
/* A point that is kept must be dropped; the lock is held. */
void gpu_stream_drop(struct gpu_stream *stream);
/* Waits for a point without the lock. */
void gpu_wait_point(struct gpu_point point);
/* Frees memory that was given back before the point. stream NULL: that of all streams. */
void gpu_release_pending(struct gpu_device *device, const struct gpu_stream *stream);
void gpu_streams_finish(void);

int gpu_event_create(unsigned flags, struct gpu_event **event);
int gpu_event_of(void *handle, struct gpu_event **event);
int gpu_event_destroy(struct gpu_event *event);
int gpu_event_record(struct gpu_event *event, struct gpu_stream *stream);
int gpu_event_wait(struct gpu_event *event);
int gpu_event_query(struct gpu_event *event);
int gpu_event_elapsed(struct gpu_event *begin, struct gpu_event *end, float *milliseconds);
int gpu_stream_wait_event(struct gpu_stream *stream, struct gpu_event *event);
/* status: the function has the form of a stream's callback, and is called after an error as well. */
int gpu_host_function(struct gpu_stream *stream, void (*function)(void *), void *user);
int gpu_host_callback(struct gpu_stream *stream, void *handle,
                      void (*function)(void *, int, void *), void *user);

/* ---- Memory -------------------------------------------------------------------------------------- */

int gpu_alloc(struct gpu_device *device, uint64_t bytes, enum gpu_memory_kind kind, unsigned flags,
              uint64_t *address);
/* Waits for the device first. */
int gpu_free(uint64_t address, bool host);
int gpu_free_async(struct gpu_stream *stream, uint64_t address);
/* Finds the allocation or variable that holds an address, on any device. */
bool gpu_find(uint64_t address, struct gpu_allocation *found, struct gpu_device **device);

struct gpu_copy {
    uint64_t to, from;
    size_t to_pitch, from_pitch, to_slice,
        from_slice; /* bytes from row to row, from slice to slice */
    size_t width, height, depth;
    int kind;
};

/* wait: returns after the copy, as cudaMemcpy() does. */
int gpu_copy(struct gpu_stream *stream, const struct gpu_copy *copy, bool wait);

struct gpu_fill {
    uint64_t to;
    size_t pitch, slice;
    size_t width, height, depth; /* width in units */
    uint32_t value, unit;        /* bytes of a unit: 1, 2 or 4 */
};

int gpu_fill(struct gpu_stream *stream, const struct gpu_fill *fill, bool wait);

#endif
