/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.c - the bounds of a rank's optimism, and the interval between GVT rounds. The rules and
 * the constants are those of the engine: core/sched/optimistic.c (horizon and lead) and
 * core/engine/gvt.c (interval). The number of slots limits the memory, as --max-memory does in the
 * engine.
 */
#include "machine/rank.h"

#include <assert.h>

/* Bounds of the adaptive interval, and values of the lead, in events. */
#define INTERVAL_LEAST 256u
#define INTERVAL_MOST  4096u
#define LEAD_FIRST     64u
#define LEAD_FIXED     8192u
#define LEAD_CROWDED   512u
#define LEAD_TURN      256u

#define KEPT_FEW              0.66
#define KEPT_MANY             0.90
#define HORIZON_SHRINK_EVENTS 128u
#define HORIZON_GROW_EVENTS   1024u
#define GVT_COST_SHARE        50.0

/* Returns the share of kept events in a period: 1 - events undone / events executed. executed,
 * undone: counts of these events at the start of the period; now: counts at the end. */
static double kept(const struct wp_counts *now, uint64_t executed, uint64_t undone)
{
    assert(now->executed >= executed && now->undone >= undone);
    double events = (double)(now->executed - executed);
    return events > 0 ? 1 - (double)(now->undone - undone) / events : 1;
}

void wp_model_complete(struct wp_model *m, uint32_t cores, uint32_t interval)
{
    assert(m->ranks > 0 && cores <= m->ranks);
    m->per_processor = cores == 0 ? 1 : (m->ranks + cores - 1) / cores;
    m->processors = (m->ranks + m->per_processor - 1) / m->per_processor;
    const bool crowded = m->processors < m->ranks;
    m->adapts = interval == 0;
    m->takes_turns = m->adapts && crowded && m->processors == 1;
    if (m->adapts) {
        m->interval_least = INTERVAL_LEAST;
        m->interval_most = INTERVAL_MOST;
        m->lead_most = m->takes_turns ? LEAD_TURN : crowded ? LEAD_CROWDED : 2 * INTERVAL_MOST;
        m->lead_first = m->ranks > 1 ? LEAD_FIRST : m->lead_most;
    } else {
        m->interval_least = m->interval_most = (uint64_t)interval * m->batch;
        m->lead_most = 2 * m->interval_most > LEAD_FIXED ? 2 * m->interval_most : LEAD_FIXED;
        m->lead_first = m->lead_most;
    }
}

void wp_bounds_init(const struct wp_model *m, struct wp_rank *r)
{
    r->width = m->bound > 0 ? m->bound : INFINITY;
    r->lead = m->lead_first;
    r->interval_events = m->interval_least;
}

static void horizon_adapt(const struct wp_model *m, struct wp_rank *r)
{
    const uint64_t executed = r->counts.executed - r->period_executed;
    if (m->bound > 0 || executed < HORIZON_SHRINK_EVENTS) {
        return;
    }
    const double share = kept(&r->counts, r->period_executed, r->period_undone);
    if (share < KEPT_FEW) {
        double from = r->farthest < r->width ? r->farthest : r->width;
        r->width = from > 0 ? (share < KEPT_FEW / 2 ? 0.35 : 0.7) * from : r->width;
    } else if (executed < HORIZON_GROW_EVENTS) {
        return;
    } else if (share > KEPT_MANY) {
        r->width *= 1.3;
    }
    r->farthest = 0;
    r->period_executed = r->counts.executed;
    r->period_undone = r->counts.undone;
}

static void lead_adapt(const struct wp_model *m, struct wp_rank *r)
{
    const uint64_t executed = r->counts.executed - r->lead_executed;
    if (m->lead_most <= m->lead_first || executed < r->lead / 2) {
        return;
    }
    const double share = kept(&r->counts, r->lead_executed, r->lead_undone);
    r->lead_executed = r->counts.executed;
    r->lead_undone = r->counts.undone;
    if (share > KEPT_MANY) {
        r->lead = r->lead < m->lead_most / 2 ? 2 * r->lead : m->lead_most;
    } else if (share < KEPT_FEW && r->lead > m->lead_first) {
        r->lead /= 2;
    }
}

void wp_bounds_adapt(const struct wp_model *m, struct wp_rank *r)
{
    horizon_adapt(m, r);
    lead_adapt(m, r);
}

void wp_interval_adapt(const struct wp_model *m, struct wp_rank *r, double now)
{
    assert(m->interval_least <= m->interval_most);
    const double share = (now - r->round_ns) / GVT_COST_SHARE;
    uint64_t events = r->interval_events;
    if (m->adapts && r->round_cost_ns > share) {
        events *= 2;
    } else if (m->adapts && r->round_cost_ns < share / 4) {
        events /= 2;
    }
    events = events < m->interval_least ? m->interval_least : events;
    r->interval_events = events > m->interval_most ? m->interval_most : events;
}

double wp_horizon_end(const struct wp_rank *r)
{
    double end = r->gvt + r->width;
    return end > r->gvt ? end : nextafter(r->gvt, INFINITY);
}
