/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_queue.h - the write queue: closed sub-buffers that the caller or the rank's writer thread
 * writes.
 *
 * The simulation's thread closes sub-buffers, takes free ones and handles errors. The writer thread
 * only writes. Warnings, MPI and the decision to stop recording thus stay with the simulation's
 * thread. There is one lock per rank, taken a few times for each sub-buffer and never for a single
 * record.
 */
#ifndef WARPSCOPE_RECORD_BUFFER_WRITE_QUEUE_H
#define WARPSCOPE_RECORD_BUFFER_WRITE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

#include "record/buffer/buffers.h"

#define WRITE_QUEUES_MAX 8

struct write_queue;

/* The writer thread of a rank. Zero-initialise the struct. */
struct write_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work; /* signalled when there is possibly work for the thread */
    pthread_cond_t done; /* signalled when a sub-buffer was written, or after an error */
    struct write_queue *queues[WRITE_QUEUES_MAX];
    unsigned n_queues;
    unsigned last; /* index of the queue that was served last */
    /* Queue of the sub-buffer that the thread is writing; NULL: none. */
    const struct write_queue *busy_with;
    bool running;
    bool stop;
};

/* Starts the writer thread, with all signals blocked. Returns 0 or an errno value. */
int write_thread_start(struct write_thread *thread);
/* Lets the thread write all closed sub-buffers, and joins it. No effect if the thread is not
 * running. */
void write_thread_stop(struct write_thread *thread);

/* The closed sub-buffers of one stream, oldest first, the memory of all its sub-buffers, and the
 * writer of its file. */
struct write_queue {
    struct buffers buffers;   /* memory of all sub-buffers, shared by the channels */
    struct fmt_writer writer; /* writer of the record file; used only by the thread that writes */
    /* Number of bytes of rows written from memory beyond --buffer-size. Used only by the thread
     * that writes. */
    uint64_t spilled_bytes;
    /* Oldest closed sub-buffer, which the thread is possibly writing; NULL: none. */
    struct sub_buffer *first;
    /* Address of the pointer to which the next closed sub-buffer is attached: `first`, or the
     * member `next` of the last sub-buffer in the queue. */
    struct sub_buffer **end;
    unsigned n;
    bool stalled; /* true after an error: nothing is written until write_queue_resume() */
    bool held;    /* true if nothing may be written until write_queue_release() */
    struct fmt_error error;
    struct write_thread *thread; /* writer thread; NULL: the simulation's thread writes */
};

/* Only the simulation's thread may call the functions below. */

/* Initialises an empty queue. The caller initialises and frees the members `buffers` and
 * `writer`. */
void write_queue_init(struct write_queue *queue);
/* Makes the writer thread write the sub-buffers that are pushed to the queue from now on. */
void write_queue_use_thread(struct write_queue *queue, struct write_thread *thread);
/* Ends the use of the writer thread by the queue, which must be empty. */
void write_queue_leave_thread(struct write_queue *queue);
/* Adds a closed sub-buffer to the queue. */
void write_queue_push(struct write_queue *queue, struct sub_buffer *sub_buffer);
/* Writes a block of the oldest closed sub-buffer, or waits until the writer thread has written a
 * whole one, unless the queue is stalled or empty. Returns true if closed sub-buffers are left, even
 * if the queue is stalled. */
bool write_queue_step(struct write_queue *queue);
/* Returns the number of closed sub-buffers in the queue. */
unsigned write_queue_count(struct write_queue *queue);
/* Returns an upper bound of the number of bytes of rows in the queue: the size of the closed
 * sub-buffers without, if there is no thread, what is written of the oldest one. */
uint64_t write_queue_bytes(struct write_queue *queue);
bool write_queue_is_stalled(struct write_queue *queue);
/* Returns true if the queue is stalled, and sets *error to the error that stalled it. */
bool write_queue_has_failed(struct write_queue *queue, struct fmt_error *error);
/* Keeps the writer thread away from this queue and its buffers until write_queue_release(). If the
 * thread is writing a sub-buffer of this queue, first waits until it has finished. */
void write_queue_hold(struct write_queue *queue);
void write_queue_release(struct write_queue *queue);
/* Ends a stall after an error. Writing continues with the sub-buffer whose writing failed. */
void write_queue_resume(struct write_queue *queue);
/* Discards all closed sub-buffers of the queue. Allowed after an error and while the queue is
 * held. */
void write_queue_discard(struct write_queue *queue);
/* Removes the oldest closed sub-buffer from the queue without writing it, and returns it, still
 * marked as in use. The queue must not be empty, and must not use a thread. */
struct sub_buffer *write_queue_drop_first(struct write_queue *queue);
/* Takes a free sub-buffer and returns it; NULL if there is none. Safe while the writer thread runs.
 * rotate: see buffers_take(). */
struct sub_buffer *write_queue_take(struct write_queue *queue, bool rotate);
/* Marks a sub-buffer as free. Safe while the writer thread runs. */
void write_queue_give_back(struct write_queue *queue, struct sub_buffer *sub_buffer);

#endif
