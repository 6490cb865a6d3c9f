/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - which threads are delivering a record: what they may be reading is kept until they
 * are done with it.
 *
 * A thread that delivers says so in a word of its own and takes no lock. Lists of subscribers are
 * replaced under the lock of the tables, never changed; an old one is freed when each thread that
 * was delivering at its replacement has finished that delivery.
 */
#ifndef WARPSCOPE_STANDALONE_THREADS_H
#define WARPSCOPE_STANDALONE_THREADS_H

#include <stdalign.h>

#include "bus/tables/subscriptions.h"

/* A thread that has emitted. Never freed; the next new thread takes it when its owner has ended. */
struct bus_thread {
    alignas(64) uint64_t turns; /* odd: the thread is delivering */
    unsigned depth;             /* deliveries within deliveries; of the thread itself */
    bool is_taken;
    uint64_t seen;     /* turns when the waiting lists were replaced */
    uint64_t number;   /* of the thread's entry, from 0 */
    uint64_t n_visits; /* of points, by this thread and those that had the entry before */
    struct bus_thread *next;
};

/* All zero: none. */
struct bus_threads {
    struct bus_thread *first;
    struct callees *waiting; /* replaced before the threads' seen */
};

/* The calling thread's, made when it is new. NULL: no memory. */
struct bus_thread *threads_mine(void);

static inline void threads_enter(struct bus_thread *thread)
{
    if (thread->depth++ == 0) { /* in one order with the replacement of lists: see renew_list() */
        __atomic_store_n(&thread->turns, thread->turns + 1, __ATOMIC_SEQ_CST);
    }
}

static inline void threads_leave(struct bus_thread *thread)
{
    if (--thread->depth == 0) {
        __atomic_store_n(&thread->turns, thread->turns + 1, __ATOMIC_RELEASE);
    }
}

/* A number that no other visit of a point has in this process; not 0. */
#define THREADS_VISIT_BITS 44
static inline uint64_t threads_new_visit(struct bus_thread *thread)
{
    return thread->number << THREADS_VISIT_BITS | ++thread->n_visits;
}

/* Is the calling thread inside a callback? */
bool threads_is_delivering(void);

/* Frees what no thread reads any more of d->retired, and of what waits. Under the lock of the
 * tables. */
void threads_reclaim(struct bus_threads *threads, struct dispatching *d);

/* Waits until each delivery of other threads that was under way has ended, at most seconds (below
 * 0: for ever). False: one has not. Without any lock. */
bool threads_settle(struct bus_threads *threads, double seconds);

#endif
