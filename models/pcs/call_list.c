/* SPDX-License-Identifier: BSD-3-Clause */
/* call_list.c - see call_list.h. */
#include "call_list.h"

#include <assert.h>

#include "ross.h"

static struct call **end_of(struct call **list)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    return list;
}

void call_list_add(struct call **list, uint64_t phone, double since, bool is_urgent)
{
    struct call *call = tw_calloc(TW_LOC, "a call", sizeof *call, 1);
    *call = (struct call){NULL, phone, since, is_urgent};
    *end_of(list) = call;
}

void call_list_undo_add(struct call **list)
{
    assert(*list != NULL);
    while ((*list)->next != NULL) {
        list = &(*list)->next;
    }
    free(*list);
    *list = NULL;
}

static struct removed_call take_out(struct call **link)
{
    struct removed_call removed = {*link, link};
    if (removed.call != NULL) {
        *link = removed.call->next;
    }
    return removed;
}

struct removed_call call_list_remove(struct call **list, uint64_t phone)
{
    while (*list != NULL && (*list)->phone != phone) {
        list = &(*list)->next;
    }
    return take_out(list);
}

struct removed_call call_list_remove_ordinary(struct call **list)
{
    while (*list != NULL && (*list)->is_urgent) {
        list = &(*list)->next;
    }
    return take_out(list);
}

void call_list_undo_remove(struct removed_call removed)
{
    assert(removed.link != NULL);
    *removed.link = removed.call;
}

size_t call_list_length(const struct call *list)
{
    size_t n = 0;
    for (; list != NULL; list = list->next) {
        n++;
    }
    return n;
}

struct call *call_list_copy(const struct call *list)
{
    struct call *copy = NULL;
    struct call **end = &copy;
    for (; list != NULL; list = list->next) {
        call_list_add(end, list->phone, list->since, list->is_urgent);
        end = &(*end)->next;
    }
    return copy;
}

bool call_list_equal(const struct call *a, const struct call *b)
{
    while (a != NULL && b != NULL) {
        if (a->phone != b->phone || a->since != b->since || a->is_urgent != b->is_urgent) {
            return false;
        }
        a = a->next;
        b = b->next;
    }
    return a == b;
}

void call_list_print(FILE *out, const char *prefix, const struct call *list)
{
    for (; list != NULL; list = list->next) {
        fprintf(out, "%scall of phone %" PRIu64 " since %.17g%s\n", prefix, list->phone,
                list->since, list->is_urgent ? ", urgent" : "");
    }
}

void call_list_free(struct call **list)
{
    while (*list != NULL) {
        struct call *next = (*list)->next;
        free(*list);
        *list = next;
    }
}

const char *call_list_check(const struct call *list)
{
    for (const struct call *a = list; a != NULL; a = a->next) {
        for (const struct call *b = a->next; b != NULL; b = b->next) {
            if (a->phone == b->phone) {
                return "a telephone has two calls";
            }
        }
        if (a->next != NULL && a->since > a->next->since) {
            return "calls are not in the order of their beginnings";
        }
    }
    return NULL;
}
