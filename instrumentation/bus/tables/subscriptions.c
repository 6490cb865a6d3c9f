/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subscriptions.c - the subscriptions to a stream.
 *
 * Each class keeps its subscriptions in the order in which they were made, including ended
 * subscriptions, which keep their place if they become active again. The class makes lists of
 * callees from its active subscriptions: one for subscriptions to all types, and one for each
 * subscribed type. A list is replaced, never changed. A call uses the two lists found at its
 * beginning, and merges them by order. Lists that are replaced meanwhile are freed when the
 * outermost call returns.
 *
 * Invariants
 * 1. A list holds exactly the active subscriptions of its type, in order.
 * 2. No two subscriptions of a class are equal in type, callback and argument.
 * 3. Retired lists exist only during calls.
 *
 * Threads may read classes, pages and lists without a lock. Stores to these are in sequentially
 * consistent order with stores to the threads' own state, see standalone/threads.h.
 *
 * Cost: finding the lists takes five loads. A change copies one list, and compares the subscription
 * with each subscription of the class.
 */
#include "bus/tables/subscriptions.h"
#include "store/array.h"

#include <assert.h>
#include <stdlib.h>

#define PAGE_TYPES 256

/* ---- Changes of subscriptions ---------------------------------------------------------------- */

static struct subscription *find(const struct listeners *l, const struct subscription *what)
{
    for (size_t i = 0; i < l->n; i++) {
        struct subscription *s = &l->subscriptions[i];
        if (s->type == what->type && s->callback == what->callback && s->arg == what->arg) {
            return s;
        }
    }
    return NULL;
}

/* Returns the place where the pointer to the list for a type is stored; NULL if memory is
 * exhausted. */
static struct callees **list_place(struct listeners *l, st_type type)
{
    if (type == ST_ALL_TYPES) {
        return &l->all;
    }
    struct callees ***page = &l->pages[type >> 8];
    if (*page == NULL) {
        __atomic_store_n(page, calloc(PAGE_TYPES, sizeof **page), __ATOMIC_SEQ_CST);
    }
    return *page == NULL ? NULL : &(*page)[type & 255u];
}

static void retire(struct dispatching *d, struct callees *list)
{
    assert(d->depth > 0 || d->retired == NULL);
    if (list != NULL && d->depth > 0) {
        list->retired_before = d->retired;
        d->retired = list;
    } else {
        free(list);
    }
}

/* Rebuilds the list for a type. If memory is exhausted, returns false and changes nothing. */
static bool renew_list(struct listeners *l, struct dispatching *d, st_type type)
{
    struct callees **place = list_place(l, type);
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        n += l->subscriptions[i].active && l->subscriptions[i].type == type;
    }
    struct callees *list = n == 0 ? NULL : malloc(sizeof *list + (n + 1) * sizeof list->list[0]);
    if (place == NULL || (n > 0 && list == NULL)) {
        free(list);
        return false;
    }
    if (list != NULL) {
        list->n = 0;
        for (size_t i = 0; i < l->n; i++) {
            const struct subscription *s = &l->subscriptions[i];
            if (s->active && s->type == type) {
                list->list[list->n++] = (struct callee){s->callback, s->arg, s->name, i};
            }
        }
        list->list[n] = (struct callee){.callback = NULL};
    }
    retire(d, *place);
    __atomic_store_n(place, list, __ATOMIC_SEQ_CST);
    return true;
}

static st_result append(struct listeners *l, struct dispatching *d, const struct subscription *what)
{
    if (!array_reserve(&l->subscriptions, &l->max, l->n + 1, sizeof *l->subscriptions)) {
        return ST_NO_MEMORY;
    }
    l->subscriptions[l->n] = *what;
    l->subscriptions[l->n++].active = true;
    if (!renew_list(l, d, what->type)) {
        l->n--;
        return ST_NO_MEMORY;
    }
    l->n_active++;
    return ST_OK;
}

