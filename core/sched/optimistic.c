/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * optimistic.c - Time Warp: executes the next event, and rolls back if a straggler arrives.
 *
 * A horizon of virtual time ahead of GVT limits optimism. --max-opt-lookahead fixes it; otherwise
 * it adapts to the measured efficiency. It shrinks if more than a third of the events of an
 * observation period were undone, and grows without bound if few were. Bad cases thus approach
 * conservative behaviour instead of thrashing. The number of events that a rank executes without a
 * new GVT (the lead) adapts in the same way. It begins small and doubles from round to round, so it
 * also adapts in a run of only some thousand events. Ranks that share memory also keep close to each
 * other, see clocks.h. None of these bounds changes the committed events.
 *
 * There are two limits of memory, which work alike: for events (--max-memory), and for data that
 * observers hold for events that may be undone (--observer-memory). Near a limit a rank executes
 * only the event that GVT waits for, until GVT has advanced and freed memory. Events that create
 * unexpectedly many events may overdraw the memory of events: all ranks then retreat to GVT, see
 * engine/overdraft.c.
 */
#include <assert.h>

#include "base/clock.h"
#include "engine/process/error.h"
#include "sched/clocks.h"
#include "sched/sched.h"
#include "sched/spread.h"

/*
 * Bound on the number of events that a rank may create between two GVTs: 1/MAKE_ROOM_SHARE of the
 * smallest space of any rank (see spread.h), divided by the number of ranks. All of these events
 * may go to one rank. Events that GVT does not free reduce the next bound. Beyond the bound, a rank
 * executes one event at a time as long as the events that it creates are spread over the ranks. If
 * some rank has no space even for MAKE_ROOM_LEAST events from each rank, only the event that GVT
 * waits for is executed. That event will be committed.
 */
#define MAKE_ROOM_SHARE  4u
#define MAKE_ROOM_LEAST  2u
#define MAKE_BATCH_SHARE 256u /* a batch may create 1/256 of the events that the rank may create */
/*
 * After a retreat, a rank makes no trial for this number of GVT computations. In a trial, the
 * hindmost rank executes its next event although an event with the largest burst so far would not
 * fit. One event created very many others, but the next event will probably create few. At worst
 * the trial overdraws memory, and all ranks retreat.
 */
#define TRY_AGAIN_ROUNDS 16u

/* At each GVT, the expected number of observer bytes per event (burst_bytes) decreases by a share
 * of 1/BURST_WEAR. */
#define BURST_WEAR 64u

/* Returns the counts of this rank's events, without random rollbacks, since optimism does not cause
 * them. */
static struct bounds_tally tally(const struct pe *pe)
{
    return (struct bounds_tally){pe->counters.events_processed,
                                 pe->counters.events_rolled_back - pe->random_rollbacks.undone};
}

struct horizon {
    bool fixed;
    bool observers_full; /* true if observers reached their memory limit in this period */
    struct bounds_horizon bound;
};

static void horizon_init(struct horizon *h, double width)
{
    *h = (struct horizon){.fixed = width > 0.0, .bound.width = width > 0.0 ? width : INFINITY};
}

/* Updates the statistics of the period. Called after each batch. */
static void horizon_note(struct horizon *h, const struct pe *pe)
{
    bounds_horizon_note(&h->bound, pe->last_executed_ts - pe->head.GVT);
}

/* Adapts the width of the horizon. Called after each GVT. */
static void horizon_adapt(struct horizon *h, const struct pe *pe)
{
    if (!h->fixed && bounds_horizon_adapt(&h->bound, tally(pe), h->observers_full)) {
        h->observers_full = false;
    }
}

/* Returns the end of the horizon: events at or after this virtual time must wait for a new GVT. An
 * event at GVT itself may always be executed, unless a cut forbids it. */
static double horizon_end(const struct horizon *h, const struct pe *pe)
{
    const double end = bounds_horizon_end(&h->bound, pe->head.GVT);
    return end < pe->gvt.cut.at ? end : pe->gvt.cut.at;
}

