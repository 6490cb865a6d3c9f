/*
 * drain.h - the write queue: closed sub-buffers that the caller or the rank's writer thread writes.
 *
 * The simulation's thread closes sub-buffers, takes free ones and handles errors. The writer thread
 * only writes. Messages, MPI and the decision to stop recording thus stay with the simulation's
 * thread. There is one lock per rank, taken a few times per sub-buffer and never per record.
 */
#ifndef WARPSCOPE_RECORD_DRAIN_H
#define WARPSCOPE_RECORD_DRAIN_H

#include <pthread.h>
#include <stdbool.h>

#include "record/buffer/buffers.h"

struct record_stream;

#define DRAIN_STREAMS_MAX 8

/* The writer thread of a rank. Zero-initialise. */
struct drain_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work; /* signals that there may be work */
    pthread_cond_t done; /* signals that a sub-buffer was written or an error occurred */
    struct record_stream *streams[DRAIN_STREAMS_MAX];
    unsigned n_streams;
    unsigned last;                         /* index of the stream served last */
    const struct record_stream *busy_with; /* stream being written; NULL: none */
    bool running;
    bool stop;
};

/* Starts the thread, with all signals blocked. Returns 0 or an errno value. */
int drain_thread_start(struct drain_thread *thread);
/* Writes all closed sub-buffers and joins the thread. No effect if it is not running. */
void drain_thread_stop(struct drain_thread *thread);

/* The closed sub-buffers of one stream, oldest first. */
struct drain {
    struct segment *first; /* the thread may be writing it */
    struct segment **end;
    unsigned n;
    bool stalled; /* true after an error: nothing is written until drain_resume() */
    bool held;    /* true if nothing may be written until drain_release() */
    struct fmt_error error;
    struct drain_thread *thread; /* NULL: the caller writes */
};

/* All functions below are for the simulation's thread. */

void drain_init(struct drain *drain);
/* Lets the thread write what this stream closes from now on. */
void drain_use_thread(struct record_stream *stream, struct drain_thread *thread);
/* Adds a closed sub-buffer to the queue. */
void drain_push(struct record_stream *stream, struct segment *segment);
/* Writes at least one closed sub-buffer, unless the queue is stalled or empty. Returns true if
 * closed sub-buffers are left, including stalled ones. */
bool drain_step(struct record_stream *stream);
/* Returns the number of closed sub-buffers. */
unsigned drain_count(struct record_stream *stream);
bool drain_is_stalled(struct record_stream *stream);
/* Keeps the thread away from this stream and its buffers until drain_release(). Waits until the
 * thread has finished with it. */
void drain_hold(struct record_stream *stream);
void drain_release(struct record_stream *stream);
/* After an error: continues with the sub-buffer whose writing failed. */
void drain_resume(struct record_stream *stream);
/* After an error, or while held: discards all closed sub-buffers. */
void drain_discard(struct record_stream *stream);
/* Take and return sub-buffers, safe while the thread runs. */
struct segment *drain_take(struct record_stream *stream);
void drain_give_back(struct record_stream *stream, struct segment *segment);

#endif
