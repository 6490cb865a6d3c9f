/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - the state of the bus in a program that is not a simulation, and its two locks.
 * globals.c defines the objects.
 */
#ifndef WARPSCOPE_STANDALONE_STATE_H
#define WARPSCOPE_STANDALONE_STATE_H

#include <pthread.h>

#include "bus/tables/plugins.h"
#include "bus/tables/points.h"
#include "bus/tables/streams.h"
#include "bus/tables/types.h"
#include "standalone/threads.h"

/*
 * State of the bus, with its locks. The lock `life` is held while a stream is opened or closed and
 * the libraries are notified of it. The lock `tables` is held for each access to a table, but not
 * while callbacks or functions of libraries run. A thread that takes both takes `life` first. No
 * lock is held while a record is delivered.
 */
struct standalone {
    /* Recursive, since a library that is notified of a stream may open another stream. */
    pthread_mutex_t life;
    pthread_mutex_t tables; /* protects all members except plugins */
    struct strings strings;
    struct points points;
    struct types types;
    struct streams streams;
    /* Replaced lists of subscribers. The member `depth`, the number of calls in progress, is always
     * 1, so that no replaced list is freed at once. */
    struct dispatching dispatching;
    struct bus_threads threads;
    uint32_t n_listened; /* atomic; number of streams that have subscribers */
    struct plugins plugins;
    /* State of the set-up, protected by `life`. is_off is set before the first stream is opened. */
    bool is_begun, is_off;
    bool has_thread_key;
    /* Key whose destructor, threads_give_back(), releases the entry of a thread. */
    pthread_key_t thread_key;
    char stats_path[4096]; /* directory for the files of libraries; "": not requested yet */
};

extern struct standalone g_st_standalone;
extern _Thread_local struct bus_thread *g_st_thread;
/* [id]: stream with this id; NULL: none. Elements are atomic, since st_notify() reads them without
 * a lock. */
extern struct stream *g_st_streams[ST_STREAMS_MAX];

static inline void tables_lock(void)
{
    pthread_mutex_lock(&g_st_standalone.tables);
}

static inline void tables_unlock(void)
{
    pthread_mutex_unlock(&g_st_standalone.tables);
}

static inline void life_lock(void)
{
    pthread_mutex_lock(&g_st_standalone.life);
}

static inline void life_unlock(void)
{
    pthread_mutex_unlock(&g_st_standalone.life);
}

/* Releases the entry of a thread when the thread ends. Destructor of thread_key. */
void threads_give_back(void *thread);

/* Updates the state that says if a stream has subscribers: g_st_listened[stream] and n_listened.
 * The caller holds the lock `tables`. */
void listened_refresh(st_stream_id stream);

extern const st_api standalone_api;

#endif