/* Bounds on execution until the next GVT is known. */
struct lead {
    /* maximum number of events that the rank may execute between the last GVT and the next */
    uint64_t processed_most;
    uint64_t processed_limit;  /* upper bound of processed_most */
    struct bounds_tally since; /* counts at the last adaptation */
    /* maximum number of events that the rank may create between the last GVT and the next */
    uint64_t make_most;
    uint64_t made_before; /* value of events_made() at the last GVT */
    /* Largest burst: number of events created per event executed, averaged over a batch; at least
     * 1. */
    uint64_t burst;
    /* Largest number of bytes that observers hold per event executed, averaged over a batch. The
     * number decreases at each GVT. */
    uint64_t burst_bytes;
    bool is_hindmost; /* true if GVT waits for an event of this rank alone */
    /* number of the GVT computation after which this rank last retreated; 0: none */
    uint64_t retreat;
    /* Twice the number of events in the longest batch so far; used while burst_bytes is unknown. */
    uint64_t batch_most;
    struct spread spread;
};

static void lead_init(struct lead *lead, const struct pe *pe)
{
    uint64_t interval = pe->gvt.interval_events_most;
    uint64_t most = interval < UINT64_MAX / 2 ? 2 * interval : UINT64_MAX;
    if (!pe->gvt.adapts && most < BOUNDS_LEAD_FIXED) {
        most = BOUNDS_LEAD_FIXED;
    }
    if (pe->synch == OPTIMISTIC_REALTIME) {
        most = UINT64_MAX; /* no limit in events: only the clock limits the lead */
    }
    bool starts_slowly = pe->gvt.adapts && pe->comm.n_ranks > 1 && most > BOUNDS_LEAD_FIRST;
    *lead = (struct lead){.processed_most = starts_slowly ? BOUNDS_LEAD_FIRST : most,
                          .processed_limit = most,
                          .burst = 1,
                          .batch_most = 1};
    spread_init(&lead->spread);
}

/* Adapts the lead. Called after each GVT. */
static void lead_adapt(struct lead *lead, const struct pe *pe)
{
    uint64_t limit = lead->processed_limit;
    uint64_t crowded = gvt_takes_turns(pe) ? BOUNDS_LEAD_TURN : BOUNDS_LEAD_CROWDED;
    if (pe->gvt.adapts && pe->comm.crowded && limit > crowded) {
        limit = crowded;
        lead->processed_most = lead->processed_most < limit ? lead->processed_most : limit;
    }
    if (pe->gvt.adapts) {
        bounds_lead_adapt(&lead->processed_most, limit, pe->comm.crowded, &lead->since, tally(pe));
    }
}

/* Returns the number of events in use on this rank plus the number of messages sent. The sum grows
 * with each event that this rank creates. Messages for undone events still count: a rollback does
 * not free at once the space that they use on other ranks. */
static uint64_t events_made(const struct pe *pe)
{
    return pe->pool.in_use + pe->counters.network_sends;
}

/* Returns true if GVT cannot advance before this rank has executed its next event. */
static bool gvt_waits_for_us(const struct pe *pe)
{
    const tw_event *next = pending_peek(pe->pending);
    if (next == NULL) {
        return false;
    }
    struct event_key key = event_key(next);
    return !event_key_before(&pe->gvt.result.least, &key);
}

/* Sets the bounds in *lead that hold until the next GVT. Called after each GVT. */
static void lead_renew(struct lead *lead, const struct pe *pe)
{
    uint64_t room_per_rank = pe->gvt.result.room / (unsigned)pe->comm.n_ranks;
    lead->make_most = room_per_rank / MAKE_ROOM_SHARE;
    if (lead->make_most == 0 && room_per_rank >= MAKE_ROOM_LEAST) {
        lead->make_most = 1;
    }
    lead->made_before = events_made(pe);
    spread_renew(&lead->spread, pe);
    lead->is_hindmost = gvt_waits_for_us(pe);
    lead->burst_bytes -= lead->burst_bytes / BURST_WEAR;
    lead_adapt(lead, pe);
}

