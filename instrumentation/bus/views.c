/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * views.c - delivers a record of one type to subscribers to another type.
 *
 * A record of type "whole" may represent several records of types "part". A subscriber to several
 * types of parts gets the whole record once under each of these types. A subscriber to both the
 * parts and the whole gets the record once, as the whole.
 */
#include <assert.h>

#include "bus/calls.h"
#include "bus/state.h"

static const struct callees *own_list(st_stream_id stream, st_type type, st_class records)
{
    assert((unsigned)records < SUBSCRIPTION_CLASSES);
    const struct stream *s = streams_get(&g_st_bus.streams, stream);
    const struct listeners *l = s == NULL ? NULL : s->subscribers.classes[records];
    return l == NULL ? NULL : listeners_own(l, type);
}

static bool holds(const struct callees *list, const struct callee *callee)
{
    for (size_t i = 0; list != NULL && i < list->n; i++) {
        if (list->list[i].callback == callee->callback && list->list[i].arg == callee->arg) {
            return true;
        }
    }
    return false;
}

bool bus_lacks_whole(st_stream_id stream, st_type part, st_type whole, st_class records)
{
    const struct callees *parts = own_list(stream, part, records);
    const struct callees *wholes = own_list(stream, whole, records);
    for (size_t i = 0; parts != NULL && i < parts->n; i++) {
        if (!holds(wholes, &parts->list[i])) {
            return true;
        }
    }
    return false;
}

void bus_dispatch_part(const st_record *whole, st_type part, st_class records)
{
    assert(whole->type != part);
    const struct callees *parts = own_list(whole->stream, part, records);
    const struct callees *wholes = own_list(whole->stream, whole->type, records);
    st_record record = *whole;
    record.type = part;
    struct dispatching *d = &g_st_bus.dispatching;
    d->depth++; /* makes lists that are replaced stay valid until this call ends */
    for (size_t i = 0; parts != NULL && i < parts->n; i++) {
        const struct callee *c = &parts->list[i];
        if (!holds(wholes, c)) {
            probe_observer_enter(c->name);
            c->callback(&record, c->arg);
            probe_observer_leave();
        }
    }
    if (--d->depth == 0 && d->retired != NULL) {
        callees_free_retired(d);
    }
}
