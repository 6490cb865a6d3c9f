/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subscriptions.h - who listens to one stream. Calling them: calls.h in simulations.
 */
#ifndef WARPSCOPE_BUS_TABLES_SUBSCRIPTIONS_H
#define WARPSCOPE_BUS_TABLES_SUBSCRIPTIONS_H

#include "st_bus.h"

#define SUBSCRIPTION_CLASSES 2

/* One subscription, also while it is taken back. */
struct subscription {
    st_callback callback;
    void *arg;
    const char *who; /* for messages */
    st_type type;
    bool active;
};

/* Whom to call for a type: never changed once it is in use. */
struct callee {
    st_callback callback;
    void *arg;
    const char *who;
    uint64_t order;
};
struct callees {
    struct callees *retired_before;
    size_t n;             /* at least 1 */
    struct callee list[]; /* one more, whose callback is NULL, ends it */
};

#define SUBSCRIPTION_PAGES 256

/* The listeners of one class. All zero: none. */
struct listeners {
    struct callees *all;                        /* for every type; NULL: nobody */
    struct callees **pages[SUBSCRIPTION_PAGES]; /* by type / 256: 256 lists by type % 256 */
    struct subscription *subscriptions;         /* in their order */
    size_t n, max;
    size_t n_active;
};

/* Of a stream. All zero: nobody. */
struct subscribers {
    struct listeners *classes[SUBSCRIPTION_CLASSES]; /* NULL: nobody ever */
};

/* Shared by all streams: lists that were replaced while somebody was being called. */
struct dispatching {
    unsigned depth; /* of calls within calls */
    struct callees *retired;
};

/* See st_subscribe() and st_unsubscribe(); the class has been checked. who must outlive all. Other
 * threads may read the lists meanwhile, if a list is kept until none of them does. */
st_result subscribers_add(struct subscribers *subscribers, struct dispatching *dispatching,
                          const struct subscription *what, st_class records);
st_result subscribers_remove(struct subscribers *subscribers, struct dispatching *dispatching,
                             const struct subscription *what, st_class records);

/* Those who want this type and no other. */
static inline struct callees *listeners_own(const struct listeners *l, st_type type)
{
    struct callees *const *page = l->pages[type >> 8];
    return page == NULL ? NULL : page[type & 255u];
}

static inline bool subscribers_listen(const struct subscribers *s, st_type type, st_class records)
{
    const struct listeners *l = s->classes[records];
    return l != NULL && (l->all != NULL || listeners_own(l, type) != NULL);
}

/* Subscriptions in force, of both classes. */
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
