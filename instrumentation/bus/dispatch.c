/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.c - finds the subscribers to a record, and calls them.
 *
 * Cost: bus_dispatch() takes one load if there are no subscribers; otherwise see subscriptions.c. A
 * route (routes.h) holds the lists of subscribers for one stream and type. It is made when it is
 * first needed, and again after a change of the subscriptions.
 */
#include <assert.h>

#include "bus/deferred.h"
#include "bus/state.h"

/* Returns the only list of subscribers that get a record of this type outside of a run; NULL: none,
 * or several. */
static const struct callees *only_list(const struct subscribers *to, st_type type)
{
    bool speculative = subscribers_listen(to, type, ST_SPECULATIVE);
    if (speculative && subscribers_listen(to, type, ST_COMMITTED)) {
        return NULL;
    }
    return subscribers_only_list(to, type, speculative ? ST_SPECULATIVE : ST_COMMITTED);
}

const struct route *bus_route_make(st_stream_id stream, st_type type)
{
    assert(stream < g_st_bus.streams.n && g_st_listened[stream] != 0);
    struct route *route = routes_at(&g_st_bus.routes, stream, type);
    const struct subscribers *to = &g_st_bus.streams.by_id[stream]->subscribers;
    *route = (struct route){.key = routes_key(stream, type), .only = only_list(to, type)};
    for (int c = 0; c < SUBSCRIPTION_CLASSES; c++) {
        route->lists[c] = subscribers_only_list(to, type, (st_class)c);
        route->are_several[c] =
            route->lists[c] == NULL && subscribers_listen(to, type, (st_class)c);
    }
    route->reports_undone = deferred_reports_undone(&g_st_deferred, stream);
    route->keeps_data = route->reports_undone || subscribers_listen(to, type, ST_COMMITTED);
    if (g_st_deferred.table != NULL) {
        route->emitted = record_numbers_emitted(&g_st_deferred.numbers, stream);
    }
    return route;
}

bool bus_check_routes(void)
{
    for (unsigned i = 0; i < ROUTES; i++) {
        const struct route *route = &g_st_bus.routes.at[i];
        const st_stream_id stream = (st_stream_id)route->key;
        const st_type type = (st_type)(route->key >> 16);
        if (route->key == 0) {
            continue;
        }
        const struct subscribers *to = &g_st_bus.streams.by_id[stream]->subscribers;
        if (routes_place(stream, type) != i || g_st_listened[stream] == 0 ||
            only_list(to, type) != route->only ||
            subscribers_only_list(to, type, ST_SPECULATIVE) != route->lists[ST_SPECULATIVE] ||
            subscribers_only_list(to, type, ST_COMMITTED) != route->lists[ST_COMMITTED]) {
            return false;
        }
    }
    return true;
}

void bus_dispatch(const st_record *record, st_class records)
{
    assert((uintptr_t)record->data % 8 == 0);
    if (g_st_listened[record->stream] != 0) {
        subscribers_call(&g_st_bus.streams.by_id[record->stream]->subscribers,
                         &g_st_bus.dispatching, record, records);
    }
}
