/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices, streams, events and memory, on which both interfaces of CUDA are built.
 *
 * A stream is a queue of tasks, with a thread that runs them in order. A task first waits until
 * other streams have reached certain points: those of events, and those that the legacy default
 * stream implies. Kernels of several streams therefore run at the same time, and may wait for each
 * other.
 *
 * gpu_lock() protects all streams, events, handles and tables. It is never held while a task runs.
 * Functions return an enum gpu_error as int. A fault of a kernel marks its device as failed. From
 * then on tasks are dropped, and functions return the code of the fault until the device is reset.
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

/* A point in a stream: after its first `ticket` tasks. */
struct gpu_point {
    struct gpu_stream *stream;
    uint64_t ticket;
};

/* Runs a task. failed: error of the device, or 0. After an error, only tasks that were submitted as
 * `lasting` are run. */
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
    struct gpu_stream *next; /* next stream of the device */
    /* Signals that a task was added or has ended, or that closing is set. */
    pthread_cond_t changed;
    struct gpu_task *first, *last;
    uint64_t issued, done; /* numbers of tasks that were submitted, and that have ended */
    uint64_t number;
    unsigned references; /* counts the handle, the thread, and kept points */
    unsigned flags;
    int priority;
    bool blocking; /* ordered with the legacy default stream */
    bool legacy;
    bool running; /* true if it has a thread */
    bool closing;
    unsigned record_number;    /* number of its trace file; 0: none yet */
    struct gpu_record *record; /* used only by the thread of the stream */
};

struct gpu_event {
    struct gpu_point point; /* stream NULL: the event was never recorded */
    struct gpu_device *device;
    unsigned flags, references;
    int64_t nanoseconds; /* time when the point was reached */
};

enum gpu_memory_kind { GPU_MEMORY_DEVICE, GPU_MEMORY_HOST, GPU_MEMORY_MANAGED };

struct gpu_allocation {
    uint64_t address, bytes;
    enum gpu_memory_kind kind;
    unsigned flags;
};

/* Memory that the program frees in the order of a stream. It becomes free when a call of the
 * program waits for that point. Addresses therefore depend only on the sequence of calls. */
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
    int failed;     /* atomic; code of the first fault, or 0 */
    int cancel;     /* atomic; not 0: running launches end with an error */
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
    int error;        /* last error of the runtime interface */
    bool per_thread;  /* true if stream 0 is the per-thread default stream in the current call */
    int capture_mode; /* capture mode of streams */
    bool tool;        /* true if allocations lie apart from those of the program */
    struct gpu_context *contexts[GPU_CONTEXTS_MAX];
    unsigned depth;
    struct gpu_stream *streams[GPU_DEVICES_MAX]; /* per-thread default streams */
};

/* All mutable state of the library, in globals.c. */
struct gpu_state {
    pthread_mutex_t lock;
    pthread_once_t once;
    pthread_key_t key; /* key of struct gpu_thread */
    struct gpu_map handles;
    struct gpu_device *devices[GPU_DEVICES_MAX];
    int device_count; /* 0: not known yet */
    /* Protects the creation of devices and the loading of modules. It is taken before `lock`, never
     * while `lock` is held. */
    pthread_mutex_t load_lock;
    struct gpu_module *modules;
    struct gpu_map symbols; /* key: host address or handle of a kernel; value: struct gpu_kernel */
    struct gpu_map variables; /* key: host address of a variable; value: struct gpu_variable */
    struct gpu_map reported;  /* names of missing functions that were reported */
    struct gpu_recording *recording;
    unsigned recorded_streams;
    unsigned threads; /* number of threads of streams */
    pthread_cond_t thread_ended;
    bool ended; /* the program is ending: no more threads are started */
    /* This process is a child by fork(), and does not have the threads of the streams. */
    bool forked;
};
extern struct gpu_state gpu_state;

void gpu_lock(void);
void gpu_unlock(void);
struct gpu_thread *gpu_thread(void);

/* Writes "warpscope: ", the formatted words and a line feed to standard error. */
void gpu_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* ---- Handles --------------------------------------------------------------------------------- */

