/* SPDX-License-Identifier: BSD-3-Clause */
/* gvt.c - see gvt.h. */
#include <assert.h>

#include "base/clock.h"
#include "bounds/bounds.h"
#include "engine/engine.h"

#include "engine/process/run.h"

/* Maximum number of polls for messages before the vote in a round that looks back (see gvt.h). */
#define POLLS_BEFORE_VOTE 16u
/* Time in seconds after which a rank reads again for how long it had no processor. */
#define LOOK_S 0.001

void gvt_init(struct gvt *g)
{
    *g = (struct gvt){.least_sent = event_key_at(INFINITY),
                      .least_sent_before = event_key_at(INFINITY),
                      .clocks_least = -INFINITY,
                      .result = {.least = event_key_at(-INFINITY)},
                      .cut = {.at = INFINITY,
                              .wish_ticks = UINT64_MAX,
                              .wanted = {INFINITY, INFINITY, INFINITY}}};
    comm_reduction_init(&g->reduction);
}

void gvt_fini(struct gvt *g)
{
    comm_reduction_fini(&g->reduction);
    free(g->boards);
}

void gvt_share_votes(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    if (transport_boards(pe->transport, NULL)) {
        g->boards = tw_calloc(TW_LOC, "GVT", sizeof *g->boards, (size_t)pe->comm.n_ranks);
        transport_boards(pe->transport, g->boards);
        comm_reduction_share(&g->reduction, g->boards, pe->comm.crowded);
        const bool may_pack =
            g_run.settings.share_cores != 0 && !pe->comm.crowded && !pe->comm.cannot_pack;
        packing_init(&pe->comm.packing, may_pack ? (unsigned)pe->comm.n_ranks : 1);
    }
}

void gvt_keep_quiet(struct pe *pe)
{
    assert(!pe->gvt.in_round);
    pe->gvt.is_quiet = pe->gvt.reduction.boards != NULL;
    if (pe->gvt.is_quiet) {
        transport_hold_colour(pe->transport);
    }
}

static void set_adaptive(struct gvt *g, size_t event_bytes)
{
    uint64_t most = bounds_interval_most(event_bytes);
    uint64_t least = BOUNDS_INTERVAL_LEAST < most ? BOUNDS_INTERVAL_LEAST : most;
    g->adapts = true;
    g->interval_events = least;
    g->interval_events_least = least;
    g->interval_events_most = most;
    g->interval_ticks = (uint64_t)(BOUNDS_PATIENCE_S * g_run.ticks_per_second);
}

void gvt_choose_interval(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    bool given = options_was_given(&g_run.options, "gvt-interval") ||
                 g_tw_gvt_interval != TW_GVT_INTERVAL_DEFAULT;
    if (pe->synch == OPTIMISTIC && !given) {
        set_adaptive(g, pe->pool.event_size);
        return;
    }
    g->adapts = false;
    g->interval_events = (uint64_t)g_tw_gvt_interval * g_tw_mblock;
    g->interval_events_least = g->interval_events;
    g->interval_events_most = g->interval_events;
    g->interval_ticks = UINT64_MAX;
    if (pe->synch == OPTIMISTIC_REALTIME) {
        g->interval_ticks = (uint64_t)(g_tw_gvt_interval * 1e-3 * g_run.ticks_per_second);
    }
}

bool gvt_takes_turns(const struct pe *pe)
{
    return pe->comm.takes_turns && pe->gvt.adapts && pe->gvt.boards != NULL;
}

bool gvt_due(const struct pe *pe)
{
    const struct gvt *g = &pe->gvt;
    if (pe->synch != OPTIMISTIC_REALTIME && !gvt_takes_turns(pe) &&
        pe->counters.events_processed - g->last_processed >= g->interval_events) {
        return true;
    }
    return clock_ticks() - g->last_ticks >= g->interval_ticks;
}

