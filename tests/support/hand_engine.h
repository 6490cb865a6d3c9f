/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand_engine.h - an engine that the test drives by hand instead of tw_run(): every step of the
 * schedulers is a separate call, so that a test controls their order.
 *
 *     MPI_Init(&argc, &argv);
 *     struct pe *pe = hand_begin(n_lps, msg_size, types, n_types, OPTIMISTIC, end);
 *     ... engine_execute(), engine_enqueue(), gvt_start(), engine_fossil_collect() ...
 *     hand_end();
 */
#ifndef WARPSCOPE_TESTS_HAND_ENGINE_H
#define WARPSCOPE_TESTS_HAND_ENGINE_H

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/process/run.h"

static void hand_drop(void *ctx, tw_event *event)
{
    event_pool_put(&((struct pe *)ctx)->pool, event);
}

/* Makes a PE with n_lps LPs in the state before tw_run() calls their init. gid g has type types[g %
 * n_types]. Collective. */
static struct pe *hand_begin(tw_lpid n_lps, size_t msg_size, tw_lptype *types, tw_lpid n_types,
                             tw_synch synch, double end_time)
{
    char name[] = "hand";
    char *args[] = {name, NULL};
    char **argv = args;
    int argc = 1;
    tw_init(&argc, &argv);
    tw_define_lps(n_lps, msg_size);
    for (tw_lpid i = 0; i < n_lps; i++) {
        tw_lp_settype(i, &types[g_tw_lp[i]->gid % n_types]);
    }
    struct pe *pe = pe_self();
    pe->synch = synch;
    pe_keep_history(pe, synch == OPTIMISTIC || synch == OPTIMISTIC_REALTIME);
    pe->end_time = end_time;
    for (tw_lpid i = 0; i < n_types; i++) {
        pe->probes.wanted |= types[i].commit != NULL ? PROBE_ENGINE_COMMITS : 0;
    }
    pe->observer_limit_bytes = UINT64_MAX;
    pe->batch_events = 16;
    pe->last_executed_ts = -1.0;
    pe->latest_ts = -1.0;
    event_pool_init(&pe->pool, msg_size, (size_t)1 << 30);
    pe->pending = pending_create(hand_drop, pe);
    pe->past_end_event = tw_calloc(TW_LOC, "event", pe->pool.event_size, 1);
    const char *trouble;
    pe->transport =
        transport_create(&pe->comm, TRANSPORT_AUTO, engine_wire_max_bytes(msg_size), &trouble);
    remote_table_init(&pe->remotes, (unsigned)pe->comm.n_ranks + 1u);
    gvt_init(&pe->gvt);
    pe->gvt.interval_events = 256;
    pe->gvt.interval_events_least = 256;
    pe->gvt.interval_events_most = 256;
    pe->gvt.interval_ticks = UINT64_MAX / 2;
    lp_table_make_states(&pe->lps);
    return pe;
}

/* Collective. */
static inline void hand_end(void)
{
    tw_end();
}

/* Takes the events that were made but not sent from the engine. */
static inline void hand_keep_unsent(struct pe *pe)
{
    while (pe->unsent != NULL) {
        tw_event *event = pe->unsent;
        pe->unsent = event->prev;
        event->caused_by_me = NULL;
    }
}

/* Executes the next pending event. Returns false if there is none. */
static inline bool hand_step(struct pe *pe)
{
    tw_event *event = pending_pop(pe->pending);
    if (event != NULL) {
        engine_execute(pe, event);
    }
    return event != NULL;
}

#endif
