/*
 * call_list.h - the calls in progress in a cell, the oldest first: a linked list on the heap.
 *
 * What takes a call out does not free it: while the event may be undone the call is needed to be
 * put back, at the very place where it was. Events of an LP are undone in reverse order, so the
 * link that pointed to it is then as it was right after the removal.
 *
 * Invariants: 1. phones are different; 2. since does not decrease along the list.
 * Cost: O(calls in the cell), except for adding and undoing by a removed call: O(1) there.
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
    double since;       /* when it got its channel in this cell */
    uint64_t is_urgent; /* 1: it is not cut for another */
};

/* A call that was taken out: the call, and the link that pointed to it. NULL: none. */
struct removed_call {
    struct call *call;
    struct call **link;
};

/* At the end; ends the run when memory is short. */
void call_list_add(struct call **list, uint64_t phone, double since, bool is_urgent);
/* Undoes the last addition. */
void call_list_undo_add(struct call **list);
/* Takes out a phone's call, or the oldest that is not urgent; .call is NULL if there is none. */
struct removed_call call_list_remove(struct call **list, uint64_t phone);
struct removed_call call_list_remove_ordinary(struct call **list);
void call_list_undo_remove(struct removed_call removed);

size_t call_list_length(const struct call *list);
struct call *call_list_copy(const struct call *list);
bool call_list_equal(const struct call *a, const struct call *b);
void call_list_print(FILE *out, const char *prefix, const struct call *list);
void call_list_free(struct call **list);
/* What is wrong with the list, NULL: nothing. */
const char *call_list_check(const struct call *list);

#endif