void gvt_cut_next(struct gvt *g, enum gvt_cut_user user, double at)
{
    assert((unsigned)user < GVT_CUT_USERS && !isnan(at));
    struct gvt_cut *cut = &g->cut;
    cut->wanted[user] = at;
    cut->at = INFINITY;
    for (int i = 0; i < GVT_CUT_USERS; i++) {
        cut->at = cut->wanted[i] < cut->at ? cut->wanted[i] : cut->at;
    }
    cut->rounds = 0;
}

double gvt_cut_after(const struct gvt *g)
{
    return g->result.least.ts > g->result.executed_ts ? g->result.least.ts : g->result.executed_ts;
}

void gvt_cut_make(struct pe *pe)
{
    assert(pe->gvt.cut.rounds == GVT_CUT_ROUNDS);
    struct gvt_cut *cut = &pe->gvt.cut;
    const double at = cut->at;
    comm_reduction_pass(&pe->gvt.reduction);
    comm_pack_leave(&pe->comm); /* threads and programs begin with the processors of their parent */
    if (tw_extension.cut != NULL) {
        tw_extension.cut(&pe->head, cut->next_ts > DBL_MAX);
    }
    for (int i = 0; i < GVT_CUT_USERS; i++) {
        if (cut->wanted[i] == at) {
            cut->make[i](pe);
        }
    }
}

/* If the result of the round is not before the cut that is due, lowers the result to the time of
 * the cut and counts the round in cut.rounds. */
static void hold_at_cut(struct gvt *g)
{
    struct event_key key = event_key_at(g->cut.at);
    if (g->cut.at <= DBL_MAX && !event_key_before(&g->result.least, &key)) {
        g->cut.next_ts = g->result.least.ts;
        g->cut.rounds++;
        g->result.least = key;
    }
}

bool gvt_cut_ends_run(const struct gvt *g)
{
    const struct gvt_cut *cut = &g->cut;
    return cut->last && cut->rounds == GVT_CUT_ROUNDS &&
           cut->wanted[GVT_CUT_CHECKPOINT] <= cut->at && cut->at <= DBL_MAX;
}

bool gvt_end_waits_for_cut(const struct gvt *g)
{
    return g->cut.last && g->cut.wanted[GVT_CUT_CHECKPOINT] <= DBL_MAX && !gvt_cut_ends_run(g);
}

/* If a rank requested a checkpoint, sets the earliest possible cut for it. Ranks request
 * checkpoints after an interval of wall-clock time, after SIGUSR2, and when a signal ends the
 * run. */
static void grant_cut(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    struct gvt_cut *cut = &g->cut;
    bool ends = cut->at_signal && g->result.signal != 0 && !cut->last;
    /* True if the cut must come earlier than planned. */
    bool hastens = ends || g->result.checkpoint_wish != 0;
    bool planned = cut->wanted[GVT_CUT_CHECKPOINT] <= DBL_MAX;
    if (cut->make[GVT_CUT_CHECKPOINT] == NULL ||
        (!hastens && (planned || g->result.cut_wish == 0))) {
        return;
    }
    double done = gvt_cut_after(g);
    double at = nextafter(done, INFINITY);
    cut->last |= ends;
    if (done < pe->end_time && at < cut->wanted[GVT_CUT_CHECKPOINT]) {
        gvt_cut_next(g, GVT_CUT_CHECKPOINT, at);
    }
}

/* Returns this rank's contribution (a), about messages in transit; see gvt.h. */
static int64_t vote_in_transit(const struct pe *pe)
{
    if (pe->gvt.is_quiet) {
        return transport_is_flushed(pe->transport) ? 0 : 1;
    }
    const struct gvt *g = &pe->gvt;
    const unsigned before = (g->colour + TRANSPORT_COLOURS - 1) % TRANSPORT_COLOURS;
    const unsigned long_before = (g->colour + TRANSPORT_COLOURS - 2) % TRANSPORT_COLOURS;
    int64_t n = transport_balance(pe->transport, long_before);
    return g->looks_back ? n : n + transport_balance(pe->transport, before);
}

