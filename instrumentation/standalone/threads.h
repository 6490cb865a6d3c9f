/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - registers the threads that are delivering a record. Lists of subscribers that these
 * threads may read are kept until the deliveries end.
 *
 * A thread marks the delivery in a word of its own and takes no lock. A list of subscribers is
 * never changed: it is replaced by a new list, under the lock `tables`. The old list is freed once
 * each thread that was delivering a record during the replacement has finished this delivery.
 */
#ifndef WARPSCOPE_STANDALONE_THREADS_H
#define WARPSCOPE_STANDALONE_THREADS_H

#include <stdalign.h>

#include "bus/tables/subscriptions.h"

/* Entry of a thread that has emitted a record. It is never freed. Once its thread has ended, the
 * entry is given to the next new thread. */
struct bus_thread {
    /* Count of deliveries begun and ended; odd while the thread delivers. */
    alignas(64) uint64_t turns;
    /* Number of nested deliveries; used only by the thread itself. */
    unsigned depth;
    bool is_taken;
    uint64_t seen;   /* value of `turns` when the lists in `waiting` were put there */
    uint64_t number; /* index of this entry in the order of creation, from 0 */
    /* Number of visits of points that threads with this entry have begun. */
    uint64_t n_visits;
    struct bus_thread *next;
};

/* Entries of all threads that have emitted a record. If all members are zero, there are no
 * entries. */
struct bus_threads {
    struct bus_thread *first;
    /* Replaced lists. They wait until each thread has finished the delivery, if any, that it was
     * making when its member `seen` was set. */
    struct callees *waiting;
};

/* Returns the entry of the calling thread, and makes one if there is none. NULL if memory is
 * exhausted. */
struct bus_thread *threads_mine(void);

static inline void threads_enter(struct bus_thread *thread)
{
    /* This store must be sequentially consistent, like the store by which renew_list() replaces a
     * list. */
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

/* Returns a number for a new visit of a point: not 0, and different from that of any other visit in
 * this process. */
#define THREADS_VISIT_BITS 44
static inline uint64_t threads_new_visit(struct bus_thread *thread)
{
    return thread->number << THREADS_VISIT_BITS | ++thread->n_visits;
}

/* Returns true if the calling thread runs a callback. */
bool threads_is_delivering(void);

/* Frees each list in d->retired and threads->waiting that no thread can still be reading. The
 * caller holds the lock `tables`. */
void threads_reclaim(struct bus_threads *threads, struct dispatching *d);

/* Waits until all deliveries that other threads had begun before this call have ended, but at most
 * the given number of seconds (negative: without limit). Returns false after a timeout. The caller
 * must not hold the lock `tables`. */
bool threads_settle(struct bus_threads *threads, double seconds);

#endif
