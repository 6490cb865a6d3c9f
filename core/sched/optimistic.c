/*
 * optimistic.c - Time Warp: execute whatever is next, roll back when that was wrong.
 *
 * Optimism is limited by a horizon of virtual time ahead of GVT. --max-opt-lookahead fixes it;
 * otherwise it follows the measured efficiency: when more than a third of the events of an
 * observation period were undone it shrinks, when few were it grows, without end if need be. Bad
 * cases thus come down to about conservative behaviour instead of thrashing. The horizon never
 * changes what is committed.
 */
#include "engine/messages.h"
#include "sched/sched.h"

/*
 * Events that a rank may execute without hearing of a new GVT. Others are then far behind, most
 * likely because they wait for a core: going on would only pile up what they will undo.
 */
#define LEAD_EVENTS_MAX   8192u
#define LEAD_MEMORY_SHARE 16u /* nor more than this part of the memory: others send events, too */

#define HORIZON_PERIOD_EVENTS 8192u
#define HORIZON_SHRINK_BELOW  0.66 /* share of events kept */
#define HORIZON_GROW_ABOVE    0.90

struct horizon {
    bool fixed;
    double width;       /* virtual time ahead of GVT; infinite: no limit */
    double farthest;    /* greatest time ahead of GVT executed in this period */
    uint64_t processed; /* counters when the period began */
    uint64_t rolled_back;
};

static void horizon_init(struct horizon *h, double width)
{
    *h = (struct horizon){.fixed = width > 0.0, .width = width > 0.0 ? width : INFINITY};
}

/* After each GVT. */
static void horizon_adapt(struct horizon *h, const struct pe *pe)
{
    double ahead = pe->last_executed_ts - pe->head.GVT;
    h->farthest = ahead > h->farthest ? ahead : h->farthest;
    uint64_t processed = pe->counters.events_processed - h->processed;
    if (h->fixed || processed < HORIZON_PERIOD_EVENTS) {
        return;
    }
    uint64_t rolled_back = pe->counters.events_rolled_back - h->rolled_back;
    double kept = 1.0 - (double)rolled_back / (double)processed;
    if (kept < HORIZON_SHRINK_BELOW) {
        double from = h->farthest < h->width ? h->farthest : h->width;
        h->width = from > 0.0 ? 0.7 * from : h->width;
    } else if (kept > HORIZON_GROW_ABOVE) {
        h->width *= 1.3;
    }
    h->farthest = 0.0;
    h->processed = pe->counters.events_processed;
    h->rolled_back = pe->counters.events_rolled_back;
}

/* Events at or after it must wait for GVT. An event at GVT itself may always run. */
static double horizon_end(const struct horizon *h, const struct pe *pe)
{
    double gvt = pe->head.GVT;
    double end = pe_is_short_of_memory(pe) ? gvt : gvt + h->width;
    return end > gvt ? end : nextafter(gvt, INFINITY);
}

void sched_optimistic(struct pe *pe)
{
    struct horizon horizon;
    unsigned idle = 0;
    uint64_t lead_max = pe->memory_limit_bytes / LEAD_MEMORY_SHARE / pe->pool.event_size;
    lead_max = lead_max < LEAD_EVENTS_MAX ? lead_max : LEAD_EVENTS_MAX;
    horizon_init(&horizon, pe->horizon_width);
    while (pe->ended == RUN_END_NONE) {
        messages_check_abort(pe);
        bool received = engine_receive(pe);
        if (pe->gvt.in_round && gvt_step(pe)) {
            engine_after_gvt(pe);
            horizon_adapt(&horizon, pe);
            continue;
        }
        bool too_far = pe->counters.events_processed - pe->gvt.last_processed > lead_max;
        uint64_t executed = too_far ? 0 : sched_batch(pe, horizon_end(&horizon, pe));
        transport_flush(pe->transport);
        if (!pe->gvt.in_round && (executed == 0 || gvt_due(pe))) {
            gvt_start(pe);
        }
        if (executed > 0 || received) {
            idle = 0;
        } else {
            sched_idle(&idle);
        }
    }
}