static void contribute(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    transport_flush(pe->transport);
    const tw_event *next = pending_peek(pe->pending);
    struct event_key least = next != NULL ? event_key(next) : event_key_at(INFINITY);
    if (g->looks_back && event_key_before(&g->least_sent_before, &least)) {
        least = g->least_sent_before;
    }
    /* Called before the vote is filled, because this call may free memory. */
    const uint64_t overdrawn = engine_overdrawn_bytes(pe);
    struct comm_vote vote = {
        .in_transit = vote_in_transit(pe),
        .processed = pe->before.events_processed + pe->counters.events_processed,
        .net = pe_net_events(&pe->before) + pe_net_events(&pe->counters),
        .past_end = pe->before.events_past_end + pe->counters.events_past_end,
        .least = event_key_before(&least, &g->least_sent) ? least : g->least_sent,
        .overdrawn_bytes = overdrawn,
        .room = pe_room_events(pe),
        .signal = (uint64_t)g_tw_signal,
        .hook_requests = pe->hook_requests,
        .cut_wish = g->cut.wish_ticks != UINT64_MAX && clock_ticks() >= g->cut.wish_ticks,
        .status_wish = request_vote(&g_run.signals.status),
        .checkpoint_wish = request_vote(&g_run.signals.checkpoint),
        .control_wish = tw_extension.has_request != NULL && tw_extension.has_request(),
        .executed_ts = pe_keeps_history(pe) ? -INFINITY : pe->latest_ts,
        .waited_ticks = g->waited_ticks,
        .lost_ns = g->lost_ns,
        .ranks_per_core = pe->comm.cannot_pack ? UINT64_MAX : 1u << pe->comm.packing.now,
    };
    g->contributed = vote.least;
    pe->counters.all_reduces++;
    comm_reduction_start(&g->reduction, &pe->comm, &vote);
}

/* Changes the colour of this rank to the next one. */
static void change_colour(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    g->colour = (g->colour + 1) % TRANSPORT_COLOURS;
    transport_set_colour(pe->transport, g->colour);
    if (!g->is_quiet) {
        g->least_sent_before = g->least_sent;
        g->least_sent = event_key_at(INFINITY);
    }
}

void gvt_look_back(struct pe *pe)
{
    assert(!pe->gvt.in_round);
    pe->gvt.looks_back = pe->gvt.reduction.boards == NULL && pe->comm.n_ranks > 1;
}

void gvt_notice(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    if (!g->is_coloured && comm_reduction_is_begun(&g->reduction)) {
        change_colour(pe);
        g->is_coloured = true;
    }
}

void gvt_start(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_gvt);
    uint64_t began = clock_ticks();
    assert(!g->in_round);
    if (PROBE_IS_WANTED(&pe->probes, gvt_started)) {
        PROBE_CALL(&pe->probes, gvt_started, &pe->head);
    }
    /* Receives messages that have arrived, so that the vote counts them. The number of attempts is
     * limited, because other ranks may send without end. */
    for (unsigned n = 0; n < POLLS_BEFORE_VOTE && g->looks_back && engine_receive(pe); n++) {
    }
    if (!g->is_coloured) {
        change_colour(pe);
    }
    g->is_coloured = false;
    g->began_ticks = began;
    g->began_processed = pe->counters.events_processed;
    g->in_round = true;
    contribute(pe);
    g->cost_ticks = clock_ticks() - began;
    phase_enter(&pe->phases, before);
}

/* At most once per LOOK_S: reads for how long this rank had no processor; rank 0 also decides how
 * many ranks share a processor. now: clock ticks. */
