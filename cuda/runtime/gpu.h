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

#include "abi/abi.h"
#include "interp/interp.h"
#include "trace/say.h"
#include <pthread.h>
#include <stdbool.h>

/* The expression `a ?: b` of GNU C is the first error of a and b. */
#pragma GCC diagnostic ignored "-Wpedantic"
/* CHECK() and NEED() are errors, or 0 if something is so. TRY() returns from the function with an error,
 * if there is one. */
#define CHECK(is, code) ((is) ? GPU_OK : (code))
#define NEED(is)        CHECK(is, GPU_INVALID_VALUE)
#define TRY(work)                                                                                  \
    do {                                                                                           \
        int error_ = (work);                                                                       \
        if (error_) {                                                                              \
            return error_;                                                                         \
        }                                                                                          \
    } while (0)

/* A map from addresses to pointers. The caller provides locking. */
#define MAP(part) gpu_map##part
#define MAP_KEY   uint64_t
#include "store/map.h"

enum { GPU_DEVICES_MAX = 16, GPU_CONTEXTS_MAX = 64, GPU_LIMITS = 7 };

struct gpu_record;
struct gpu_capture;
struct gpu_node;
struct gpu_work;
struct ws_trace_options;

struct gpu_nodes {
    struct gpu_node **all;
    size_t count;
};

/* A point in a stream: the end of its first `ticket` tasks. */
struct gpu_point {
    struct gpu_stream *stream;
    uint64_t ticket;
};

/* Does the work of a task. failed: code of the device's fault, or 0. After a fault, only tasks that
 * were submitted as `lasting` are run. */
typedef void (*gpu_task_run)(struct gpu_stream *stream, void *data, int failed);

struct gpu_task {
    struct gpu_task *next;
    struct gpu_work *work; /* see graph.h; the task has a reference */
    bool lasting;
    size_t need_count;
    struct gpu_point needs[];
};

struct gpu_stream {
    struct gpu_device *device;
    struct gpu_stream *next; /* next stream of the device */
    /* Signals that a task was added or has ended, or that `closing` was set. */
    pthread_cond_t changed;
    struct gpu_task *first, *last;
    uint64_t issued, done; /* number of tasks submitted so far (issued), and ended so far (done) */
    uint64_t number;
    unsigned references; /* number of references: from the handle, the thread, and points in use */
    unsigned flags;
    int priority;
    bool blocking; /* true if the stream is ordered with the legacy default stream */
    bool legacy;
    bool running; /* true if the stream has a thread */
    bool closing;
    struct gpu_capture *capture; /* NULL: the stream is not captured */
    struct gpu_nodes front;      /* nodes on which the next captured node depends */
    unsigned record_number;      /* number of the stream's trace file; 0: none yet */
    struct gpu_record *record;   /* used only by the thread of the stream */
};

struct gpu_event {
    struct gpu_point point; /* point.stream is NULL if the program has not recorded the event */
    struct gpu_device *device;
    unsigned flags, references;
    int64_t nanoseconds;         /* time at which the stream reached the point */
    struct gpu_capture *capture; /* not NULL if the event was last recorded in a captured stream */
    struct gpu_nodes front;
};

enum gpu_memory_kind { GPU_MEMORY_DEVICE, GPU_MEMORY_HOST, GPU_MEMORY_MANAGED };

struct gpu_allocation {
    uint64_t address, bytes;
    enum gpu_memory_kind kind;
    unsigned flags;
    int device; /* number of the device, for registered memory of the host */
};

