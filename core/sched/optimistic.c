/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * optimistic.c - Time Warp: execute whatever is next, roll back when that was wrong.
 *
 * Optimism is limited by a horizon of virtual time ahead of GVT. --max-opt-lookahead fixes it;
 * otherwise it follows the measured efficiency: when more than a third of the events of an
 * observation period were undone it shrinks, when few were it grows, without end if need be. Bad
 * cases thus come down to about conservative behaviour instead of thrashing. How many events a rank
 * executes without news of GVT follows the same measure: it begins with few and doubles from round
 * to round, so that a model of some thousand events learns, too. Neither changes what is committed.
 *
 * Memory is limited in two ways that work alike: that of events (--max-memory), and what observers
 * hold for events that may be undone (--observer-memory). Near a limit a rank executes the event
 * that GVT waits for and nothing else, until GVT has moved on and freed some. What events make that
 * could not be foreseen may overdraw the memory of events: then all ranks retreat to GVT, see
 * engine/overdraft.c.
 */
#include "engine/error.h"
#include "sched/sched.h"
#include "sched/spread.h"

/*
 * A rank may execute twice as many events as between two GVT computations without hearing of a new
 * GVT; if their interval is a given one, LEAD_EVENTS_LEAST in any case. Others are then far behind,
 * most likely because they wait for a core: going on would only pile up what they will undo.
 */
#define LEAD_EVENTS_LEAST 8192u
/*
 * With an adaptive interval the lead itself adapts: it begins with LEAD_EVENTS_FIRST, doubles when
 * nearly all events of half a lead were kept, and halves when many were lost. While ranks share
 * cores some rank always waits for one, and the lead stays below LEAD_EVENTS_CROWDED.
 */
#define LEAD_EVENTS_FIRST   64u
#define LEAD_EVENTS_CROWDED 512u
/*
 * Each rank may make, between two GVTs, as many events as this part of what any rank has room for,
 * divided by the number of ranks: all may go to one. What GVT does not free makes the next part
 * smaller. Beyond that it executes one event at a time while what it makes is spread over the
 * ranks, see spread.h. When there is not even room for MAKE_ROOM_LEAST events of each rank, only
 * the event that GVT waits for is executed: that cannot be helped, and it will be committed.
 */
#define MAKE_ROOM_SHARE  4u
#define MAKE_ROOM_LEAST  2u
#define MAKE_BATCH_SHARE 256u /* of what may be made is a batch's */
/*
 * That some event has made very many says little of the next one. The hindmost rank tries: at worst
 * memory is overdrawn by what one event makes, and all ranks retreat. For so many GVTs after a
 * retreat it does not.
 */
#define TRY_AGAIN_ROUNDS 16u

#define BURST_WEAR                                                                                 \
    64u /* a GVT takes this part off what observers are expected to hold per event                 \
         */

#define KEPT_FEW  0.66 /* share of events kept: below it, optimism shrinks */
#define KEPT_MANY 0.90 /* above it, optimism grows */
/* The horizon shrinks after so many events, and grows after so many: losing costs more. */
#define HORIZON_SHRINK_EVENTS 128u
#define HORIZON_GROW_EVENTS   1024u
/* Observers at their limit shrink it, too, at most once per so many events: that the limit comes
 * into play now and then does no harm, but events far ahead can fill it for long. */
#define HORIZON_HELD_EVENTS 256u

/* Events executed since a moment, and how many of them have been undone. */
struct tally {
    uint64_t processed; /* counters at that moment */
    uint64_t rolled_back;
};

/* Random rollbacks tell nothing about optimism. */
static struct tally tally_begin(const struct pe *pe)
{
    return (struct tally){pe->counters.events_processed,
                          pe->counters.events_rolled_back - pe->random_rollbacks.undone};
}

/* The share of events kept since then; nothing executed, nothing lost. */
static double tally_kept(const struct tally *since, const struct pe *pe)
{
    struct tally now = tally_begin(pe);
    double processed = (double)(now.processed - since->processed);
    return processed > 0.0 ? 1.0 - (double)(now.rolled_back - since->rolled_back) / processed : 1.0;
}

struct horizon {
    bool fixed;
    double width;        /* virtual time ahead of GVT; infinite: no limit */
    double farthest;     /* greatest time ahead of GVT executed in this period */
    struct tally period; /* since it began */
    bool observers_full; /* they have been at their limit in this period */
};