/*
 * Returns the number of events that can be executed within the observers' limit, estimated from
 * past batches. Early estimates are poor, so the first batch has one event, and no batch is more
 * than twice as long as the longest before.
 */
static uint64_t observers_allow(const struct pe *pe, const struct lead *lead)
{
    if (pe->observer_bytes >= pe->observer_limit_bytes) {
        return 0;
    }
    if (lead->burst_bytes == 0) {
        return lead->batch_most;
    }
    uint64_t allowed = (pe->observer_limit_bytes - pe->observer_bytes) / lead->burst_bytes;
    return allowed < lead->batch_most ? allowed : lead->batch_most;
}

static uint64_t execute_batch(struct pe *pe, struct lead *lead, double end, uint64_t most)
{
    uint64_t before = events_made(pe);
    uint64_t held_before = pe->observer_bytes;
    uint64_t done = sched_batch(pe, end, most);
    uint64_t after = events_made(pe);
    assert(done > 0 || after <= before);
    if (after > before && (after - before) / done > lead->burst) {
        lead->burst = (after - before) / done;
    }
    if (done > 0 && pe->observer_bytes > held_before) {
        uint64_t bytes = (pe->observer_bytes - held_before + done - 1) / done;
        lead->burst_bytes = bytes > lead->burst_bytes ? bytes : lead->burst_bytes;
    }
    lead->batch_most = 2 * done > lead->batch_most ? 2 * done : lead->batch_most;
    return done;
}

/* Executes one event; used near a limit of memory. */
static uint64_t execute_one(struct pe *pe, struct lead *lead, double end)
{
    struct spread_mark before = spread_mark(&lead->spread, pe);
    uint64_t done = execute_batch(pe, lead, end, 1);
    spread_note(&lead->spread, pe, before);
    return done;
}

static uint64_t execute_what_gvt_waits_for(struct pe *pe, struct lead *lead)
{
    /* Turns before the first GVT are not counted, since the space of other ranks is still
     * unknown. */
    pe->counters.turns_held_back += pe->counters.gvt_rounds > 0;
    return gvt_waits_for_us(pe) ? execute_one(pe, lead, INFINITY) : 0;
}

/* Returns true if there is space for an event with the largest burst so far. Also returns true if
 * this rank may execute its next event as a trial, see TRY_AGAIN_ROUNDS. */
static bool space_allows(const struct pe *pe, const struct lead *lead)
{
    if (spread_allows(&lead->spread, pe, lead->is_hindmost)) {
        return true;
    }
    bool tries = lead->retreat == 0 || pe->counters.gvt_rounds - lead->retreat > TRY_AGAIN_ROUNDS;
    return tries && lead->is_hindmost && spread_lets_try(&lead->spread, pe);
}

static uint64_t execute_some(struct pe *pe, struct horizon *horizon, struct lead *lead,
                             double clocks)
{
    assert(lead->burst > 0);
    uint64_t processed = pe->counters.events_processed - pe->gvt.last_processed;
    uint64_t made = events_made(pe);
    made = made > lead->made_before ? made - lead->made_before : 0;
    if (processed >= lead->processed_most) {
        return 0;
    }
    if (event_pool_overdraft_bytes(&pe->pool) > 0 && engine_overdrawn_bytes(pe) > 0) {
        pe->counters.turns_held_back++;
        return 0;
    }
    bool is_tight = made + lead->burst > lead->make_most;
    if (is_tight && !space_allows(pe, lead)) {
        return execute_what_gvt_waits_for(pe, lead);
    }
    uint64_t allowed = observers_allow(pe, lead);
    if (allowed == 0) {
        horizon->observers_full = true;
        return execute_what_gvt_waits_for(pe, lead);
    }
    const double limit = horizon_end(horizon, pe);
    const double end = limit < clocks ? limit : clocks;
    if (is_tight) {
        uint64_t done = execute_one(pe, lead, end);
        horizon_note(horizon, pe);
        return done;
    }
    uint64_t most = 1 + (lead->make_most - made) / lead->burst / MAKE_BATCH_SHARE;
    uint64_t left = lead->processed_most - processed;
    most = most < left ? most : left;
    most = most < allowed ? most : allowed;
    uint64_t done = execute_batch(pe, lead, end, most);
    horizon_note(horizon, pe);
    return done;
}

