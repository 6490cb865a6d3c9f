/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_calls.h - a device of threads for the tests of tracing: streams are threads that do one operation after the
 * other, and kernels are functions that fill a slot.
 */
#ifndef WARPSCOPE_TESTS_FAKE_CALLS_H
#define WARPSCOPE_TESTS_FAKE_CALLS_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "slot_device.h"
#include "trace/tracer.h"

struct fake_operation {
    struct fake_operation *next;
    void (*function)(void *user);
    void *user;
    void *to;
    const void *from;
    size_t bytes;
};

struct fake_stream {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct fake_operation *first, *last;
    bool is_busy, is_ending, is_capturing;
    pthread_t thread;
};

static int fake_error; /* of the context, atomic: nothing is done any more */

static inline void *fake_run(void *user)
{
    struct fake_stream *s = user;
    pthread_mutex_lock(&s->lock);
    while (s->first != NULL || !s->is_ending) {
        struct fake_operation *o = s->first;
        if (o == NULL) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        s->first = o->next;
        s->last = s->first == NULL ? NULL : s->last;
        s->is_busy = true;
        pthread_mutex_unlock(&s->lock);
        if (__atomic_load_n(&fake_error, __ATOMIC_ACQUIRE) == 0) {
            if (o->function != NULL) {
                o->function(o->user);
            } else {
                memcpy(o->to, o->from, o->bytes);
            }
        }
        free(o);
        pthread_mutex_lock(&s->lock);
        s->is_busy = false;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static inline struct fake_stream *fake_stream_create(void)
{
    struct fake_stream *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    pthread_create(&s->thread, NULL, fake_run, s);
    return s;
}

static inline int fake_put(struct fake_stream *s, struct fake_operation operation)
{
    struct fake_operation *o = malloc(sizeof *o);
    if (__atomic_load_n(&fake_error, __ATOMIC_ACQUIRE) != 0) {
        free(o);
        return fake_error;
    }
    *o = operation;
    pthread_mutex_lock(&s->lock);
    if (s->last == NULL) {
        s->first = o;
    } else {
        s->last->next = o;
    }
    s->last = o;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static inline void fake_stream_wait(struct fake_stream *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->first != NULL || s->is_busy) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

static inline int fake_host_alloc(void **host, uint64_t *device, size_t bytes)
{
    *host = aligned_alloc(256, (bytes + 255) / 256 * 256);
    *device = (uint64_t)(uintptr_t)*host;
    return *host == NULL ? 2 : 0;
}

static inline int fake_host_free(void *host)
{
    free(host);
    return 0;
}

static inline int fake_device_alloc(uint64_t *address, size_t bytes)
{
    *address = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *address == 0 ? 2 : 0;
}

static inline int fake_copy_in(uint64_t to, const void *from, size_t bytes, void *stream)
{
    return fake_put(
        stream, (struct fake_operation){.to = (void *)(uintptr_t)to, .from = from, .bytes = bytes});
}

static inline int fake_copy_out(void *to, uint64_t from, size_t bytes, void *stream)
{
    return fake_put(stream, (struct fake_operation){
                                .to = to, .from = (const void *)(uintptr_t)from, .bytes = bytes});
}

static inline int fake_host_function(void *stream, void (*function)(void *user), void *user)
{
    return fake_put(stream, (struct fake_operation){.function = function, .user = user});
}

static inline bool fake_is_capturing(void *stream)
{
    return ((struct fake_stream *)stream)->is_capturing;
}

static inline int fake_query(uint64_t place, void *stream)
{
    (void)place;
    (void)stream;
    return __atomic_load_n(&fake_error, __ATOMIC_ACQUIRE);
}

static inline const char *fake_error_text(int error)
{
    return error == 700 ? "an illegal memory access was encountered" : "out of memory";
}

static inline int fake_relax(int mode)
{
    return mode;
}

static inline void fake_apart(int on)
{
    (void)on;
}

static const struct ws_calls fake_calls = {.apart = fake_apart,
                                           .host_alloc = fake_host_alloc,
                                           .host_free = fake_host_free,
                                           .device_alloc = fake_device_alloc,
                                           .copy_in = fake_copy_in,
                                           .copy_out = fake_copy_out,
                                           .host_function = fake_host_function,
                                           .is_capturing = fake_is_capturing,
                                           .query = fake_query,
                                           .error_text = fake_error_text,
                                           .relax = fake_relax};

static inline struct ws_stream_key fake_key(struct fake_stream *stream)
{
    return (struct ws_stream_key){.calls = &fake_calls, .handle = stream};
}

#endif
