/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A traced stream: its slot, its launches that have not been written yet, its file, and the thread
 * that drains the slot into the file. Each stream has a thread, so that a slow disk or a long
 * kernel of one stream does not delay others. A thread without launches sleeps.
 */
#ifndef WARPSCOPE_CUDA_STREAM_H
#define WARPSCOPE_CUDA_STREAM_H

#include <pthread.h>

#include "trace/calls.h"
#include "trace/files.h"
#include "trace/ring.h"

/* Identity of a stream of the program. */
struct ws_stream_key {
    const struct ws_calls *calls;
    uint64_t place;  /* device or context */
    void *handle;    /* never NULL, since default streams have handles of their own */
    uint64_t thread; /* number of the thread of a per-thread default stream; otherwise 0 */
};

/* Memory of a slot. When a stream has ended, a new one of the same place may reuse it. */
struct ws_slot_memory {
    struct ws_slot_memory *next;
    const struct ws_calls *calls;
    uint64_t place;
    uint64_t slot; /* device address */
    bool is_new;   /* true until the first launch copies the image to the device */
    struct ws_slot *image;
    struct ws_slot *copy; /* receives `reserved` and `lost` of the slot at the end of each launch */
    struct ws_ring ring;
};

enum ws_launch_state { WS_RUNNING, WS_ENDED, WS_CANCELLED, WS_FAULT, WS_ABANDONED };

struct ws_traced_launch {
    struct ws_traced_launch *next;
    struct ws_traced_stream *stream;
    /* Enum ws_launch_state, atomic. The fields below are valid if it is not WS_RUNNING. */
    int state;
    int error;     /* with WS_FAULT: error number of CUDA */
    uint64_t end;  /* with WS_ENDED: places reserved since the slot was created */
    uint64_t lost; /* with WS_ENDED: number of records of this launch that were lost */
    char kernel[]; /* mangled name */
};

struct ws_traced_stream {
    struct ws_traced_stream *next; /* next stream in the list of the tracer */
    struct ws_stream_key key;
    struct ws_slot_memory *memory;
    struct ws_trace_file *file;
    /* atomic; true if records are no longer written, since the file failed or is full. */
    bool is_useless;
    bool is_faulty;  /* atomic; true if a launch has faulted or was abandoned */
    bool is_retired; /* the program has destroyed the stream */
    /* True if other threads may use it even after its end; then it is never freed. */
    bool is_kept;
    uint64_t written; /* atomic; changes whenever the thread has written records */
    /* Lost records of all launches; used only by functions in the order of the stream. */
    uint64_t lost;
    pthread_mutex_t
        /* Held while a launch is added to the stream and to the queue, so that both have the same
         * order. */
        launching;
    pthread_mutex_t queue; /* protects the fields below */
    pthread_cond_t changed;
    struct ws_traced_launch *first, *last;
    uint64_t removed; /* launches that have left the queue */
    bool is_ending;
    pthread_t thread;
    /* Used only by the thread: range of the buffer with records that were taken but not written. */
    size_t at, have;
    uint64_t launches;
    struct ws_slot_record buffer[4096];
};

/* Creates a stream and starts its thread. It then owns the memory and the file. If this fails,
 * returns NULL, and the caller still owns them. */
struct ws_traced_stream *ws_stream_create(const struct ws_stream_key *key,
                                          struct ws_slot_memory *memory,
                                          struct ws_trace_file *file);
/* Adds a launch to the queue. The caller holds `launching`. Returns NULL if memory is exhausted. */
struct ws_traced_launch *ws_stream_launch(struct ws_traced_stream *stream, const char *kernel);
/* Adds the end of the launch to the stream, after its kernel. */
void ws_stream_launched(struct ws_traced_stream *stream, struct ws_traced_launch *launch);
/* Sets the state of a launch, if it is still running. */
void ws_launch_set(struct ws_traced_launch *launch, enum ws_launch_state state, int error);
/* Sets the state of all running launches. */
void ws_stream_set(struct ws_traced_stream *stream, enum ws_launch_state state, int error);
/* If launches are running, asks CUDA for an error of the stream's context. After an error, they are
 * marked as faulted, since they will not end. */
void ws_stream_check(struct ws_traced_stream *stream);
bool ws_stream_is_idle(struct ws_traced_stream *stream);
/* Waits for the launches in the queue: each has `grace` nanoseconds to end, and then as long as its
 * records are being written. Abandons the rest. Then ends the thread, completes the file, and frees
 * the stream. Returns the memory, or NULL if kernels may still use it. *good and error are as for
 * ws_trace_file_finish(). */
struct ws_slot_memory *ws_stream_end(struct ws_traced_stream *stream, uint64_t grace, bool *good,
                                     char *error);

#endif
