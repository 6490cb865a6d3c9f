/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock, the state of threads, handles and messages.
 */
#include "runtime/gpu.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void gpu_lock(void)
{
    pthread_mutex_lock(&gpu_state.lock);
}

void gpu_unlock(void)
{
    pthread_mutex_unlock(&gpu_state.lock);
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

void gpu_say(const char *words, ...)
{
    char line[INTERP_ERROR_MAX + 512];
    va_list arguments;
    va_start(arguments, words);
    vsnprintf(line, sizeof line, words, arguments);
    va_end(arguments);
    fprintf(stderr, "warpscope: %s\n", line);
}

bool gpu_handle_add(void *handle, enum gpu_handle kind)
{
    assert(handle != NULL);
    return gpu_map_put(&gpu_state.handles, (uint64_t)(uintptr_t)handle, (void *)(uintptr_t)kind);
}

bool gpu_handle_is(const void *handle, enum gpu_handle kind)
{
    return (uintptr_t)gpu_map_get(&gpu_state.handles, (uint64_t)(uintptr_t)handle) == kind;
}

void gpu_handle_remove(const void *handle)
{
    gpu_map_take(&gpu_state.handles, (uint64_t)(uintptr_t)handle);
}
