/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - those functions of calls.h that are not inlined. */
#include "bus/calls.h"

#include <assert.h>
#include <stdlib.h>

void callees_free_retired(struct dispatching *d)
{
    assert(d->depth == 0);
    callees_free(&d->retired);
}

void callees_call_both(const struct callees *a, const struct callees *b, const st_record *record)
{
    assert(a->n >= 1 && b->n >= 1);
    size_t i = 0;
    size_t j = 0;
    bool is_guarded = g_tw_pe != NULL;
    while (i < a->n || j < b->n) {
        bool from_a = j == b->n || (i < a->n && a->list[i].order < b->list[j].order);
        const struct callee *c = from_a ? &a->list[i++] : &b->list[j++];
        if (is_guarded) {
            probe_observer_enter(c->name);
        }
        c->callback(record, c->arg);
        if (is_guarded) {
            probe_observer_leave();
        }
    }
}

void callees_refuse_circle(const struct callees *list, const st_record *record)
{
    tw_error(TW_LOC, "%s emits records of stream %s that call it again, %d times over",
             list->list[0].name, st_stream_name(record->stream), CALL_DEPTH_MAX);
    abort();
}

void library_guard_enter(const char *library)
{
    if (g_tw_pe != NULL) { /* without a PE there is no run that a library could change */
        probe_observer_enter(library);
    }
}

void library_guard_leave(void)
{
    if (g_tw_pe != NULL) {
        probe_observer_leave();
    }
}