/* Called after each GVT: retreats, and returns true, if any rank has overdrawn its memory. The
 * caller then executes no event until the next GVT, when all messages of the retreat have arrived.
 * retreated: result of the previous call. */
static bool retreat(struct pe *pe, struct lead *lead, bool retreated)
{
    assert(!pe->gvt.in_round);
    if (pe->gvt.result.overdrawn_bytes == 0 || pe->ended != RUN_END_NONE) {
        return false;
    }
    if (retreated) {
        engine_check_retreated(pe);
    }
    engine_retreat(pe);
    lead->retreat = pe->counters.gvt_rounds;
    return true;
}

void sched_optimistic(struct pe *pe)
{
    assert(pe->synch == OPTIMISTIC || pe->synch == OPTIMISTIC_REALTIME);
    struct horizon horizon;
    struct lead lead;
    unsigned idle = 0;
    bool retreated = false;
    uint64_t executed = 0; /* number of events of the last turn */
    engine_allow_overdraft(pe);
    lead_init(&lead, pe);
    horizon_init(&horizon, pe->horizon_width);
    struct clocks clocks = clocks_begin((double)clock_ticks());
    pe->reach = INFINITY;
    /* Before a rank executes an event, it must know how many events still fit into the memory of
     * the other ranks. */
    gvt_start(pe);
    while (pe->ended == RUN_END_NONE) {
        messages_check_abort(pe);
        sched_turn(pe);
        if (pe->gvt.in_round && gvt_step(pe)) {
            engine_after_gvt(pe);
            retreated = retreat(pe, &lead, retreated);
            if (pe->ended == RUN_END_NONE) {
                gvt_notice(pe);
                engine_receive(pe);
            }
            horizon_adapt(&horizon, pe);
            lead_renew(&lead, pe);
            clocks_adapt(&clocks, pe);
            if (!retreated && pe->ended == RUN_END_NONE && !pe->comm.some_crowded) {
                gvt_look_back(pe);
            }
            idle = 0;
            continue;
        }
        if (!pe->gvt.in_round && pe->comm.crowded) {
            gvt_notice(pe);
        }
        /* In the middle of its turn a rank neither receives nor sends, since no other rank runs. */
        bool in_turn = executed > 0 && gvt_takes_turns(pe);
        const double clocks_to = clocks_end(&clocks, pe);
        bool received = !in_turn && engine_receive(pe);
        bool waits = retreated || sched_is_stopping(pe);
        executed = waits ? 0 : execute_some(pe, &horizon, &lead, clocks_to);
        if (executed > 0) {
            engine_random_rollback(pe);
        }
        if (executed == 0 || !in_turn) {
            enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_event_processing);
            transport_flush(pe->transport);
            phase_enter(&pe->phases, before);
        }
        clocks_show(pe);
        const bool held = clocks.holds && !waits && executed == 0 &&
                          !comm_reduction_is_voted(&pe->gvt.reduction, &pe->comm);
        if (!pe->gvt.in_round && ((executed == 0 && !held) || gvt_due(pe))) {
            gvt_start(pe);
            idle = 0; /* the round may have ended: this rank may be the last to vote */
        } else if (executed > 0 || received) {
            idle = 0;
        } else if (held && pe->comm.crowded) {
            engine_yield(
                pe); /* no message says that the clocks go on, so the rank does not sleep */
        } else {
            engine_idle(pe, &idle);
        }
    }
    spread_fini(&lead.spread);
}