st_result subscribers_add(struct subscribers *s, struct dispatching *d,
                          const struct subscription *what, st_class records)
{
    assert((unsigned)records < SUBSCRIPTION_CLASSES && what->callback != NULL);
    if (s->classes[records] == NULL) {
        __atomic_store_n(&s->classes[records], calloc(1, sizeof *s->classes[records]),
                         __ATOMIC_SEQ_CST);
    }
    struct listeners *l = s->classes[records];
    if (l == NULL) {
        return ST_NO_MEMORY;
    }
    struct subscription *old = find(l, what);
    if (old == NULL) {
        return append(l, d, what);
    }
    if (old->active) {
        return ST_DUPLICATE;
    }
    old->active = true;
    if (!renew_list(l, d, what->type)) {
        old->active = false;
        return ST_NO_MEMORY;
    }
    l->n_active++;
    return ST_RESTORED;
}

st_result subscribers_remove(struct subscribers *s, struct dispatching *d,
                             const struct subscription *what, st_class records)
{
    assert((unsigned)records < SUBSCRIPTION_CLASSES);
    struct listeners *l = s->classes[records];
    struct subscription *old = l == NULL ? NULL : find(l, what);
    if (old == NULL) {
        return ST_NOT_FOUND;
    }
    if (!old->active) {
        return ST_DUPLICATE;
    }
    old->active = false;
    if (!renew_list(l, d, what->type)) {
        old->active = true;
        return ST_NO_MEMORY;
    }
    l->n_active--;
    return ST_OK;
}

/* ---- Checks and end -------------------------------------------------------------------------- */

/* Returns true if the list has exactly the active subscriptions to its type. Adds their number to
 * *n_active. */
static bool list_is_right(const struct listeners *l, const struct callees *list, st_type type,
                          size_t *n_active)
{
    size_t at = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct subscription *s = &l->subscriptions[i];
        if (!s->active || s->type != type) {
            continue;
        }
        if (list == NULL || at == list->n || list->list[at].order != i ||
            list->list[at].callback != s->callback || list->list[at].arg != s->arg ||
            list->list[at].name != s->name) {
            return false;
        }
        at++;
    }
    *n_active += at;
    return list == NULL || (at == list->n && at > 0 && list->list[at].callback == NULL);
}

static bool listeners_check(const struct listeners *l)
{
    size_t n_active = 0;
    if (l->n > l->max || !list_is_right(l, l->all, ST_ALL_TYPES, &n_active)) {
        return false;
    }
    for (size_t i = 0; i < l->n; i++) {
        if (find(l, &l->subscriptions[i]) != &l->subscriptions[i]) {
            return false;
        }
    }
    for (unsigned page = 0; page < SUBSCRIPTION_PAGES; page++) {
        for (unsigned i = 0; l->pages[page] != NULL && i < PAGE_TYPES; i++) {
            st_type type = (st_type)(page << 8 | i);
            if (type != ST_ALL_TYPES && !list_is_right(l, l->pages[page][i], type, &n_active)) {
                return false;
            }
        }
    }
    return n_active == l->n_active;
}

bool subscribers_check(const struct subscribers *s)
{
    for (int c = 0; c < SUBSCRIPTION_CLASSES; c++) {
        if (s->classes[c] != NULL && !listeners_check(s->classes[c])) {
            return false;
        }
    }
    return true;
}

static void listeners_fini(struct listeners *l)
{
    for (unsigned page = 0; page < SUBSCRIPTION_PAGES; page++) {
        for (unsigned i = 0; l->pages[page] != NULL && i < PAGE_TYPES; i++) {
            free(l->pages[page][i]);
        }
        free(l->pages[page]);
    }
    free(l->all);
    free(l->subscriptions);
    free(l);
}

void callees_free(struct callees **retired)
{
    while (*retired != NULL) {
        struct callees *list = *retired;
        *retired = list->retired_before;
        free(list);
    }
}

void subscribers_fini(struct subscribers *s)
{
    for (int c = 0; c < SUBSCRIPTION_CLASSES; c++) {
        if (s->classes[c] != NULL) {
            listeners_fini(s->classes[c]);
        }
    }
    *s = (struct subscribers){{NULL}};
}
