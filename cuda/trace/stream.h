/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A traced stream: its slot, its launches that have not been written yet, its file, and the thread
 * that drains the slot into the file. Each stream has a thread of its own, so that a slow disk or a
 * long kernel of one stream does not delay other streams. A thread without launches sleeps.
 */
#ifndef WARPSCOPE_CUDA_STREAM_H
#define WARPSCOPE_CUDA_STREAM_H

#include <pthread.h>

#include "trace/calls.h"
#include "trace/files.h"
#include "trace/kernels.h"
#include "trace/ring.h"

/* Identity of a stream of the program. */
struct ws_stream_key {
    const struct ws_calls *calls;
    uint64_t place;  /* number of the device (runtime), or address of the context (driver) */
    void *handle;    /* never NULL, since default streams have handles of their own */
    uint64_t thread; /* pthread_self() for a per-thread default stream; else 0 */
};

/* Memory of a slot. After the end of a stream, a new stream of the same device or context may reuse
 * it. */
struct ws_slot_memory {
    struct ws_slot_memory *next;
    const struct ws_calls *calls;
    uint64_t place;
    uint64_t slot; /* device address of the slot */
    bool is_new;   /* true until the first launch copies `image` to the device */
    struct ws_slot *image;
    /* copy of the slot's first members, `reserved` and `lost`, from the end of the last launch */
    struct ws_slot *copy;
    struct ws_ring ring;
};

enum ws_launch_state { WS_RUNNING, WS_ENDED, WS_CANCELLED, WS_REFUSED, WS_FAULT, WS_ABANDONED };

struct ws_traced_launch {
    struct ws_traced_launch *next;
    struct ws_traced_stream *stream;
    /* enum ws_launch_state, atomic. The next three members are valid if it is not WS_RUNNING. */
    int state;
    int error;            /* with WS_FAULT and WS_REFUSED: CUDA's error number */
    uint64_t end;         /* with WS_ENDED: number of places reserved since the slot was created */
    uint64_t lost;        /* with WS_ENDED: number of records of this launch that were lost */
    const char *untraced; /* behind the name; see struct ws_traced_kernel; NULL: none */
    char kernel[];        /* mangled name of the kernel */
};

struct ws_traced_stream {
    struct ws_traced_stream *next; /* next stream in the tracer's list */
    struct ws_stream_key key;
    unsigned number; /* of its file */
    struct ws_slot_memory *memory;
    struct ws_trace_file *file;
    /* atomic; true if records are no longer written, because the file failed or is full */
    bool is_useless;
    bool is_faulty;  /* atomic; true if a launch has faulted or was abandoned */
    bool is_retired; /* true if the program has destroyed the stream */
    /* True if other threads may use the stream even after its end; the stream is then never
     * freed. */
    bool is_kept;
    uint64_t written; /* atomic; changes whenever the thread has written records */
    /* Number of lost records of all launches; used only by functions that CUDA calls in the order
     * of the stream. */
    uint64_t lost;
    /* Held while a launch is added to CUDA's stream and to the queue, so that both have the same
     * order. */
    pthread_mutex_t launching;
    pthread_mutex_t lock; /* protects the queue: the members from `first` to `is_ending` */
    pthread_cond_t changed;
    struct ws_traced_launch *first, *last;
    uint64_t removed; /* number of launches that have left the queue */
    bool is_ending;
    pthread_t thread;
    /* Used only by the thread. at, have: range of `buffer` with records that were taken from the
     * ring but not written. */
    size_t at, have;
    uint64_t launches;
    struct ws_slot_record buffer[4096];
};

/* A kernel with launches that are not traced, and why: "since a graph launches it". */
struct ws_untraced {
    char *kernel; /* owned; mangled name */
    const char *why;
};

/* Starts a thread that blocks all signals: threads of the program handle them. Returns false if this
 * fails. */
bool ws_thread_start(pthread_t *thread, void *(*run)(void *user), void *user);

/* Creates a stream, which then owns memory and file, and starts its thread. If this fails, returns
 * NULL, and the caller still owns memory and file. */
struct ws_traced_stream *ws_stream_create(const struct ws_stream_key *key,
                                          struct ws_slot_memory *memory,
                                          struct ws_trace_file *file);
/* Adds a launch to the queue of the stream. The caller holds `launching`. Returns NULL if memory is
 * exhausted. */
struct ws_traced_launch *ws_stream_launch(struct ws_traced_stream *stream,
                                          const struct ws_traced_kernel *kernel);
/* Submits to CUDA's stream, after the kernel of the launch, a copy of the slot's counts and a
 * function that marks the launch as ended. */
void ws_stream_launched(struct ws_traced_stream *stream, struct ws_traced_launch *launch);
/* Sets the state of a launch if it is still WS_RUNNING. */
void ws_launch_set(struct ws_traced_launch *launch, enum ws_launch_state state, int error);
/* Sets the state of all launches of the stream that are still WS_RUNNING, and marks the stream as
 * faulty. */
void ws_stream_set(struct ws_traced_stream *stream, enum ws_launch_state state, int error);
/* If launches are running, asks CUDA for an error of the stream's context. After an error, marks
 * these launches as faulted, since they will not end. */
void ws_stream_check(struct ws_traced_stream *stream);
/* Returns true if the queue of the stream is empty. */
bool ws_stream_is_idle(struct ws_traced_stream *stream);
/* Waits until the launches in the queue have ended, but not longer than `grace` nanoseconds without
 * progress. Abandons the remaining launches. Then ends the thread, adds n notes to the file and
 * completes it. Frees the stream and returns its memory, or returns NULL if kernels or other threads
 * may still use the stream. *good and error: result of ws_trace_file_finish(). */
struct ws_slot_memory *ws_stream_end(struct ws_traced_stream *stream, uint64_t grace,
                                     const struct ws_untraced *untraced, size_t n, bool *good,
                                     char *error);

#endif
