/* gvt.c - see gvt.h. */
#include "base/clock.h"
#include "engine/engine.h"

void gvt_init(struct gvt *g)
{
    *g = (struct gvt){.min_sent_ts = INFINITY};
    comm_reduction_init(&g->reduction);
}

void gvt_fini(struct gvt *g)
{
    comm_reduction_fini(&g->reduction);
}

bool gvt_due(const struct pe *pe)
{
    const struct gvt *g = &pe->gvt;
    if (pe->synch != OPTIMISTIC_REALTIME &&
        pe->counters.events_processed - g->last_processed >= g->interval_events) {
        return true;
    }
    return clock_ticks() - g->last_ticks >= g->interval_ticks;
}

static void contribute(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    const tw_event *next = pending_peek(pe->pending);
    double min_ts = next != NULL ? next->recv_ts : INFINITY;
    struct comm_vote vote = {
        .in_transit = transport_balance(pe->transport, g->colour ^ 1u),
        .processed = pe->counters.events_processed,
        .net = pe->counters.events_processed - pe->counters.events_rolled_back,
        .past_end = pe->counters.events_past_end,
        .min_ts = min_ts < g->min_sent_ts ? min_ts : g->min_sent_ts,
        .signal = (uint32_t)g_tw_signal,
    };
    transport_flush(pe->transport);
    pe->counters.all_reduces++;
    comm_reduction_start(&g->reduction, &pe->comm, &vote);
}

void gvt_start(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    assert(!g->in_round);
    g->in_round = true;
    g->colour ^= 1u;
    transport_set_colour(pe->transport, g->colour);
    g->min_sent_ts = INFINITY;
    contribute(pe);
}

bool gvt_step(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    if (!comm_reduction_test(&g->reduction)) {
        return false;
    }
    if (g->reduction.all.in_transit != 0) {
        engine_receive(pe);
        contribute(pe);
        return false;
    }
    g->result = g->reduction.all;
    g->in_round = false;
    g->last_processed = pe->counters.events_processed;
    g->last_ticks = clock_ticks();
    assert(g->result.min_ts >= pe->head.GVT);
    pe->head.GVT = g->result.min_ts;
    pe->counters.gvt_rounds++;
    return true;
}

void gvt_now(struct pe *pe)
{
    assert(pe->comm.n_ranks == 1);
    gvt_start(pe);
    bool ended = gvt_step(pe);
    assert(ended);
    (void)ended;
}
