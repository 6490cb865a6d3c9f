/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call_list.h - the calls in progress in a cell, oldest first: a linked list on the heap.
 *
 * The removal of a call from the list does not free the call: as long as the event that removed the
 * call can be undone, the call may have to be put back at its old place. Events of an LP are undone
 * in reverse order. When the removal is undone, the link that pointed to the call therefore has the
 * same value as right after the removal.
 *
 * Invariants:
 * 1. No two calls have the same phone.
 * 2. `since` does not decrease along the list.
 *
 * Cost for n calls in the list: O(1) to undo a removal, O(n^2) for call_list_check(), O(n) for the
 * other functions.
 */
#ifndef PCS_CALL_LIST_H
#define PCS_CALL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct call {
    /* Next call, which the list owns; NULL: none. */
    struct call *next;
    /* Identity of the telephone. */
    uint64_t phone;
    double since;       /* virtual time at which the call got its channel in this cell */
    uint64_t is_urgent; /* 1: the call is urgent, so it is never cut for another call */
};

/* A removed call, and the link that pointed to it. `call` is NULL if no call was removed. */
struct removed_call {
    struct call *call;
    struct call **link;
};

/* Adds a call at the end of *list. Ends the run if memory is exhausted. */
void call_list_add(struct call **list, uint64_t phone, double since, bool is_urgent);
/* Undoes call_list_add(): removes the last call from *list and frees it. *list must not be
 * empty. */
void call_list_undo_add(struct call **list);
/* Removes the call of a telephone from *list, and returns it; member `call` is NULL if the list has
 * no such call. The caller frees the call when the removal is final. */
struct removed_call call_list_remove(struct call **list, uint64_t phone);
/* Like call_list_remove(), for the oldest call that is not urgent. */
struct removed_call call_list_remove_ordinary(struct call **list);
/* Puts a removed call back at its old place in the list. removed.call must not be NULL. */
void call_list_undo_remove(struct removed_call removed);

size_t call_list_length(const struct call *list);
struct call *call_list_copy(const struct call *list);
bool call_list_equal(const struct call *a, const struct call *b);
void call_list_print(FILE *out, const char *prefix, const struct call *list);
void call_list_free(struct call **list);
/* Returns a text about a violated invariant; NULL: the list satisfies both invariants. */
const char *call_list_check(const struct call *list);

#endif