/* Memory that the program has freed by a call such as cudaFreeAsync(), in the order of a stream.
 * The library releases the memory when a later call waits for the stream to reach `point`.
 * Addresses therefore depend only on the sequence of calls. */
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
    uint64_t pool_threshold; /* not used, only stored so that the program can read it back */
    /* legacy: the legacy default stream; streams: list of all streams, including that one */
    struct gpu_stream *legacy, *streams;
    struct gpu_map allocations; /* key: address; value: struct gpu_allocation */
    struct gpu_pending *pending;
    struct gpu_context primary;
    unsigned primary_references;
    unsigned peers; /* bit n: kernels may access the memory of device n */
    uint64_t next_stream;
    uint64_t limits[GPU_LIMITS];
    int failed; /* atomic; code of the device's first fault, or 0 */
    int cancel; /* atomic; if not 0, running launches end with an error */
};

/* Kinds of handles. No kind is 0, which stands for an unknown handle. */
enum gpu_handle {
    GPU_STREAM = 1,
    GPU_EVENT,
    GPU_KERNEL,
    GPU_MODULE,
    GPU_CONTEXT,
    GPU_LINK,
    GPU_GRAPH,
    GPU_NODE,
    GPU_EXEC,
    GPU_ARRAY,
    GPU_TEXTURE
};

/* State of a thread of the program. */
struct gpu_thread {
    int error;       /* last error of the runtime interface */
    bool per_thread; /* true if stream 0 is the per-thread default stream in the current call */
    int capture_mode;
    bool tool; /* true if the thread's allocations lie apart from those of the program */
    struct gpu_context *contexts[GPU_CONTEXTS_MAX];
    unsigned depth;
    struct gpu_stream *streams[GPU_DEVICES_MAX]; /* per-thread default streams */
};

/* All mutable state of the library, in globals.c. */
struct gpu_state {
    pthread_mutex_t lock;
    pthread_once_t once;
    pthread_key_t key; /* key under which each thread has its struct gpu_thread */
    struct gpu_map handles;
    struct gpu_device *devices[GPU_DEVICES_MAX];
    int device_count; /* 0: not known yet */
    /* Protects the creation of devices and the loading of modules. It is taken before `lock`, never
     * while `lock` is held. */
    pthread_mutex_t load_lock;
    struct gpu_module *modules;
    struct gpu_map symbols; /* key: host address or handle of a kernel; value: struct gpu_kernel */
    struct gpu_map variables;  /* key: host address of a variable; value: struct gpu_variable */
    struct gpu_map registered; /* memory of the host; key: address, value: struct gpu_allocation */
    uint64_t captures;         /* number of captures so far */
    struct ws_trace_options *recording; /* NULL: not read yet */
    unsigned recorded_streams;
    unsigned threads; /* number of running stream threads */
    pthread_cond_t thread_ended;
    bool ended; /* true once the program is ending: no more threads are started */
    /* True in a child process made by fork(), which does not have the threads of the streams. */
    bool forked;
};
extern struct gpu_state gpu_state;

void gpu_lock(void);
void gpu_unlock(void);
/* GPU_HOLD holds the lock until the end of the block in which it stands. */
static inline int gpu_hold(void)
{
    gpu_lock();
    return 0;
}
static inline void gpu_release(const int *held)
{
    (void)held;
    gpu_unlock();
}
#define GPU_HOLD __attribute__((cleanup(gpu_release), unused)) const int gpu_held = gpu_hold()
/* Returns the state of the calling thread. Never returns NULL. */
struct gpu_thread *gpu_thread(void);

/* Writes "warpscope: ", the formatted words and a line feed to standard error. */
#define gpu_say(...) ws_say("", __VA_ARGS__)

/* ---- Handles --------------------------------------------------------------------------------- */

/* Functions that add a handle to the set of valid handles, look it up, and remove it. The caller
 * holds the lock. */
bool gpu_handle_add(void *handle, enum gpu_handle kind);
/* Returns new memory, all zero, whose address is a handle; NULL if memory is exhausted. */
void *gpu_handle_new(size_t bytes, enum gpu_handle kind);
bool gpu_handle_is(const void *handle, enum gpu_handle kind);
void gpu_handle_remove(const void *handle);
/* Like gpu_handle_is(), for a caller that does not hold the lock. False if handle is NULL. */
bool gpu_handle_known(const void *handle, enum gpu_handle kind);