/* The caller of these functions holds the lock. */
bool gpu_handle_add(void *handle, enum gpu_handle kind);
bool gpu_handle_is(const void *handle, enum gpu_handle kind);
void gpu_handle_remove(const void *handle);

/* ---- Devices ---------------------------------------------------------------------------------- */

int gpu_device_count(void);
/* Gets a device, which is created at its first use. */
int gpu_device(int number, struct gpu_device **device);
/* Gets the current device of the calling thread: that of its context. If it has none, the primary
 * context of the first device becomes current. */
int gpu_current(struct gpu_device **device);
/* Makes a context current instead of the present one; NULL: none. */
void gpu_make_current(struct gpu_context *context);
/* Returns the error of the device, or 0. */
int gpu_failed(struct gpu_device *device);
void gpu_fail(struct gpu_device *device, int code, const char *message);
int gpu_device_wait(struct gpu_device *device);
int gpu_device_reset(struct gpu_device *device);
/* Gets the value of a cudaDeviceAttr or CUdevice_attribute, which have the same numbers. */
int gpu_attribute(struct gpu_device *device, int attribute, int *value);
void gpu_device_name(const struct gpu_device *device, char *name, size_t size);
/* Returns the error code for the end of a launch. */
int gpu_error_of(enum interp_end end, const char *message);

/* ---- Streams and events ------------------------------------------------------------------------ */

int gpu_stream_create(struct gpu_device *device, unsigned flags, int priority,
                      struct gpu_stream **stream);
/* Gets the stream that a handle of the program refers to on the current device. */
int gpu_stream_of(void *handle, struct gpu_stream **stream);
/* Destroys a stream. Its tasks are still executed. */
int gpu_stream_destroy(struct gpu_stream *stream);
int gpu_stream_wait(struct gpu_stream *stream);
int gpu_stream_query(struct gpu_stream *stream);
/* Adds a task. need: a further point for which it waits, or NULL. data: memory from malloc() that
 * is freed after the task, or NULL. */
int gpu_submit(struct gpu_stream *stream, gpu_task_run run, void *data,
               const struct gpu_point *need, bool lasting);
/* Like gpu_submit(), for a caller that holds the lock. */
int gpu_submit_locked(struct gpu_stream *stream, gpu_task_run run, void *data,
                      const struct gpu_point *need, bool lasting);
/* Drops a reference to a stream, for example that of a kept point. The caller holds the lock. */
void gpu_stream_drop(struct gpu_stream *stream);
/* Waits until a stream has reached a point. The caller must not hold the lock. */
void gpu_wait_point(struct gpu_point point);
/* Frees the memory that was given back at points which a stream has reached. stream NULL: all
 * streams. */
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
/* Run a function of the host in the order of the stream. A callback also gets the status, and is
 * called after an error as well. */
int gpu_host_function(struct gpu_stream *stream, void (*function)(void *), void *user);
int gpu_host_callback(struct gpu_stream *stream, void *handle,
                      void (*function)(void *, int, void *), void *user);

/* ---- Memory -------------------------------------------------------------------------------------- */

int gpu_alloc(struct gpu_device *device, uint64_t bytes, enum gpu_memory_kind kind, unsigned flags,
              uint64_t *address);
/* Waits for the device, then frees memory. */
int gpu_free(uint64_t address, bool host);
int gpu_free_async(struct gpu_stream *stream, uint64_t address);
/* Finds the allocation or variable that contains an address, on any device. */
bool gpu_find(uint64_t address, struct gpu_allocation *found, struct gpu_device **device);

struct gpu_copy {
    uint64_t to, from;
    size_t to_pitch, from_pitch, to_slice,
        from_slice; /* bytes from row to row, and from slice to slice */
    size_t width, height, depth;
    int kind;
};

/* wait: the function returns after the copy, like cudaMemcpy(). */
int gpu_copy(struct gpu_stream *stream, const struct gpu_copy *copy, bool wait);

struct gpu_fill {
    uint64_t to;
    size_t pitch, slice;
    size_t width, height, depth; /* width: number of units */
    uint32_t value, unit;        /* unit: bytes of a unit, 1, 2 or 4 */
};

int gpu_fill(struct gpu_stream *stream, const struct gpu_fill *fill, bool wait);

#endif
