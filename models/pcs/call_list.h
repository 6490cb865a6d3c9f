/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call_list.h - the calls in progress in a cell, oldest first: a linked list on the heap.
 *
 * Removing a call does not free it: while the event can be undone, the call may have to be put back
 * at its old place. Events of an LP are undone in reverse order, so the link that pointed to it
 * then has the value that it had right after the removal.
 *
 * Invariants:
 * 1. Phones are distinct.
 * 2. since does not decrease along the list.
 *
 * Cost: O(calls in the cell); adding, and undoing a removal: O(1).
 */
#ifndef PCS_CALL_LIST_H
#define PCS_CALL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct call {
    struct call *next;
    uint64_t phone;
    double since;       /* virtual time at which the call got its channel in this cell */
    uint64_t is_urgent; /* 1: the call is never cut for another call */
};

/* A removed call, and the link that pointed to it. call is NULL if no call was removed. */
struct removed_call {
    struct call *call;
    struct call **link;
};

/* Adds a call at the end. Ends the run if memory is exhausted. */
void call_list_add(struct call **list, uint64_t phone, double since, bool is_urgent);
/* Removes the call that was added last. */
void call_list_undo_add(struct call **list);
/* call_list_remove() removes the call of a phone; call_list_remove_ordinary() removes the oldest
 * call that is not urgent. In the result, `call` is NULL if there is no such call. */
struct removed_call call_list_remove(struct call **list, uint64_t phone);
struct removed_call call_list_remove_ordinary(struct call **list);
void call_list_undo_remove(struct removed_call removed);

size_t call_list_length(const struct call *list);
struct call *call_list_copy(const struct call *list);
bool call_list_equal(const struct call *a, const struct call *b);
void call_list_print(FILE *out, const char *prefix, const struct call *list);
void call_list_free(struct call **list);
/* Returns the violated invariant, or NULL. */
const char *call_list_check(const struct call *list);

#endif
