/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subscriptions.h - the subscriptions to one stream. calls.h calls the subscribers in simulations.
 */
#ifndef WARPSCOPE_BUS_TABLES_SUBSCRIPTIONS_H
#define WARPSCOPE_BUS_TABLES_SUBSCRIPTIONS_H

#include <assert.h>

#include "st_bus.h"

#define SUBSCRIPTION_CLASSES 2

/* A subscription, active or ended. */
struct subscription {
    st_callback callback;
    void *arg;
    const char *name; /* name of the subscriber in error messages */
    st_type type;
    bool active;
};

/* A function to call with records of one type or of all types. A callee does not change once its
 * list is in use. */
struct callee {
    st_callback callback;
    void *arg;
    const char *name;
    /* Index of the subscription among those of its class and stream. */
    uint64_t order;
};
struct callees {
    struct callees *retired_before;
    size_t n;             /* number of callees, at least 1 */
    struct callee list[]; /* n callees, and a last entry whose callback is NULL */
};

#define SUBSCRIPTION_PAGES 256

/* The subscriptions of one class to one stream. A zero-initialised object has none. */
struct listeners {
    struct callees *all; /* subscribers to all types; NULL: none */
    /* pages[type / 256][type % 256]: list of the subscribers to this type. NULL in either array: no
     * such subscribers. */
    struct callees **pages[SUBSCRIPTION_PAGES];
    /* Owned; all subscriptions, active or ended, in the order in which they were made. */
    struct subscription *subscriptions;
    size_t n, max;
    /* Number of active subscriptions. */
    size_t n_active;
};

/* The subscriptions to a stream. A zero-initialised object has none. */
struct subscribers {
    /* [c]: subscriptions of class c; NULL: none so far. */
    struct listeners *classes[SUBSCRIPTION_CLASSES];
};

/* Calls of subscribers in progress, and the lists of callees that were replaced during these calls.
 * All streams share this object. */
struct dispatching {
    unsigned depth; /* number of nested calls */
    /* Lists that were replaced, to be freed when the outermost call has returned; linked by
     * retired_before. */
    struct callees *retired;
};

static inline bool class_is_valid(st_class records)
{
    return records == ST_SPECULATIVE || records == ST_COMMITTED;
}

/* Frees a list of lists that were replaced, and empties it. No call may be in progress. */
void callees_free(struct callees **retired);

/* Adds a subscription as st_subscribe() does; the class must be valid. what->name must outlive all
 * subscriptions. Other threads may read the lists meanwhile, if each replaced list is kept until no
 * thread reads it. */
st_result subscribers_add(struct subscribers *subscribers, struct dispatching *dispatching,
                          const struct subscription *what, st_class records);
/* Ends a subscription as st_unsubscribe() does; the class must be valid. Other threads may read the
 * lists as with subscribers_add(). */
st_result subscribers_remove(struct subscribers *subscribers, struct dispatching *dispatching,
                             const struct subscription *what, st_class records);

/* Returns the list of subscribers to exactly this type; NULL: none. */
static inline struct callees *listeners_own(const struct listeners *l, st_type type)
{
    struct callees *const *page = l->pages[type >> 8];
    return page == NULL ? NULL : page[type & 255u];
}

static inline bool subscribers_listen(const struct subscribers *s, st_type type, st_class records)
{
    assert((unsigned)records < SUBSCRIPTION_CLASSES);
    const struct listeners *l = s->classes[records];
    return l != NULL && (l->all != NULL || listeners_own(l, type) != NULL);
}

/* Returns the number of active subscriptions of both classes. */
static inline size_t subscribers_count(const struct subscribers *s)
{
    size_t n = 0;
    for (int c = 0; c < SUBSCRIPTION_CLASSES; c++) {
        n += s->classes[c] == NULL ? 0 : s->classes[c]->n_active;
    }
    return n;
}

bool subscribers_check(const struct subscribers *subscribers);
void subscribers_fini(struct subscribers *subscribers);

#endif
