/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - registers the threads that are delivering a record. Lists that these threads may read
 * are kept until the deliveries end.
 *
 * A thread marks a delivery in a word of its own and takes no lock. Lists of subscribers are
 * replaced under the lock tables, never changed. An old list is freed when each thread that was
 * delivering at its replacement has finished that delivery.
 */
#ifndef WARPSCOPE_STANDALONE_THREADS_H
#define WARPSCOPE_STANDALONE_THREADS_H

#include <stdalign.h>

#include "bus/tables/subscriptions.h"

/* An entry of a thread that has emitted. It is never freed; when its thread has ended, the next new
 * thread takes it. */
struct bus_thread {
    alignas(64) uint64_t turns; /* odd while the thread is delivering a record */
    unsigned depth;             /* number of nested deliveries; only the thread itself uses it */
    bool is_taken;
    uint64_t seen;     /* value of turns when the lists in `waiting` were replaced */
    uint64_t number;   /* number of this entry, from 0 on */
    uint64_t n_visits; /* number of visits of points by threads with this entry */
    struct bus_thread *next;
};

/* All threads that have emitted. All zero: none. */
struct bus_threads {
    struct bus_thread *first;
    /* Lists that were replaced before the member `seen` of the threads was set. */
    struct callees *waiting;
};

/* Returns the entry of the calling thread, a new one if needed; NULL if memory is exhausted. */
struct bus_thread *threads_mine(void);

static inline void threads_enter(struct bus_thread *thread)
{
    /* The store must be sequentially consistent with the replacement of lists, see renew_list(). */
    if (thread->depth++ == 0) {
        __atomic_store_n(&thread->turns, thread->turns + 1, __ATOMIC_SEQ_CST);
    }
}

static inline void threads_leave(struct bus_thread *thread)
{
    if (--thread->depth == 0) {
        __atomic_store_n(&thread->turns, thread->turns + 1, __ATOMIC_RELEASE);
    }
}

/* Returns a number, not 0, that no other visit of a point in this process has. */
#define THREADS_VISIT_BITS 44
static inline uint64_t threads_new_visit(struct bus_thread *thread)
{
    return thread->number << THREADS_VISIT_BITS | ++thread->n_visits;
}

/* Returns true if the calling thread is inside a callback. */
bool threads_is_delivering(void);

/* Frees those lists in d->retired and threads->waiting that no thread reads any more. The caller
 * holds the lock tables. */
void threads_reclaim(struct bus_threads *threads, struct dispatching *d);

/* Waits until each delivery of another thread that was in progress has ended, for at most `seconds`
 * (negative: no limit). Returns false after a timeout. The caller must hold no lock. */
bool threads_settle(struct bus_threads *threads, double seconds);

#endif