static void horizon_init(struct horizon *h, double width)
{
    *h = (struct horizon){.fixed = width > 0.0, .width = width > 0.0 ? width : INFINITY};
}

static void horizon_begin_period(struct horizon *h, const struct pe *pe)
{
    h->farthest = 0.0;
    h->period = tally_begin(pe);
    h->observers_full = false;
}

static void horizon_shrink(struct horizon *h, double factor)
{
    double from = h->farthest < h->width ? h->farthest : h->width;
    h->width = from > 0.0 ? factor * from : h->width;
}

/* After each batch. */
static void horizon_note(struct horizon *h, const struct pe *pe)
{
    double ahead = pe->last_executed_ts - pe->head.GVT;
    h->farthest = ahead > h->farthest ? ahead : h->farthest;
}

/* After each GVT. */
static void horizon_adapt(struct horizon *h, const struct pe *pe)
{
    uint64_t processed = pe->counters.events_processed - h->period.processed;
    bool full = h->observers_full && processed >= HORIZON_HELD_EVENTS;
    if (h->fixed || (processed < HORIZON_SHRINK_EVENTS && !full)) {
        return;
    }
    double kept = tally_kept(&h->period, pe);
    if (kept < KEPT_FEW || full) {
        horizon_shrink(h, kept < KEPT_FEW / 2.0 ? 0.35 : 0.7);
    } else if (processed < HORIZON_GROW_EVENTS) {
        return;
    } else if (kept > KEPT_MANY) {
        h->width *= 1.3;
    }
    horizon_begin_period(h, pe);
}

/* Events at or after it must wait for GVT. An event at GVT itself may always run, but for a cut. */
static double horizon_end(const struct horizon *h, const struct pe *pe)
{
    double end = pe->head.GVT + h->width;
    end = end > pe->head.GVT ? end : nextafter(pe->head.GVT, INFINITY);
    return end < pe->gvt.cut.at ? end : pe->gvt.cut.at;
}

/* How far a rank may go until the next GVT is known. */
struct lead {
    uint64_t processed_most;  /* since the last one */
    uint64_t processed_limit; /* it adapts up to that */
    struct tally since;       /* it has adapted last */
    uint64_t make_most;       /* since the last one */
    uint64_t made_before;     /* events made and not committed when it was known */
    uint64_t burst;       /* the most that an event has made, as far as batches tell; at least 1 */
    uint64_t burst_bytes; /* the most that observers have held for one, likewise; wears off */
    bool is_hindmost;     /* GVT waits for an event of this rank, and of no other */
    uint64_t retreat;     /* GVT computation after which this rank last retreated; 0: none */
    uint64_t batch_most;  /* twice the longest batch so far, for what none has told */
    struct spread spread;
};

static void lead_init(struct lead *lead, const struct pe *pe)
{
    uint64_t interval = pe->gvt.interval_events_most;
    uint64_t most = interval < UINT64_MAX / 2 ? 2 * interval : UINT64_MAX;
    if (!pe->gvt.adapts && most < LEAD_EVENTS_LEAST) {
        most = LEAD_EVENTS_LEAST;
    }
    if (pe->gvt.adapts && pe->comm.crowded) {
        most = most < LEAD_EVENTS_CROWDED ? most : LEAD_EVENTS_CROWDED;
    }
    if (pe->synch == OPTIMISTIC_REALTIME) {
        most = UINT64_MAX; /* the clock alone decides */
    }
    bool starts_slowly = pe->gvt.adapts && pe->comm.n_ranks > 1 && most > LEAD_EVENTS_FIRST;
    *lead = (struct lead){.processed_most = starts_slowly ? LEAD_EVENTS_FIRST : most,
                          .processed_limit = most,
                          .burst = 1,
                          .batch_most = 1};
    spread_init(&lead->spread, pe);
}

/* After each GVT; rounds in which little was executed count together. */
static void lead_adapt(struct lead *lead, const struct pe *pe)
{
    uint64_t limit = lead->processed_limit;
    uint64_t processed = pe->counters.events_processed - lead->since.processed;
    if (!pe->gvt.adapts || limit <= LEAD_EVENTS_FIRST || processed < lead->processed_most / 2) {
        return;
    }
    double kept = tally_kept(&lead->since, pe);
    lead->since = tally_begin(pe);
    if (kept > KEPT_MANY) {
        lead->processed_most = lead->processed_most < limit / 2 ? 2 * lead->processed_most : limit;
    } else if (kept < KEPT_FEW && lead->processed_most > LEAD_EVENTS_FIRST) {
        lead->processed_most /= 2;
    }
}

