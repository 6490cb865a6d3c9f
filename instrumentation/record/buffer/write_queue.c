/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_queue.c - the write queue of closed sub-buffers, and the thread that writes them.
 *
 * Invariants
 *  D1  Sub-buffers are written in the order in which they were closed.
 *  D2  The first sub-buffer leaves the queue only when all its rows are in the file and, with a
 *      journal, the journal's checkpoint covers them (format/journal.h). An error stalls the queue
 *      with that sub-buffer in front.
 *  D3  Without a thread, the simulation's thread does all work and takes no lock.
 *  D4  With a thread, the lock protects the queue, the in_use flags and the writer. While the
 *      thread writes, it owns the first sub-buffer and the writer.
 *  D5  The thread touches nothing of a queue that is held.
 */
#include "record/buffer/write_queue.h"

#include <assert.h>
#include <signal.h>

static void lock(const struct write_queue *q)
{
    if (q->thread != NULL) {
        pthread_mutex_lock(&q->thread->lock);
    }
}

static void unlock(const struct write_queue *q)
{
    if (q->thread != NULL) {
        pthread_mutex_unlock(&q->thread->lock);
    }
}

static size_t first_used(const struct write_queue *q)
{
    return (size_t)atomic_load_explicit(&q->first->head->used, memory_order_relaxed);
}

/* Writes a block of the rows of the first sub-buffer in the queue to the record file. Called without
 * the lock. */
static enum fmt_status first_write(struct write_queue *q, struct fmt_error *error)
{
    assert(q->first != NULL && q->first->in_use);
    struct sub_buffer *s = q->first;
    const size_t used = first_used(q);
    assert(s->written <= used && used <= q->buffers.capacity);
    size_t consumed = 0;
    enum fmt_status status = FMT_OK;
    if (used > s->written) {
        status = fmt_writer_append_block(&q->writer, s->schema, s->rows + s->written,
                                         used - s->written, s->gvt, &consumed, error);
        s->written += consumed;
    }
    if (status == FMT_OK && s->written == used) {
        buffers_checkpoint(&q->buffers, s->head->order, &q->writer.at);
        q->spilled_bytes += s->is_spill ? used : 0;
    }
    return status;
}

static struct sub_buffer *first_remove(struct write_queue *q)
{
    struct sub_buffer *s = q->first;
    q->first = s->next;
    q->end = q->first == NULL ? &q->first : q->end;
    q->n--;
    return s;
}

/* Removes the first sub-buffer from the queue and frees it if all its rows are written, or, after an
 * error, stalls the queue. Called under the lock. status, error: result of first_write(). */
static void first_done(struct write_queue *q, enum fmt_status status, const struct fmt_error *error)
{
    assert(q->first != NULL && q->n > 0);
    if (status != FMT_OK) {
        q->stalled = true;
        q->error = *error;
        return;
    }
    if (q->first->written == first_used(q)) {
        first_remove(q)->in_use = false;
    }
}

/* ---- Writer thread --------------------------------------------------------------------------- */

/* Returns the next queue with a sub-buffer to write, round-robin; NULL if there is none. */
static struct write_queue *find_work(struct write_thread *t)
{
    assert(t->n_queues <= WRITE_QUEUES_MAX);
    for (unsigned k = 1; k <= t->n_queues; k++) {
        unsigned i = (t->last + k) % t->n_queues;
        struct write_queue *q = t->queues[i];
        if (q->first != NULL && !q->stalled && !q->held) {
            t->last = i;
            return q;
        }
    }
    return NULL;
}

