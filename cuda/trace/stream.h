/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A traced stream: its slot, its launches that have not been written, its file, and the thread that drains the slot
 * into the file. A thread for each stream: a slow disk or a long kernel of one stream delays no other. A thread
 * without launches sleeps.
 */
#ifndef WARPSCOPE_CUDA_STREAM_H
#define WARPSCOPE_CUDA_STREAM_H

#include <pthread.h>

#include "trace/calls.h"
#include "trace/files.h"
#include "trace/ring.h"

/* A stream as the program knows it. */
struct ws_stream_key {
    const struct ws_calls *calls;
    uint64_t place;  /* device or context */
    void *handle;    /* never NULL: the default streams have numbers of their own */
    uint64_t thread; /* of a default stream per thread; otherwise 0 */
};

/* Memory of a slot, which goes from an ended stream to a new one of the same place. */
struct ws_slot_memory {
    struct ws_slot_memory *next;
    const struct ws_calls *calls;
    uint64_t place;
    uint64_t slot; /* the device's address */
    bool is_new;   /* true until the first launch copies the image to the slot */
    struct ws_slot *image;
    struct ws_slot *copy; /* receives reserved and lost at the end of each launch */
    struct ws_ring ring;
};

enum ws_launch_state { WS_RUNNING, WS_ENDED, WS_CANCELLED, WS_FAULT, WS_ABANDONED };

struct ws_traced_launch {
    struct ws_traced_launch *next;
    struct ws_traced_stream *stream;
    int state; /* enum ws_launch_state, atomic; the fields below are valid when it is no longer WS_RUNNING */
    int error;     /* WS_FAULT: of CUDA */
    uint64_t end;  /* WS_ENDED: places reserved since the slot was made */
    uint64_t lost; /* WS_ENDED: records of this launch that were lost */
    char kernel[]; /* mangled name */
};

struct ws_traced_stream {
    struct ws_traced_stream *next; /* in the tracer's list */
    struct ws_stream_key key;
    struct ws_slot_memory *memory;
    struct ws_trace_file *file;
    bool is_useless;   /* atomic: records go nowhere since the file failed or is full */
    bool is_faulty;    /* atomic: a launch has faulted, or was abandoned */
    bool is_retired;   /* the program has destroyed the stream */
    bool is_kept;      /* other threads may use it even after its end: it is not freed */
    uint64_t progress; /* atomic: changes whenever the thread gets on */
    uint64_t lost;     /* of all launches; only in the order of the stream */
    pthread_mutex_t
        launching; /* held while a launch is put into the stream, and the queue, in one order */
    pthread_mutex_t queue; /* guards the fields below */
    pthread_cond_t changed;
    struct ws_traced_launch *first, *last;
    bool is_ending;
    pthread_t thread;
    /* Of the thread: records taken from the ring that are not in the file. */
    size_t at, have;
    uint64_t launches;
    struct ws_slot_record buffer[4096];
};

/* Starts the thread. Takes the memory and the file. Returns NULL if that fails; then they are the caller's. */
struct ws_traced_stream *ws_stream_create(const struct ws_stream_key *key,
                                          struct ws_slot_memory *memory,
                                          struct ws_trace_file *file);
/* Puts a launch into the queue; the caller holds `launching`. NULL: out of memory. */
struct ws_traced_launch *ws_stream_launch(struct ws_traced_stream *stream, const char *kernel);
/* Enqueues the end of the launch, behind its kernel. */
void ws_stream_launched(struct ws_traced_stream *stream, struct ws_traced_launch *launch);
/* Gives a running launch another state, unless it has ended meanwhile. */
void ws_launch_set(struct ws_traced_launch *launch, enum ws_launch_state state, int error);
/* Gives all running launches a state. */
void ws_stream_set(struct ws_traced_stream *stream, enum ws_launch_state state, int error);
/* Asks CUDA for an error of the stream's context if launches are running; then none of them ends any more. */
void ws_stream_check(struct ws_traced_stream *stream);
bool ws_stream_is_idle(struct ws_traced_stream *stream);
/* Waits for the launches in the queue, as long as there is progress within `grace` nanoseconds; abandons the rest;
 * ends the thread and the file, and frees the stream. Returns the memory, or NULL
 * if late kernels may still use it; and an error as ws_trace_file_finish(). */
struct ws_slot_memory *ws_stream_end(struct ws_traced_stream *stream, uint64_t grace, bool *good,
                                     char *error);

#endif
