/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - calls the subscribers to a stream in a simulation. A guard around each call detects a
 * subscriber that changes the simulation.
 */
#ifndef WARPSCOPE_BUS_CALLS_H
#define WARPSCOPE_BUS_CALLS_H

#include <assert.h>

#include "bus/tables/subscriptions.h"
#include "engine/probe.h"

/* Maximum depth of nested calls: a subscriber may emit records to which it subscribes itself. */
#define CALL_DEPTH_MAX 1000

/* Calls the subscribers in both lists, merged in the order of their subscriptions. */
void callees_call_both(const struct callees *a, const struct callees *b, const st_record *record)
    __attribute__((cold));
/* Frees the lists that were replaced during calls. No call may be in progress. */
void callees_free_retired(struct dispatching *dispatching) __attribute__((cold));
/* Ends the run with an error message that the calls to the first subscriber in `list` are nested
 * too deeply. */
void callees_refuse_circle(const struct callees *list, const st_record *record)
    __attribute__((cold, noreturn));

/* Calls the subscribers in one list, which is the usual case. Consecutive subscribers with the same
 * name share one guard. */
static inline void callees_call_list(const struct callees *list, const st_record *record)
{
    assert(list->n >= 1);
    const struct callee *c = list->list;
    const struct callee *end = c + list->n;
    if (g_tw_pe == NULL) { /* before tw_init() and after tw_end(), there is no run to guard */
        do {
            c->callback(record, c->arg);
        } while (++c < end);
        return;
    }
    do {
        const char *name = c->name;
        probe_observer_enter(name);
        do {
            c->callback(record, c->arg);
        } while (++c < end && c->name == name);
        probe_observer_leave();
    } while (c < end);
}

/* Guard of a call into a subscriber library, see struct plugins. */
void library_guard_enter(const char *library);
void library_guard_leave(void);

/* Calls the subscribers in a list without a guard: the fast path, which is only allowed while no
 * subscriber is being called. */
static inline void callees_call_outermost(const struct callees *list, struct dispatching *d,
                                          const st_record *record)
{
    assert(d->depth == 0);
    d->depth = 1;
    const struct callee *c = list->list;
    do {
        c->callback(record, c->arg);
    } while ((++c)->callback != NULL);
    d->depth = 0;
    if (__builtin_expect(d->retired != NULL, 0)) {
        callees_free_retired(d);
    }
}

/* Calls the subscribers in both lists in the order of their subscriptions. all: subscribers to all
 * types; own: subscribers to the record's type. One of the lists may be NULL. */
static inline void callees_call(const struct callees *all, const struct callees *own,
                                struct dispatching *d, const st_record *record)
{
    assert(all != NULL || own != NULL);
    if (__builtin_expect(++d->depth > CALL_DEPTH_MAX, 0)) {
        callees_refuse_circle(own != NULL ? own : all, record);
    }
    if (all == NULL || own == NULL) {
        callees_call_list(all == NULL ? own : all, record);
    } else {
        callees_call_both(all, own, record);
    }
    if (--d->depth == 0 && __builtin_expect(d->retired != NULL, 0)) {
        callees_free_retired(d);
    }
}

/* Returns the list of the subscribers of class `records` that listen to this type; NULL if no
 * subscriber listens, or if there are two lists (all types, this type). */
static inline const struct callees *subscribers_only_list(const struct subscribers *s, st_type type,
                                                          st_class records)
{
    const struct listeners *l = s->classes[records];
    const struct callees *own = l == NULL ? NULL : listeners_own(l, type);
    if (own == NULL || l->all == NULL) {
        return l == NULL || own != NULL ? own : l->all;
    }
    return NULL;
}

/* Calls the subscribers of class `records` that listen to the record, see bus_dispatch(). */
static inline void subscribers_call(const struct subscribers *subscribers,
                                    struct dispatching *dispatching, const st_record *record,
                                    st_class records)
{
    const struct listeners *l = subscribers->classes[records];
    if (l == NULL) {
        return;
    }
    const struct callees *own = listeners_own(l, record->type);
    if (l->all != NULL || own != NULL) {
        callees_call(l->all, own, dispatching, record);
    }
}

#endif