static void look_at_processors(struct pe *pe, uint64_t now)
{
    struct gvt *g = &pe->gvt;
    if (pe->comm.packing.top == 0 || now < g->look_ticks) {
        return;
    }
    g->look_ticks = now + (uint64_t)(LOOK_S * g_run.ticks_per_second);
    g->lost_ns = run_processor_time(true).processor_lost_ns;
    comm_pack_note(&pe->comm, g->boards[pe->comm.rank]);
    if (pe->comm.rank == 0) {
        packing_look(&pe->comm.packing, (double)now * g_run.seconds_per_tick, g->result.net,
                     (double)g->result.lost_ns * 1e-9, (unsigned)pe->comm.n_ranks);
    }
}

/* Packs the ranks as rank 0 voted, or never again if a rank cannot. Called on all ranks after the
 * same round. */
static void pack(struct pe *pe, uint64_t ranks)
{
    struct comm *c = &pe->comm;
    const bool ends = ranks == UINT64_MAX;
    if (c->packing.top > 0 && (ranks > 1 || c->ranks_per_core > 1)) {
        comm_pack(c, ends ? 1 : (unsigned)ranks, pe->gvt.boards);
        comm_reduction_wake(&pe->gvt.reduction, c->crowded);
    }
    if (ends) {
        packing_init(&c->packing, 1);
    }
}

void gvt_unpack(struct pe *pe)
{
    comm_reduction_pass(&pe->gvt.reduction);
    pe->comm.packing.now = 0;
    pack(pe, 1);
}

/* Continues the current round. Returns true if the round has ended. */
static bool take_step(struct pe *pe)
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
    if (g->is_quiet) {
        while (engine_receive(pe)) {
        }
        g->least_sent = event_key_at(INFINITY);
    }
    return true;
}

/* Copies GVT to the public members of the PE. */
static void set_gvt(struct pe *pe)
{
    const struct event_key *least = &pe->gvt.result.least;
    pe->head.GVT = least->ts;
    pe->head.GVT_sig = (tw_event_sig){.recv_ts = least->ts,
                                      .priority = least->prio,
                                      .tie_lineage_length = 1,
                                      .event_tiebreaker = {least->tie}};
}

bool gvt_step(struct pe *pe)
{
    struct gvt *g = &pe->gvt;
    assert(g->in_round);
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_gvt);
    uint64_t began = clock_ticks();
    bool ended = take_step(pe);
    uint64_t now = clock_ticks();
    g->cost_ticks += now - began;
    phase_enter(&pe->phases, before);
    if (!ended) {
        return false;
    }
    g->interval_events =
        bounds_interval_next(g->interval_events, g->interval_events_least, g->interval_events_most,
                             (double)g->cost_ticks, (double)(now - g->last_ticks));
    assert(!event_key_before(&g->reduction.all.least, &g->result.least));
    g->result = g->reduction.all;
    hold_at_cut(g);
    grant_cut(pe);
    g->in_round = false;
    g->looks_back = false;
    g->pending_ticks += now - g->began_ticks;
    g->overlapped_events += pe->counters.events_processed - g->began_processed;
    g->last_processed = pe->counters.events_processed;
    if (pe->comm.ranks_per_core > 1) {
        g_run.processor_clock.latest.processor_shared_ns +=
            (uint64_t)((double)(now - g->last_ticks) * g_run.seconds_per_tick * 1e9);
    }
    g->last_ticks = now;
    set_gvt(pe);
    pe->counters.gvt_rounds++;
    pack(pe, g->result.ranks_per_core);
    look_at_processors(pe, now);
    return true;
}

void gvt_compute_alone(struct pe *pe)
{
    assert(pe->comm.n_ranks == 1);
    gvt_start(pe);
    bool ended = gvt_step(pe);
    assert(ended);
    (void)ended;
}

void engine_gvt_finished(struct pe *pe)
{
    if (PROBE_IS_WANTED(&pe->probes, gvt_finished)) {
        PROBE_CALL(&pe->probes, gvt_finished, &pe->head, pe->head.GVT);
    }
}