/* Rollback takes back what was made here, though not what was made of the room of other ranks. */
static uint64_t events_made(const struct pe *pe)
{
    return pe->pool.in_use + pe->counters.network_sends;
}

/* Is our next event the one that GVT cannot pass before it has been executed? */
static bool gvt_waits_for_us(const struct pe *pe)
{
    const tw_event *next = pending_peek(pe->pending);
    if (next == NULL) {
        return false;
    }
    struct event_key key = event_key(next);
    return !event_key_before(&pe->gvt.result.least, &key);
}

/* After each GVT. */
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
 * So many events will not take observers past their limit, as far as batches tell what they hold
 * for one. The first ones tell little, so batches begin with one event and at most double.
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

/* Near a limit of memory. */
static uint64_t execute_one(struct pe *pe, struct lead *lead, double end)
{
    struct spread_mark before = spread_mark(&lead->spread, pe);
    uint64_t done = execute_batch(pe, lead, end, 1);
    spread_note(&lead->spread, pe, before);
    return done;
}

static uint64_t execute_what_gvt_waits_for(struct pe *pe, struct lead *lead)
{
    pe->counters.turns_held_back += pe->counters.gvt_rounds > 0; /* room is known by then */
    return gvt_waits_for_us(pe) ? execute_one(pe, lead, INFINITY) : 0;
}

/* Is there room for an event that makes as much as any so far, or may it be tried? */
static bool room_allows(const struct pe *pe, const struct lead *lead)
{
    if (spread_allows(&lead->spread, pe, lead->is_hindmost)) {
        return true;
    }
    bool tries = lead->retreat == 0 || pe->counters.gvt_rounds - lead->retreat > TRY_AGAIN_ROUNDS;
    return tries && lead->is_hindmost && spread_lets_try(&lead->spread, pe);
}

static uint64_t execute_some(struct pe *pe, struct horizon *horizon, struct lead *lead)
{
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
    if (is_tight && !room_allows(pe, lead)) {
        return execute_what_gvt_waits_for(pe, lead);
    }
    uint64_t allowed = observers_allow(pe, lead);
    if (allowed == 0) {
        horizon->observers_full = true;
        return execute_what_gvt_waits_for(pe, lead);
    }
    if (is_tight) {
        uint64_t done = execute_one(pe, lead, horizon_end(horizon, pe));
        horizon_note(horizon, pe);
        return done;
    }
    uint64_t most = 1 + (lead->make_most - made) / lead->burst / MAKE_BATCH_SHARE;
    uint64_t left = lead->processed_most - processed;
    most = most < left ? most : left;
    most = most < allowed ? most : allowed;
    uint64_t done = execute_batch(pe, lead, horizon_end(horizon, pe), most);
    horizon_note(horizon, pe);
    return done;
}

/* After each GVT; true from the one after which all ranks retreat to the one before which all
 * messages of that retreat have arrived. */
static bool retreat(struct pe *pe, struct lead *lead, bool retreated)
{
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
    struct horizon horizon;
    struct lead lead;
    unsigned idle = 0;
    bool retreated = false;
    engine_allow_overdraft(pe);
    lead_init(&lead, pe);
    horizon_init(&horizon, pe->horizon_width);
    gvt_start(pe); /* nothing is executed before the ranks know of each other's room */
    while (pe->ended == RUN_END_NONE) {
        messages_check_abort(pe);
        sched_turn(pe);
        bool received = engine_receive(pe);
        if (pe->gvt.in_round && gvt_step(pe)) {
            engine_after_gvt(pe);
            retreated = retreat(pe, &lead, retreated);
            horizon_adapt(&horizon, pe);
            lead_renew(&lead, pe);
            idle = 0;
            continue;
        }
        uint64_t executed = retreated ? 0 : execute_some(pe, &horizon, &lead);
        if (executed > 0) {
            engine_random_rollback(pe);
        }
        enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_event_processing);
        transport_flush(pe->transport);
        phase_enter(&pe->phases, before);
        if (!pe->gvt.in_round && (executed == 0 || gvt_due(pe))) {
            gvt_start(pe);
        }
        if (executed > 0 || received) {
            idle = 0;
        } else {
            engine_idle(pe, &idle);
        }
    }
    spread_fini(&lead.spread);
}