/* ---- Devices ---------------------------------------------------------------------------------- */

int gpu_device_count(void);
/* Sets *device to the device with this number, and creates the device at its first use. */
int gpu_device(int number, struct gpu_device **device);
/* Sets *device to the device of the calling thread's current context. If the thread has none, the
 * primary context of the first device becomes current. */
int gpu_current(struct gpu_device **device);
/* Returns the current context of the calling thread; NULL if it has none. */
struct gpu_context *gpu_context(void);
/* Replaces the current context of the calling thread by `context`. NULL: only removes the current
 * one. */
void gpu_make_current(struct gpu_context *context);
/* Returns the code of the device's fault, or 0. */
static inline int gpu_failed(struct gpu_device *device)
{
    return __atomic_load_n(&device->failed, __ATOMIC_ACQUIRE);
}
/* Marks a device as failed with this code, unless it has failed before, and cancels its launches.
 * Prints message if this is the device's first fault. */
void gpu_fail(struct gpu_device *device, int code, const char *message);
int gpu_device_wait(struct gpu_device *device);
int gpu_device_reset(struct gpu_device *device);
/* Sets *value to the value of a cudaDeviceAttr or CUdevice_attribute, which have the same
 * numbers. */
int gpu_attribute(struct gpu_device *device, int attribute, int *value);
/* Sets the properties of a device, except its UUID. */
void gpu_properties(const struct gpu_device *device, struct runtime_properties *properties);
void gpu_device_name(const struct gpu_device *device, char *name, size_t size);
/* Returns the error code that stands for `end`, the end of a launch. message: error message of the
 * interpreter. */
int gpu_error_of(enum interp_end end, const char *message);

/* ---- Streams and events ------------------------------------------------------------------------ */

int gpu_stream_create(struct gpu_device *device, unsigned flags, int priority,
                      struct gpu_stream **stream);
/* Sets *stream to the stream that a handle of the program refers to on the current device. */
int gpu_stream_of(void *handle, struct gpu_stream **stream);
/* Destroys a stream. Its remaining tasks are still executed. */
int gpu_stream_destroy(struct gpu_stream *stream);
int gpu_stream_wait(struct gpu_stream *stream);
int gpu_stream_query(struct gpu_stream *stream);
/* Adds a task to a stream or, if the stream is captured, a node to a graph. Takes the reference to the
 * work, also if this function fails. work NULL: memory is exhausted. */
int gpu_submit(struct gpu_stream *stream, struct gpu_work *work, bool lasting);
/* Adds a task to a stream, as gpu_submit() does; the caller holds the lock. need: a further point for
 * which the task waits; NULL: none. */
int gpu_submit_locked(struct gpu_stream *stream, struct gpu_work *work,
                      const struct gpu_point *need, bool lasting);
/* Removes one reference to a stream, such as the reference of a point. Frees the stream if no
 * reference is left. The caller holds the lock. */
void gpu_stream_drop(struct gpu_stream *stream);
/* Waits until the stream of a point has reached that point. The caller holds the lock. */
void gpu_wait_locked(struct gpu_point point);
/* Waits until all tasks have ended, or cancels them after some seconds. Called at the end of the
 * program. */
void gpu_streams_finish(void);

int gpu_event_create(unsigned flags, struct gpu_event **event);
int gpu_event_of(void *handle, struct gpu_event **event);
int gpu_event_destroy(struct gpu_event *event);
int gpu_event_record(struct gpu_event *event, struct gpu_stream *stream);
int gpu_event_wait(struct gpu_event *event);
int gpu_event_query(struct gpu_event *event);
int gpu_event_elapsed(struct gpu_event *begin, struct gpu_event *end, float *milliseconds);
int gpu_stream_wait_event(struct gpu_stream *stream, struct gpu_event *event);
/* Submits a host function, to be called in the order of the stream, also after a fault of the device. It
 * receives the status. */
