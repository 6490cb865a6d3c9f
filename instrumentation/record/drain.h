/*
 * drain.h - closed segments on their way to the file: written by the caller, or by the rank's
 * writer thread.
 *
 * The simulation's thread closes segments, takes free ones and decides what is to be done after an
 * error; whoever writes does nothing else. So messages, MPI and the decision to stop recording stay
 * with the simulation's thread. One lock per rank, taken a few times per segment, never per record.
 */
#ifndef WARPSCOPE_RECORD_DRAIN_H
#define WARPSCOPE_RECORD_DRAIN_H

#include <pthread.h>
#include <stdbool.h>

#include "record/buffers.h"

struct record_stream;

#define DRAIN_STREAMS_MAX 8

/* The writer thread of a rank. Zero-initialise. */
struct drain_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work; /* there may be something to write */
    pthread_cond_t done; /* something was written, or an error met */
    struct record_stream *streams[DRAIN_STREAMS_MAX];
    unsigned n_streams;
    unsigned last;                         /* stream that was served last */
    const struct record_stream *busy_with; /* NULL: none */
    bool running;
    bool stop;
};

/* Starts it, with all signals blocked. 0 or an errno value. */
int drain_thread_start(struct drain_thread *thread);
/* Has it write what is closed, and joins it. Nothing happens when it is not running. */
void drain_thread_stop(struct drain_thread *thread);

/* The closed segments of one stream, oldest first. */
struct drain {
    struct segment *first; /* may be in the hands of the thread */
    struct segment **end;
    unsigned n;
    bool stalled; /* writing the first failed: error says why; nothing is written until resumed */
    bool held;    /* nothing is written until released */
    struct fmt_error error;
    struct drain_thread *thread; /* NULL: the caller writes */
};

/* All functions below belong to the simulation's thread. */

void drain_init(struct drain *drain);
/* From now on the thread writes what this stream closes. */
void drain_use_thread(struct record_stream *stream, struct drain_thread *thread);
/* Hands over a segment that has been closed. */
void drain_push(struct record_stream *stream, struct segment *segment);
/* Has at least one closed segment written, or finds the drain stalled or empty. Returns whether
 * there are closed segments left, stalled ones included. */
bool drain_step(struct record_stream *stream);
/* Number of closed segments. */
unsigned drain_count(struct record_stream *stream);
bool drain_is_stalled(struct record_stream *stream);
/* The thread writes nothing of this stream, nor looks at its buffers, from here on until released.
 */
void drain_hold(struct record_stream *stream);
void drain_release(struct record_stream *stream);
/* After an error: goes on with the segment whose writing failed. */
void drain_resume(struct record_stream *stream);
/* After an error, or while held: forgets all closed segments. */
void drain_discard(struct record_stream *stream);
/* buffers_take() and the like while the thread may give segments back. */
struct segment *drain_take(struct record_stream *stream);
void drain_give_back(struct record_stream *stream, struct segment *segment);

#endif
