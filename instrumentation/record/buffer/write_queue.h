/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_queue.h - the write queue: closed sub-buffers that the caller or the rank's writer thread writes.
 *
 * The simulation's thread closes sub-buffers, takes free ones and handles errors. The writer thread
 * only writes. Messages, MPI and the decision to stop recording thus stay with the simulation's
 * thread. There is one lock per rank, taken a few times per sub-buffer and never per record.
 */
#ifndef WARPSCOPE_RECORD_BUFFER_WRITE_QUEUE_H
#define WARPSCOPE_RECORD_BUFFER_WRITE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

#include "record/buffer/buffers.h"

struct record_stream;

#define WRITE_QUEUE_STREAMS_MAX 8

/* The writer thread of a rank. Zero-initialise. */
struct write_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work; /* signals that there may be work */
    pthread_cond_t done; /* signals that a sub-buffer was written or an error occurred */
    struct record_stream *streams[WRITE_QUEUE_STREAMS_MAX];
    unsigned n_streams;
    unsigned last;                         /* index of the stream served last */
    const struct record_stream *busy_with; /* stream being written; NULL: none */
    bool running;
    bool stop;
};

/* Starts the thread, with all signals blocked. Returns 0 or an errno value. */
int write_thread_start(struct write_thread *thread);
/* Writes all closed sub-buffers and joins the thread. No effect if it is not running. */
void write_thread_stop(struct write_thread *thread);

/* The closed sub-buffers of one stream, oldest first. */
struct write_queue {
    struct sub_buffer *first; /* the thread may be writing it */
    struct sub_buffer **end;
    unsigned n;
    bool stalled; /* true after an error: nothing is written until write_queue_resume() */
    bool held;    /* true if nothing may be written until write_queue_release() */
    struct fmt_error error;
    struct write_thread *thread; /* NULL: the caller writes */
};

/* All functions below are for the simulation's thread. */

void write_queue_init(struct write_queue *queue);
/* Lets the thread write what this stream closes from now on. */
void write_queue_use_thread(struct record_stream *stream, struct write_thread *thread);
/* Adds a closed sub-buffer to the queue. */
void write_queue_push(struct record_stream *stream, struct sub_buffer *sub_buffer);
/* Writes at least one closed sub-buffer, unless the queue is stalled or empty. Returns true if
 * closed sub-buffers are left, including stalled ones. */
bool write_queue_step(struct record_stream *stream);
/* Returns the number of closed sub-buffers. */
unsigned write_queue_count(struct record_stream *stream);
bool write_queue_is_stalled(struct record_stream *stream);
/* Keeps the thread away from this stream and its buffers until write_queue_release(). Waits until the
 * thread has finished with it. */
void write_queue_hold(struct record_stream *stream);
void write_queue_release(struct record_stream *stream);
/* After an error: continues with the sub-buffer whose writing failed. */
void write_queue_resume(struct record_stream *stream);
/* After an error, or while held: discards all closed sub-buffers. */
void write_queue_discard(struct record_stream *stream);
/* Take and return sub-buffers, safe while the thread runs. */
struct sub_buffer *write_queue_take(struct record_stream *stream);
void write_queue_give_back(struct record_stream *stream, struct sub_buffer *sub_buffer);

#endif