int gpu_host_callback(struct gpu_stream *stream, void *handle,
                      void (*function)(void *, int, void *), void *user);

/* ---- Capture of streams (graph.h) ---------------------------------------------------------------- */

/* The caller of these functions holds the lock, except that of gpu_capture_wait(). */

/* Makes a stream or an event part of a capture, and of no other; NULL: of none. */
void gpu_capture_attach(struct gpu_capture **place, struct gpu_nodes *front,
                        struct gpu_capture *capture);
/* Adds work to the capture of a stream, which takes the caller's reference. */
int gpu_capture_add(struct gpu_stream *stream, struct gpu_work *work);
/* Records an event in a captured stream. */
int gpu_capture_record(struct gpu_event *event, const struct gpu_stream *stream);
/* Lets a stream wait for an event. One of them is captured. */
int gpu_capture_join(struct gpu_stream *stream, const struct gpu_event *event);
/* The next two functions fail for calls that cannot be captured: work on the legacy default stream
 * while streams are captured with which it is ordered, and waiting for a captured stream or a device
 * with captured streams (NULL: none). mode: capture mode of the thread. */
int gpu_capture_check(const struct gpu_stream *stream);
int gpu_capture_wait(const struct gpu_stream *stream, const struct gpu_device *device, int mode);

/* ---- Memory -------------------------------------------------------------------------------------- */

int gpu_alloc(struct gpu_device *device, uint64_t bytes, enum gpu_memory_kind kind, unsigned flags,
              uint64_t *address);
/* Waits for the device, then frees the memory at address. host: true if it must be memory of the
 * host. */
int gpu_free(uint64_t address, bool host);
int gpu_free_async(struct gpu_stream *stream, uint64_t address);
/* Lets kernels access memory of the host at its own address, or ends this. */
int gpu_register(struct gpu_device *device, uint64_t address, uint64_t bytes, unsigned flags);
int gpu_unregister(uint64_t address);
/* Lets kernels of a device access the memory of another device, or ends this. */
int gpu_peer(struct gpu_device *device, struct gpu_device *peer, bool on);
/* Finds the allocation or variable that contains an address, on any device. Sets *found and, unless
 * device is NULL, *device. Returns false if there is none. */
bool gpu_find(uint64_t address, struct gpu_allocation *found, struct gpu_device **device);

struct gpu_copy {
    uint64_t to, from;
    /* Distances in bytes from row to row (pitch) and from slice to slice. */
    size_t to_pitch, from_pitch, to_slice, from_slice;
    size_t width, height, depth;
    int kind;
};

/* Copies an area in the order of the stream. wait: true to return only after the copy, like
 * cudaMemcpy(). */
int gpu_copy(struct gpu_stream *stream, const struct gpu_copy *copy, bool wait);
/* These functions make the work of a node of a graph. They set *work, or return an error. */
int gpu_copy_work(const struct gpu_copy *copy, struct gpu_work **work);
int gpu_host_work(void (*function)(void *), void *user, struct gpu_work **work);

/* An array (cudaArray_t, CUarray): memory of the device, row by row. */
struct gpu_array {
    struct gpu_device *device;
    uint64_t address;
    size_t pitch, slice;         /* bytes from row to row, and from slice or layer to the next */
    size_t width, height, depth; /* texels; 0: the array does not have this dimension */
    size_t texel;                /* bytes of a texel */
    struct runtime_channels channels;
    unsigned flags;
};

struct gpu_fill {
    uint64_t to;
    size_t pitch, slice;
    size_t width, height, depth; /* width: number of units */
    uint32_t value, unit;        /* unit: size of a unit in bytes, 1, 2 or 4 */
};

/* Fills an area in the order of the stream. wait: true to return only after the fill. */
int gpu_fill(struct gpu_stream *stream, const struct gpu_fill *fill, bool wait);
int gpu_fill_work(const struct gpu_fill *fill, struct gpu_work **work);

#endif