static void *run_thread(void *ctx)
{
    struct write_thread *t = ctx;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        struct write_queue *q = find_work(t);
        if (q != NULL) {
            struct fmt_error error = {0};
            t->busy_with = q;
            pthread_mutex_unlock(&t->lock);
            enum fmt_status status = first_write(q, &error);
            pthread_mutex_lock(&t->lock);
            t->busy_with = NULL;
            first_done(q, status, &error);
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
    assert(!t->running);
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
    for (unsigned i = 0; i < t->n_queues; i++) {
        t->queues[i]->thread = NULL;
    }
    pthread_cond_destroy(&t->work);
    pthread_cond_destroy(&t->done);
    pthread_mutex_destroy(&t->lock);
    t->running = false;
}

/* ---- Functions of the simulation's thread ---------------------------------------------------- */

void write_queue_init(struct write_queue *q)
{
    *q = (struct write_queue){0};
    q->end = &q->first;
}

void write_queue_use_thread(struct write_queue *q, struct write_thread *t)
{
    assert(t->running && t->n_queues < WRITE_QUEUES_MAX && q->first == NULL);
    pthread_mutex_lock(&t->lock);
    t->queues[t->n_queues++] = q;
    q->thread = t;
    pthread_mutex_unlock(&t->lock);
}

void write_queue_leave_thread(struct write_queue *q)
{
    struct write_thread *t = q->thread;
    if (t == NULL) {
        return;
    }
    assert(q->first == NULL);
    write_queue_hold(q);
    pthread_mutex_lock(&t->lock);
    for (unsigned i = 0; i < t->n_queues; i++) {
        if (t->queues[i] == q) {
            t->queues[i] = t->queues[--t->n_queues];
        }
    }
    t->last = 0;
    pthread_mutex_unlock(&t->lock);
    q->thread = NULL;
    q->held = false;
}

void write_queue_push(struct write_queue *q, struct sub_buffer *sub_buffer)
{
    assert(sub_buffer->in_use);
    sub_buffer->next = NULL;
    sub_buffer->written = 0;
    lock(q);
    *q->end = sub_buffer;
    q->end = &sub_buffer->next;
    q->n++;
    if (q->thread != NULL) {
        pthread_cond_signal(&q->thread->work);
    }
    unlock(q);
}

bool write_queue_step(struct write_queue *q)
{
    if (q->thread == NULL) {
        if (q->first != NULL && !q->stalled) {
            struct fmt_error error = {0};
            enum fmt_status status = first_write(q, &error);
            first_done(q, status, &error);
        }
        return q->first != NULL;
    }
    pthread_mutex_lock(&q->thread->lock);
    unsigned n = q->n;
    while (q->n > 0 && q->n == n && !q->stalled) {
        pthread_cond_wait(&q->thread->done, &q->thread->lock);
    }
    bool some = q->first != NULL;
    pthread_mutex_unlock(&q->thread->lock);
    return some;
}

uint64_t write_queue_bytes(struct write_queue *q)
{
    const uint64_t closed = write_queue_count(q) * (uint64_t)q->buffers.capacity;
    return q->thread == NULL && q->first != NULL ? closed - q->first->written : closed;
}

unsigned write_queue_count(struct write_queue *q)
{
    lock(q);
    unsigned n = q->n;
    unlock(q);
    return n;
}

bool write_queue_is_stalled(struct write_queue *q)
{
    lock(q);
    bool stalled = q->stalled;
    unlock(q);
    return stalled;
}

bool write_queue_has_failed(struct write_queue *q, struct fmt_error *error)
{
    lock(q);
    bool stalled = q->stalled;
    if (stalled) {
        *error = q->error;
    }
    unlock(q);
    return stalled;
}

void write_queue_hold(struct write_queue *q)
{
    lock(q);
    q->held = true;
    while (q->thread != NULL && q->thread->busy_with == q) {
        pthread_cond_wait(&q->thread->done, &q->thread->lock);
    }
    unlock(q);
}

void write_queue_release(struct write_queue *q)
{
    lock(q);
    q->held = false;
    if (q->thread != NULL) {
        pthread_cond_signal(&q->thread->work);
    }
    unlock(q);
}

void write_queue_resume(struct write_queue *q)
{
    lock(q);
    q->stalled = false;
    if (q->thread != NULL) {
        pthread_cond_signal(&q->thread->work);
    }
    unlock(q);
}

void write_queue_discard(struct write_queue *q)
{
    lock(q);
    assert(q->thread == NULL || q->stalled || q->held || q->first == NULL);
    for (struct sub_buffer *s = q->first; s != NULL; s = s->next) {
        s->in_use = false;
    }
    q->first = NULL;
    q->end = &q->first;
    q->n = 0;
    q->stalled = false;
    unlock(q);
}

struct sub_buffer *write_queue_drop_first(struct write_queue *q)
{
    assert(q->thread == NULL && q->first != NULL && q->n > 0);
    return first_remove(q);
}

struct sub_buffer *write_queue_take(struct write_queue *q, bool rotate)
{
    lock(q);
    struct sub_buffer *sub_buffer = buffers_take(&q->buffers, rotate);
    unlock(q);
    return sub_buffer;
}

void write_queue_give_back(struct write_queue *q, struct sub_buffer *sub_buffer)
{
    assert(sub_buffer->in_use);
    lock(q);
    sub_buffer->in_use = false;
    unlock(q);
}
