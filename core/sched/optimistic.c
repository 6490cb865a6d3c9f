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
#define LEAD_EVENTS_MAX 8192u
/*
 * Each rank may fill, between two GVTs, this part of what any rank has room for, divided by the
 * number of ranks: all events may go to one. What GVT does not free makes the next part smaller, so
 * memory never runs out that way; and when there is less room than LEAD_ROOM_LEAST, only events at
 * GVT itself are executed.
 */
#define LEAD_ROOM_SHARE 4u
#define LEAD_ROOM_LEAST 16u

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
    double end = pe->head.GVT + h->width;
    return end > pe->head.GVT ? end : nextafter(pe->head.GVT, INFINITY);
}

/* How many events may be executed until the next GVT is known, given the room that all have. */
static uint64_t lead_allowed(const struct pe *pe, uint64_t room)
{
    uint64_t lead = room / LEAD_ROOM_SHARE / (unsigned)pe->comm.n_ranks;
    return lead < LEAD_EVENTS_MAX ? lead : LEAD_EVENTS_MAX;
}

static uint64_t execute_some(struct pe *pe, const struct horizon *horizon, uint64_t lead_max)
{
    if (lead_max < LEAD_ROOM_LEAST) {
        return sched_batch(pe, nextafter(pe->head.GVT, INFINITY), 1);
    }
    uint64_t lead = pe->counters.events_processed - pe->gvt.last_processed;
    return lead < lead_max ? sched_batch(pe, horizon_end(horizon, pe), lead_max - lead) : 0;
}

void sched_optimistic(struct pe *pe)
{
    struct horizon horizon;
    unsigned idle = 0;
    uint64_t lead_max = lead_allowed(pe, pe_room_events(pe));
    horizon_init(&horizon, pe->horizon_width);
    while (pe->ended == RUN_END_NONE) {
        messages_check_abort(pe);
        bool received = engine_receive(pe);
        if (pe->gvt.in_round && gvt_step(pe)) {
            engine_after_gvt(pe);
            horizon_adapt(&horizon, pe);
            lead_max = lead_allowed(pe, pe->gvt.result.room);
            continue;
        }
        uint64_t executed = execute_some(pe, &horizon, lead_max);
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
