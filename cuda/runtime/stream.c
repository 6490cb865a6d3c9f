/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Streams: queues of tasks and their threads; the state of threads of the program, which have streams of their own.
 */
#include "trace/stream.h"
#include "runtime/graph.h"
#include "runtime/module.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static void free_task(struct gpu_task *task)
{
    for (size_t i = 0; i < task->need_count; i++) {
        gpu_stream_drop(task->needs[i].stream);
    }
    gpu_work_drop(task->work);
    free(task);
}

void gpu_stream_drop(struct gpu_stream *stream)
{
    assert(stream->references > 0);
    if (--stream->references > 0) {
        return;
    }
    assert(!stream->running && !stream->first);
    pthread_cond_destroy(&stream->changed);
    gpu_capture_attach(&stream->capture, &stream->front, NULL);
    free(stream);
}

void gpu_wait_locked(struct gpu_point point)
{
    assert(point.ticket <= point.stream->issued);
    point.stream->references++;
    while (point.stream->done < point.ticket && !gpu_state.forked) {
        pthread_cond_wait(&point.stream->changed, &gpu_state.lock);
    }
    gpu_stream_drop(point.stream);
}

static void *work(void *argument)
{
    struct gpu_stream *s = argument;
    gpu_lock();
    for (;;) {
        while (!s->first && !s->closing) {
            pthread_cond_wait(&s->changed, &gpu_state.lock);
        }
        struct gpu_task *task = s->first;
        if (!task) {
            break;
        }
        for (size_t i = 0; i < task->need_count; i++) {
            gpu_wait_locked(task->needs[i]);
        }
        s->first = task->next;
        if (!s->first) {
            s->last = NULL;
        }
        gpu_unlock();
        int failed = gpu_failed(s->device);
        if (!failed || task->lasting) {
            task->work->run(s, task->work->data, failed);
        }
        gpu_lock();
        free_task(task);
        s->done++;
        assert(s->done <= s->issued);
        pthread_cond_broadcast(&s->changed);
    }
    gpu_unlock();
    gpu_record_end(s);
    gpu_lock();
    s->running = false;
    gpu_stream_drop(s);
    gpu_state.threads--;
    pthread_cond_broadcast(&gpu_state.thread_ended);
    gpu_unlock();
    return NULL;
}

/* Starts the thread of a stream. The caller holds the lock. */
static bool start(struct gpu_stream *s)
{
    pthread_t thread;
    assert(!s->running && !s->first);
    s->running = ws_thread_start(&thread, work, s);
    if (s->running) {
        pthread_detach(thread);
        s->references++;
        gpu_state.threads++;
    }
    return s->running;
}

int gpu_stream_create(struct gpu_device *device, unsigned flags, int priority,
                      struct gpu_stream **stream)
{
    GPU_HOLD;
    struct gpu_stream *s = gpu_handle_new(sizeof *s, GPU_STREAM);
    TRY(CHECK(s, GPU_OUT_OF_MEMORY));
    pthread_cond_init(&s->changed, NULL);
    s->device = device;
    s->flags = flags;
    s->priority = priority < 0 ? -1 : 0;
    s->blocking = !(flags & STREAM_NON_BLOCKING);
    s->references = 1;
    s->number = ++device->next_stream;
    s->next = device->streams;
    device->streams = s;
    *stream = s;
    return GPU_OK;
}

int gpu_stream_destroy(struct gpu_stream *stream)
{
    GPU_HOLD;
    gpu_handle_remove(stream);
    struct gpu_stream **link = &stream->device->streams;
    while (*link && *link != stream) {
        link = &(*link)->next;
    }
    if (*link) {
        *link = stream->next;
    }
    stream->closing = true;
    pthread_cond_broadcast(&stream->changed);
    gpu_stream_drop(stream);
    return GPU_OK;
}

static void end_of_thread(void *state)
{
    struct gpu_thread *t = state;
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        if (t->streams[i]) {
            gpu_stream_destroy(t->streams[i]);
        }
    }
    free(t);
}

/* Called in the child process after fork(). The child does not have the threads of the streams.
 * Functions that need these threads fail, as in NVIDIA's library. */
static void become_child(void)
{
    gpu_state.threads = 0;
    gpu_state.ended = true;
    gpu_state.forked = true;
    gpu_unlock();
}

