/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - the state of the bus in a program that is no simulation, and its two locks. The objects
 * are in globals.c.
 */
#ifndef WARPSCOPE_STANDALONE_STATE_H
#define WARPSCOPE_STANDALONE_STATE_H

#include <pthread.h>

#include "bus/tables/enable.h"
#include "bus/tables/plugins.h"
#include "bus/tables/points.h"
#include "bus/tables/streams.h"
#include "bus/tables/types.h"
#include "standalone/threads.h"

/*
 * State and locks. Locks are taken in this order: `life` is held while streams are opened and
 * closed and while libraries are notified of it; `tables` is held for each access to a table. The
 * lock tables is not held while callbacks or library functions run. No lock is held while a record
 * is delivered.
 */
struct standalone {
    /* Recursive, since libraries may open streams when they are notified of a stream. */
    pthread_mutex_t life;
    pthread_mutex_t tables; /* protects all members except plugins */
    struct strings strings;
    struct points points;
    struct types types;
    struct streams streams;
    struct dispatching dispatching; /* depth is 1, so that a replaced list is never freed at once */
    struct bus_threads threads;
    uint32_t n_listened; /* atomic; number of streams that have subscribers */
    struct plugins plugins;
    /* Protected by `life`; is_off is set before the first stream is opened. */
    bool is_begun, is_off;
    bool has_thread_key;
    pthread_key_t thread_key; /* key whose destructor releases the thread's entry */
    char stats_path[4096];    /* directory for the files of libraries; "": not requested yet */
};

extern struct standalone g_st_standalone;
extern _Thread_local struct bus_thread *g_st_thread;
/* The stream of each id; atomic, since st_notify() reads it without a lock. */
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

/* Releases the entry of a thread that ends; destructor of thread_key. */
void threads_give_back(void *thread);

/* Updates whether records of a stream reach subscribers. The caller holds the lock tables. */
void listened_refresh(st_stream_id stream);

extern const st_api standalone_api;

#endif
