/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_queue.c - the write queue of closed sub-buffers, and the thread that writes them.
 *
 * Invariants
 *  D1  Sub-buffers are written in the order in which they were closed.
 *  D2  The first sub-buffer leaves the queue only when all its rows are in the file and, with a
 *      journal, the checkpoint covers them. An error stalls the queue with that sub-buffer in
 *      front.
 *  D3  Without a thread, the simulation's thread does all work and takes no lock.
 *  D4  With a thread, the lock protects the queue, the in_use flags and the writer. While the
 *      thread writes, it owns the first sub-buffer and the writer.
 *  D5  The thread touches nothing of a stream that is held.
 */
#include "record/buffer/write_queue.h"

#include <signal.h>

#include "record/buffer/stream.h"

static void lock(const struct write_queue *d)
{
    if (d->thread != NULL) {
        pthread_mutex_lock(&d->thread->lock);
    }
}

static void unlock(const struct write_queue *d)
{
    if (d->thread != NULL) {
        pthread_mutex_unlock(&d->thread->lock);
    }
}

/* Writes the rows of the first sub-buffer. Called without the lock. */
static enum fmt_status first_write(struct record_stream *stream, struct fmt_error *error)
{
    struct sub_buffer *s = stream->queue.first;
    size_t used = (size_t)atomic_load_explicit(&s->head->used, memory_order_relaxed);
    size_t consumed = 0;
    enum fmt_status status = FMT_OK;
    if (used > s->written) {
        status = fmt_writer_append(&stream->writer, s->schema, s->rows + s->written,
                                   used - s->written, s->gvt, &consumed, error);
        s->written += consumed;
    }
    if (status == FMT_OK) {
        buffers_checkpoint(&stream->buffers, s->head->order, &stream->writer.at);
        stream->spilled_bytes += s->is_spill ? used : 0;
    }
    return status;
}

/* Removes the first sub-buffer from the queue, or stalls after an error. Called under the lock. */
static void first_done(struct record_stream *stream, enum fmt_status status,
                       const struct fmt_error *error)
{
    struct write_queue *d = &stream->queue;
    if (status != FMT_OK) {
        d->stalled = true;
        d->error = *error;
        return;
    }
    struct sub_buffer *s = d->first;
    d->first = s->next;
    d->end = d->first == NULL ? &d->first : d->end;
    d->n--;
    s->in_use = false;
}

/* ---- The thread ------------------------------------------------------------------------------ */

/* Returns the next stream with something to write, round-robin; NULL if there is none. */
static struct record_stream *find_work(struct write_thread *t)
{
    for (unsigned k = 1; k <= t->n_streams; k++) {
        unsigned i = (t->last + k) % t->n_streams;
        const struct write_queue *d = &t->streams[i]->queue;
        if (d->first != NULL && !d->stalled && !d->held) {
            t->last = i;
            return t->streams[i];
        }
    }
    return NULL;
}

