/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stream.c - see stream.h.
 *
 * Invariants
 *  S1  Launches in the queue are in the order of the stream.
 *  S2  buffer[at .. have) are the records before place memory->ring.drained, without gaps.
 *  S3  Records of the second launch in the queue appear in the ring only after the first one has
 *      ended or was rejected: the host function that marks its end precedes them in the stream.
 */
#define _GNU_SOURCE
#include "trace/stream.h"

#include <assert.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/say.h"

#define MILLISECOND 1000000L

static int state_of(const struct ws_traced_launch *launch)
{
    return __atomic_load_n(&launch->state, __ATOMIC_ACQUIRE);
}

static void sleep_for(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* Returns true if CUDA has not accepted a launch of this state. */
static bool is_rejected(int state)
{
    return state == WS_CANCELLED || state == WS_REFUSED;
}

/* Frees a launch if it has ended or was rejected. A launch in another state stays allocated: CUDA
 * calls its host function later or never. */
static void launch_free(struct ws_traced_launch *launch)
{
    int state = state_of(launch);
    if (state == WS_ENDED || is_rejected(state)) {
        free(launch);
    }
}

/* ---- Thread of the stream -------------------------------------------------------------------- */

static void failure_note(struct ws_traced_stream *s)
{
    bool is_first = !__atomic_load_n(&s->is_useless, __ATOMIC_RELAXED);
    if (ws_trace_file_failed(s->file) || ws_trace_file_is_full(s->file)) {
        __atomic_store_n(&s->is_useless, true, __ATOMIC_RELAXED);
        if (is_first && ws_trace_file_failed(s->file)) {
            ws_trace_say("a file cannot be written; its stream is no longer traced, and the "
                         "program goes on");
        }
    }
}

/* Waits, longer with each consecutive call. *idle: number of consecutive calls. Flushes the file
 * when no records have arrived for a while. */
static void idle_wait(struct ws_traced_stream *s, unsigned *idle)
{
    if (*idle < 16) {
        sched_yield();
    } else {
        sleep_for(*idle < 64 ? MILLISECOND / 20 : MILLISECOND);
    }
    if (++*idle == 200) {
        ws_trace_file_flush(s->file);
    }
}

/* Writes to the file the records in the buffer that belong to the launch. */
static void buffer_write(struct ws_traced_stream *s, const struct ws_traced_launch *launch,
                         int state)
{
    assert(s->at <= s->have && s->have <= sizeof s->buffer / sizeof s->buffer[0]);
    assert(s->have - s->at <= s->memory->ring.drained);
    uint64_t n = s->have - s->at, from = s->memory->ring.drained - n;
    if (state == WS_ENDED && launch->end < s->memory->ring.drained) {
        n = launch->end > from ? launch->end - from : 0;
    }
    ws_trace_file_add(s->file, s->buffer + s->at, (size_t)n);
    s->at += (size_t)n;
    failure_note(s);
    __atomic_fetch_add(&s->written, 1, __ATOMIC_RELAXED);
}

/* Writes to the file the remaining records before place `end`, after a launch has ended or if it
 * will never end. */
static void rest_write(struct ws_traced_stream *s, uint64_t end)
{
    size_t n;
    const size_t most = sizeof s->buffer / sizeof s->buffer[0];
    assert(s->at == s->have); /* the buffer does not contain older records */
    while ((n = ws_ring_take_rest(&s->memory->ring, end, s->buffer, most)) > 0) {
        ws_trace_file_add(s->file, s->buffer, n);
    }
    s->at = s->have = 0;
}

static void note_write(struct ws_traced_stream *s, const struct ws_traced_launch *launch, int state)
{
    char name[WS_TRACE_NAME_MAX];
    assert(state != WS_RUNNING);
    ws_trace_name(name, launch->kernel, true);
    if (state == WS_ENDED && launch->lost > 0) {
        ws_trace_file_incomplete(s->file,
                                 "%" PRIu64 " accesses of launch %" PRIu64
                                 ", %.200s, are missing: it waited too "
                                 "long for them to be written",
                                 launch->lost, s->launches, name);
        ws_trace_say(
            "%" PRIu64
            " accesses of %.200s are missing: the kernel waited too long for them to be written "
            "(WARPSCOPE_MEMTRACE_PATIENCE)",
            launch->lost, name);
    } else if (state == WS_FAULT) {
        const char *text = s->key.calls->error_text(launch->error);
        ws_trace_file_incomplete(s->file, "launch %" PRIu64 ", %.200s, did not end: %.100s",
                                 s->launches, name, text);
        ws_trace_say("%.200s did not end (%.100s); its trace has the accesses before", name, text);
    } else if (state == WS_REFUSED) {
        ws_trace_file_incomplete(s->file, "a launch of %.200s could not run: %.100s", name,
                                 s->key.calls->error_text(launch->error));
    } else if (state == WS_ABANDONED) {
        ws_trace_file_incomplete(s->file,
                                 "launch %" PRIu64 ", %.200s, was running when the program ended",
                                 s->launches, name);
        ws_trace_say("%.200s was running when the program ended; its trace has the accesses before",
                     name);
    }
}

/* Writes to the file the accesses of `launch`, the first launch in the queue, until it has
 * ended. */
static void launch_drain(struct ws_traced_stream *s, struct ws_traced_launch *launch)
{
    struct ws_ring *ring = &s->memory->ring;
    bool has_begun = false;
    unsigned idle = 0;
    for (;;) {
        int before = state_of(launch);
        if (s->at == s->have) {
            s->at = 0;
            s->have = ws_ring_take(ring, s->buffer, sizeof s->buffer / sizeof s->buffer[0]);
        }
        /* The state is read again after the records: by S3, the launch has ended or was rejected if
         * the buffer contains records of the next launch. */
        int state = state_of(launch);
        bool has_more = s->at < s->have && !is_rejected(state) &&
                        (state != WS_ENDED || ring->drained - (s->have - s->at) < launch->end);
        if ((has_more || (before != WS_RUNNING && !is_rejected(before))) && !has_begun) {
            ws_trace_file_launch(s->file, launch->kernel);
            if (launch->untraced != NULL) {
                ws_trace_file_untraced(s->file, launch->kernel, launch->untraced);
            }
            has_begun = true;
        }
        if (has_more) {
            buffer_write(s, launch, state);
            idle = 0;
        } else if (before != WS_RUNNING) {
            if (before == WS_ENDED && s->at == s->have) {
                rest_write(s, launch->end);
            } else if (before == WS_FAULT || before == WS_ABANDONED) {
                rest_write(s, ring->drained + ring->mask + 1);
            }
            note_write(s, launch, before);
            s->launches += has_begun;
            return;
        } else {
            idle_wait(s, &idle);
        }
    }
}

/* Waits until a launch arrives, with the lock held. If none arrives for a while, flushes the
 * file, so that a killed program leaves all records in it. *is_written: true if the file is
 * flushed. */
static void launch_wait(struct ws_traced_stream *s, bool *is_written)
{
    struct timespec until;
    assert(s->first == NULL && !s->is_ending);
    if (*is_written) {
        pthread_cond_wait(&s->changed, &s->lock);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200 * MILLISECOND;
    until.tv_sec += until.tv_nsec / (1000 * MILLISECOND);
    until.tv_nsec %= 1000 * MILLISECOND;
    int error = pthread_cond_timedwait(&s->changed, &s->lock, &until);
    if (error != 0 && s->first == NULL && !s->is_ending) {
        pthread_mutex_unlock(&s->lock);
        ws_trace_file_flush(s->file);
        pthread_mutex_lock(&s->lock);
        *is_written = true;
    }
}

static void *stream_run(void *user)
{
    struct ws_traced_stream *s = user;
    bool is_written = true;
    pthread_mutex_lock(&s->lock);
    while (s->first != NULL || !s->is_ending) {
        if (s->first == NULL) {
            launch_wait(s, &is_written);
            continue;
        }
        is_written = false;
        struct ws_traced_launch *launch = s->first;
        pthread_mutex_unlock(&s->lock);
        launch_drain(s, launch);
        pthread_mutex_lock(&s->lock);
        assert(s->first == launch && s->last != NULL); /* only this thread removes launches */
        s->first = launch->next;
        s->last = s->first == NULL ? NULL : s->last;
        s->removed++;
        launch_free(launch);
        if (s->first == NULL) {
            pthread_cond_broadcast(&s->changed);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- Launches -------------------------------------------------------------------------------- */

void ws_launch_set(struct ws_traced_launch *launch, enum ws_launch_state state, int error)
{
    int running = WS_RUNNING;
    assert(state != WS_RUNNING);
    launch->error = error;
    __atomic_compare_exchange_n(&launch->state, &running, (int)state, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
}

/* Marks a launch as ended. CUDA calls this function in the order of the stream, after the kernel
 * and the copy of the slot's counts. */
static void launch_ended(void *user)
{
    struct ws_traced_launch *launch = user;
    struct ws_traced_stream *s = launch->stream;
    struct ws_slot_memory *memory = s->memory;
    launch->end = memory->copy->reserved;
    launch->lost = memory->copy->lost - s->lost;
    s->lost = memory->copy->lost;
    __atomic_store_n(&memory->ring.control->forgiven, s->lost, __ATOMIC_RELAXED);
    ws_launch_set(launch, WS_ENDED, 0);
}

struct ws_traced_launch *ws_stream_launch(struct ws_traced_stream *s,
                                          const struct ws_traced_kernel *kernel)
{
    size_t size = strlen(kernel->name) + 1;
    size_t more = kernel->untraced == NULL ? 0 : strlen(kernel->untraced) + 1;
    struct ws_traced_launch *launch = calloc(1, sizeof *launch + size + more);
    if (launch == NULL) {
        return NULL;
    }
    launch->stream = s;
    memcpy(launch->kernel, kernel->name, size);
    if (more > 0) { /* a copy, since the table goes away with the library that contains it */
        launch->untraced = memcpy(launch->kernel + size, kernel->untraced, more);
    }
    pthread_mutex_lock(&s->lock);
    assert((s->first == NULL) == (s->last == NULL));
    if (s->last == NULL) {
        s->first = launch;
    } else {
        s->last->next = launch;
    }
    s->last = launch;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return launch;
}

void ws_stream_launched(struct ws_traced_stream *s, struct ws_traced_launch *launch)
{
    const struct ws_calls *calls = s->key.calls;
    int error =
        calls->copy_out(s->memory->copy, s->memory->slot, 2 * sizeof(uint64_t), s->key.handle);
    if (error == 0) {
        error = calls->host_function(s->key.handle, launch_ended, launch);
    }
    if (error != 0) {
        __atomic_store_n(&s->is_faulty, true, __ATOMIC_RELAXED);
        ws_launch_set(launch, WS_FAULT, error);
    }
}

void ws_stream_set(struct ws_traced_stream *s, enum ws_launch_state state, int error)
{
    pthread_mutex_lock(&s->lock);
    __atomic_store_n(&s->is_faulty, true, __ATOMIC_RELAXED);
    for (struct ws_traced_launch *l = s->first; l != NULL; l = l->next) {
        if (state_of(l) == WS_RUNNING) {
            ws_launch_set(l, state, error);
        }
    }
    pthread_mutex_unlock(&s->lock);
}

void ws_stream_check(struct ws_traced_stream *s)
{
    if (!ws_stream_is_idle(s) && !__atomic_load_n(&s->is_faulty, __ATOMIC_RELAXED)) {
        int error = s->key.calls->query(s->key.place, s->is_retired ? NULL : s->key.handle);
        if (error != 0) {
            ws_stream_set(s, WS_FAULT, error);
        }
    }
}

bool ws_stream_is_idle(struct ws_traced_stream *s)
{
    pthread_mutex_lock(&s->lock);
    bool is_idle = s->first == NULL;
    pthread_mutex_unlock(&s->lock);
    return is_idle;
}

/* ---- Creation and end ------------------------------------------------------------------------ */

bool ws_thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
    sigset_t all, kept;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    bool good = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    return good;
}

struct ws_traced_stream *ws_stream_create(const struct ws_stream_key *key,
                                          struct ws_slot_memory *memory, struct ws_trace_file *file)
{
    assert(key->handle != NULL && file != NULL && ws_ring_check(&memory->ring));
    struct ws_traced_stream *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->key = *key;
    s->memory = memory;
    s->file = file;
    s->lost = memory->ring.control->forgiven;
    pthread_mutex_init(&s->launching, NULL);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!ws_thread_start(&s->thread, stream_run, s)) {
        free(s);
        return NULL;
    }
    return s;
}

/* Returns a number that changes whenever a launch leaves the queue, and whenever records of a
 * launch that has ended are written. Records of a running launch do not count: it may run
 * forever. */
static uint64_t progress_of(struct ws_traced_stream *s)
{
    pthread_mutex_lock(&s->lock);
    bool is_running = s->first != NULL && state_of(s->first) == WS_RUNNING;
    uint64_t removed = s->removed;
    pthread_mutex_unlock(&s->lock);
    return (removed << 32) + (is_running ? 0 : __atomic_load_n(&s->written, __ATOMIC_RELAXED));
}

/* Waits until the queue is empty, but not longer than `grace` nanoseconds without progress. */
static void queue_wait(struct ws_traced_stream *s, uint64_t grace)
{
    uint64_t seen = progress_of(s);
    long steps = (long)(grace / MILLISECOND);
    for (long left = steps; left > 0 && !ws_stream_is_idle(s); left--) {
        uint64_t now = progress_of(s);
        left = now != seen ? steps : left;
        seen = now;
        if (left % 64 == 32) {
            ws_stream_check(s);
        }
        sleep_for(MILLISECOND);
    }
}

struct ws_slot_memory *ws_stream_end(struct ws_traced_stream *s, uint64_t grace,
                                     const struct ws_untraced *untraced, size_t n, bool *good,
                                     char *error)
{
    struct ws_slot_memory *memory = s->memory;
    queue_wait(s, grace);
    if (!ws_stream_is_idle(s)) {
        __atomic_store_n(&memory->ring.control->stop, 1, __ATOMIC_RELEASE);
        ws_stream_set(s, WS_ABANDONED, 0);
    }
    pthread_mutex_lock(&s->lock);
    s->is_ending = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    for (size_t i = 0; i < n; i++) {
        char text[128];
        snprintf(text, sizeof text, "all accesses, %.100s", untraced[i].why);
        ws_trace_file_untraced(s->file, untraced[i].kernel, text);
    }
    *good = ws_trace_file_finish(s->file, error);
    s->file = NULL;
    if (s->is_faulty || s->is_kept) { /* host functions that run late may still use the stream */
        return NULL;
    }
    pthread_mutex_destroy(&s->launching);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
    return memory;
}
