/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c - the threads that deliver records, and the release of replaced lists of subscribers.
 *
 * There are two generations of replaced lists. New ones are in d->retired. Those in
 * threads->waiting wait for the threads whose `turns` was odd when the wait began. A list waits
 * there for at most one delivery of each thread, so a thread that emits all the time does not keep
 * the list in use.
 *
 * Invariants
 * 1. turns only grows, and is odd while its thread may read a list.
 * 2. The list of threads only grows, at its head.
 */
#include "standalone/threads.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "standalone/state.h"

#define PAUSE_NS 50000

bool threads_is_delivering(void)
{
    return g_st_thread != NULL && g_st_thread->depth > 0;
}

/* Returns the entry of a thread that has ended, or a new entry; NULL if memory is exhausted. The
 * caller holds the lock `tables`. */
static struct bus_thread *take(struct bus_threads *threads)
{
    struct bus_thread *thread = threads->first;
    while (thread != NULL && thread->is_taken) {
        thread = thread->next;
    }
    if (thread == NULL) {
        thread = aligned_alloc(alignof(struct bus_thread), sizeof *thread);
        if (thread == NULL) {
            return NULL;
        }
        *thread = (struct bus_thread){.next = threads->first};
        thread->number = threads->first == NULL ? 0 : threads->first->number + 1;
        __atomic_store_n(&threads->first, thread, __ATOMIC_RELEASE);
    }
    thread->is_taken = true;
    return thread;
}

struct bus_thread *threads_mine(void)
{
    if (__builtin_expect(g_st_thread == NULL, 0)) {
        tables_lock();
        g_st_thread = take(&g_st_standalone.threads);
        tables_unlock();
        if (g_st_thread != NULL && g_st_standalone.has_thread_key) {
            pthread_setspecific(g_st_standalone.thread_key, g_st_thread);
        }
    }
    return g_st_thread;
}

void threads_give_back(void *ended)
{
    assert(((struct bus_thread *)ended)->is_taken);
    struct bus_thread *thread = ended;
    if (thread->depth > 0) { /* true if the thread ended inside a callback */
        thread->depth = 1;
        threads_leave(thread);
    }
    g_st_thread = NULL;
    tables_lock();
    thread->is_taken = false;
    tables_unlock();
}

static uint64_t turns_of(const struct bus_thread *thread)
{
    return __atomic_load_n(&thread->turns, __ATOMIC_SEQ_CST);
}

/* Returns true if each thread has finished the delivery, if any, that it was making when its member
 * `seen` was set. */
static bool have_moved_on(const struct bus_threads *threads)
{
    for (const struct bus_thread *t = threads->first; t != NULL; t = t->next) {
        if ((t->seen & 1u) != 0 && turns_of(t) == t->seen) {
            return false;
        }
    }
    return true;
}

void threads_reclaim(struct bus_threads *threads, struct dispatching *d)
{
    if (threads->waiting != NULL && have_moved_on(threads)) {
        callees_free(&threads->waiting);
    }
    if (threads->waiting == NULL && d->retired != NULL) {
        threads->waiting = d->retired;
        d->retired = NULL;
        for (struct bus_thread *t = threads->first; t != NULL; t = t->next) {
            t->seen = turns_of(t);
        }
        if (have_moved_on(threads)) {
            callees_free(&threads->waiting);
        }
    }
}

bool threads_settle(struct bus_threads *threads, double seconds)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    double waited = 0;
    const struct bus_thread *t = __atomic_load_n(&threads->first, __ATOMIC_ACQUIRE);
    for (; t != NULL; t = t->next) {
        const uint64_t turns = turns_of(t);
        while (t != g_st_thread && (turns & 1u) != 0 && turns_of(t) == turns) {
            if (seconds >= 0 && waited > seconds) {
                return false;
            }
            nanosleep(&pause, NULL);
            waited += PAUSE_NS * 1e-9;
        }
    }
    return true;
}