static void *run_thread(void *ctx)
{
    struct write_thread *t = ctx;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        struct record_stream *stream = find_work(t);
        if (stream != NULL) {
            struct fmt_error error = {0};
            t->busy_with = stream;
            pthread_mutex_unlock(&t->lock);
            enum fmt_status status = first_write(stream, &error);
            pthread_mutex_lock(&t->lock);
            t->busy_with = NULL;
            first_done(stream, status, &error);
            pthread_cond_broadcast(&t->done);
        } else if (t->stop) {
            break;
        } else {
            pthread_cond_wait(&t->work, &t->lock);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

int write_thread_start(struct write_thread *t)
{
    sigset_t all, before;
    *t = (struct write_thread){0};
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->work, NULL);
    pthread_cond_init(&t->done, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int why = pthread_create(&t->thread, NULL, run_thread, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    t->running = why == 0;
    return why;
}

void write_thread_stop(struct write_thread *t)
{
    if (!t->running) {
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_cond_signal(&t->work);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    for (unsigned i = 0; i < t->n_streams; i++) {
        t->streams[i]->queue.thread = NULL;
    }
    pthread_cond_destroy(&t->work);
    pthread_cond_destroy(&t->done);
    pthread_mutex_destroy(&t->lock);
    t->running = false;
}

/* ---- Functions of the simulation's thread ---------------------------------------------------- */

void write_queue_init(struct write_queue *d)
{
    *d = (struct write_queue){0};
    d->end = &d->first;
}

void write_queue_use_thread(struct record_stream *stream, struct write_thread *t)
{
    assert(t->running && t->n_streams < WRITE_QUEUE_STREAMS_MAX && stream->queue.first == NULL);
    pthread_mutex_lock(&t->lock);
    t->streams[t->n_streams++] = stream;
    stream->queue.thread = t;
    pthread_mutex_unlock(&t->lock);
}

void write_queue_push(struct record_stream *stream, struct sub_buffer *sub_buffer)
{
    struct write_queue *d = &stream->queue;
    sub_buffer->next = NULL;
    sub_buffer->written = 0;
    lock(d);
    *d->end = sub_buffer;
    d->end = &sub_buffer->next;
    d->n++;
    if (d->thread != NULL) {
        pthread_cond_signal(&d->thread->work);
    }
    unlock(d);
}

bool write_queue_step(struct record_stream *stream)
{
    struct write_queue *d = &stream->queue;
    if (d->thread == NULL) {
        if (d->first != NULL && !d->stalled) {
            struct fmt_error error = {0};
            enum fmt_status status = first_write(stream, &error);
            first_done(stream, status, &error);
        }
        return d->first != NULL;
    }
    pthread_mutex_lock(&d->thread->lock);
    unsigned n = d->n;
    while (d->n > 0 && d->n == n && !d->stalled) {
        pthread_cond_wait(&d->thread->done, &d->thread->lock);
    }
    bool some = d->first != NULL;
    pthread_mutex_unlock(&d->thread->lock);
    return some;
}

unsigned write_queue_count(struct record_stream *stream)
{
    lock(&stream->queue);
    unsigned n = stream->queue.n;
    unlock(&stream->queue);
    return n;
}

bool write_queue_is_stalled(struct record_stream *stream)
{
    lock(&stream->queue);
    bool stalled = stream->queue.stalled;
    unlock(&stream->queue);
    return stalled;
}

void write_queue_hold(struct record_stream *stream)
{
    struct write_queue *d = &stream->queue;
    lock(d);
    d->held = true;
    while (d->thread != NULL && d->thread->busy_with == stream) {
        pthread_cond_wait(&d->thread->done, &d->thread->lock);
    }
    unlock(d);
}

void write_queue_release(struct record_stream *stream)
{
    struct write_queue *d = &stream->queue;
    lock(d);
    d->held = false;
    if (d->thread != NULL) {
        pthread_cond_signal(&d->thread->work);
    }
    unlock(d);
}

void write_queue_resume(struct record_stream *stream)
{
    struct write_queue *d = &stream->queue;
    lock(d);
    d->stalled = false;
    if (d->thread != NULL) {
        pthread_cond_signal(&d->thread->work);
    }
    unlock(d);
}

void write_queue_discard(struct record_stream *stream)
{
    struct write_queue *d = &stream->queue;
    lock(d);
    assert(d->thread == NULL || d->stalled || d->held || d->first == NULL);
    for (struct sub_buffer *s = d->first; s != NULL; s = s->next) {
        s->in_use = false;
    }
    d->first = NULL;
    d->end = &d->first;
    d->n = 0;
    d->stalled = false;
    unlock(d);
}

struct sub_buffer *write_queue_take(struct record_stream *stream)
{
    lock(&stream->queue);
    struct sub_buffer *sub_buffer = buffers_take(&stream->buffers, stream->mode == STREAM_MEMORY);
    unlock(&stream->queue);
    return sub_buffer;
}

void write_queue_give_back(struct record_stream *stream, struct sub_buffer *sub_buffer)
{
    lock(&stream->queue);
    sub_buffer->in_use = false;
    unlock(&stream->queue);
}