static void make_key(void)
{
    pthread_atfork(gpu_lock, gpu_unlock, become_child);
    if (pthread_key_create(&gpu_state.key, end_of_thread) != 0) {
        gpu_say(
            "the program uses all keys of pthread_key_create(), of which this library needs one");
        abort();
    }
}

struct gpu_thread *gpu_thread(void)
{
    pthread_once(&gpu_state.once, make_key);
    struct gpu_thread *t = pthread_getspecific(gpu_state.key);
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t || pthread_setspecific(gpu_state.key, t) != 0) {
            gpu_say("out of memory for the state of a thread");
            abort();
        }
    }
    return t;
}

/* Adds to a task the points for which it waits because of the legacy default stream. The caller
 * holds the lock. */
static void imply(struct gpu_stream *stream, struct gpu_task *task)
{
    if (!stream->blocking) {
        return;
    }
    for (struct gpu_stream *s = stream->device->streams; s; s = s->next) {
        bool ordered = stream->legacy ? s->blocking : s->legacy;
        if (!ordered || s == stream || s->done == s->issued) {
            continue;
        }
        s->references++;
        task->needs[task->need_count++] = (struct gpu_point){s, s->issued};
    }
}

int gpu_submit(struct gpu_stream *stream, struct gpu_work *work, bool lasting)
{
    GPU_HOLD;
    int code = gpu_capture_check(stream);
    if (stream->capture) {
        return work ? gpu_capture_add(stream, work) : GPU_OUT_OF_MEMORY;
    }
    if (code) {
        gpu_work_drop(work);
    }
    return code ?: gpu_submit_locked(stream, work, NULL, lasting);
}

int gpu_submit_locked(struct gpu_stream *stream, struct gpu_work *work,
                      const struct gpu_point *need, bool lasting)
{
    size_t room = need != NULL;
    for (struct gpu_stream *s = stream->device->streams; s; s = s->next) {
        room++;
    }
    struct gpu_task *task = calloc(1, sizeof *task + room * sizeof task->needs[0]);
    int code = task && work ? GPU_OK : GPU_OUT_OF_MEMORY;
    if (!code && gpu_state.ended) {
        code = GPU_UNLOADING;
    }
    if (!code && !stream->running && !start(stream)) {
        code = GPU_OS_ERROR;
    }
    if (code) {
        free(task);
        gpu_work_drop(work);
        return code;
    }
    task->work = work;
    task->lasting = lasting;
    if (need && need->stream) {
        need->stream->references++;
        task->needs[task->need_count++] = *need;
    }
    imply(stream, task);
    assert(task->need_count <= room);
    assert((stream->first == NULL) == (stream->last == NULL));
    *(stream->last ? &stream->last->next : &stream->first) = task;
    stream->last = task;
    stream->issued++;
    pthread_cond_broadcast(&stream->changed);
    return GPU_OK;
}

int gpu_stream_query(struct gpu_stream *stream)
{
    TRY(gpu_failed(stream->device) ?: gpu_capture_wait(stream, NULL, 0));
    GPU_HOLD;
    return stream->done == stream->issued ? GPU_OK : GPU_NOT_READY;
}

/* Waits until the threads of all streams, including destroyed ones, have ended. Returns false if
 * some threads have not ended after `seconds`. The caller holds the lock. */
static bool threads_end(int seconds)
{
    struct timespec end;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += seconds;
    while (gpu_state.threads > 0 && error != ETIMEDOUT) {
        error = pthread_cond_timedwait(&gpu_state.thread_ended, &gpu_state.lock, &end);
    }
    return gpu_state.threads == 0;
}

void gpu_streams_finish(void)
{
    enum { PATIENCE = 10 }; /* seconds that kernels may continue after the end of the program */
    GPU_HOLD;
    gpu_state.ended = true;
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        for (struct gpu_stream *s = gpu_state.devices[i] ? gpu_state.devices[i]->streams : NULL; s;
             s = s->next) {
            s->closing = true;
            pthread_cond_broadcast(&s->changed);
        }
    }
    if (!threads_end(PATIENCE)) {
        gpu_say("kernels were still running %d seconds after the program's end: they are cancelled",
                PATIENCE);
        for (int i = 0; i < GPU_DEVICES_MAX; i++) {
            if (gpu_state.devices[i]) {
                __atomic_store_n(&gpu_state.devices[i]->cancel, 1, __ATOMIC_RELAXED);
            }
        }
        threads_end(PATIENCE);
    }
    ws_memory_finish();
}
