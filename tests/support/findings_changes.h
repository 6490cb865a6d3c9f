/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings_changes.h - changes of a healthy run that a rule is for (`enough`), or that are just below its
 * limit.
 */
#ifndef WARPSCOPE_TESTS_FINDINGS_CHANGES_H
#define WARPSCOPE_TESTS_FINDINGS_CHANGES_H

#include "support/findings_runs.h"

static inline void incomplete(struct run *r, bool enough)
{
    r->e.pes_open = enough ? 2 : 0;
}
static inline void lost(struct run *r, bool enough)
{
    r->e.records_lost = enough ? 1234 : 0;
}
static inline void random_rollbacks(struct run *r, bool enough)
{
    r->e.sum.undone = 600e3;
    r->e.random_rollbacks = enough;
}
static inline void kps(struct run *r, bool enough)
{
    r->e.kps_per_pe = 2;
    r->e.sum.undone = enough ? 310e3 : 99e3;
}
static inline void kps_of_few(struct run *r, bool enough)
{
    r->e.sum.undone = 310e3;
    r->e.lps = enough ? 2048 : 2044; /* 8 LPs per KP, and fewer */
}
/* Many events were undone, but the KPs are many. */
static inline void stormy(struct run *r)
{
    r->e.sum.undone = 310e3;
    r->e.kps_per_pe = 512;
    studied(r);
}
static inline void optimism(struct run *r, bool enough)
{
    stormy(r);
    r->e.study = NULL;
    r->e.sum.undone = enough ? 310e3 : 199e3;
    r->e.sum.secondary = 7200;
}
static inline void bound(struct run *r, bool enough)
{
    stormy(r);
    r->e.sum.undone = enough ? 310e3 : 199e3;
    r->e.sum.gvts = 1500;
    r->study.has_bound = true;
    r->study.bound = 0.5;
}
static inline void bound_cost(struct run *r, bool enough)
{
    bound(r, true);
    /* A third more GVT computations, which took 10 % of the time, and two thirds more */
    r->e.sum.gvts = enough ? 1500 : 1200;
}
static inline void bound_rounds(struct run *r, bool enough)
{
    bound(r, true);
    r->e.n_pes = 0;
    r->e.sum.gvts = enough ? 501 : 499; /* a quarter of those that the bound needs */
}
static inline void bound_given(struct run *r, bool enough)
{
    bound(r, true);
    r->e.max_optimism = enough ? 0.6 : 0.4;
}
static inline void bound_tight(struct run *r, bool enough)
{
    r->e.max_optimism = 0.1;
    r->e.sum.gvts = 2500; /* one after 100 events of a rank */
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_GVT] = enough ? 1.8 : 1.5; /* 0.11, 0.09 of the time */
    }
}
static inline void batch_large(struct run *r, bool enough)
{
    stormy(r);
    r->e.is_batch_given = true;
    r->e.batch = enough ? 1024 : 1023;
}
static inline void batch_waste(struct run *r, bool enough)
{
    batch_large(r, true);
    r->e.sum.undone = enough ? 110e3 : 90e3;
}
static inline void batch_small(struct run *r, bool enough)
{
    r->e.is_batch_given = true;
    r->e.batch = enough ? 3 : 4;
}
static inline void gvt_often(struct run *r, bool enough)
{
    r->e.is_gvt_given = true;
    r->e.gvt_interval = enough ? 3 : 4;
    r->e.sum.gvts = 8000;
}
static inline void gvt_given(struct run *r, bool enough)
{
    gvt_often(r, true);
    r->e.is_gvt_given = enough; /* an adaptive interval is as it must be */
}
static inline void gvt_rare(struct run *r, bool enough)
{
    r->e.is_gvt_given = true;
    r->e.gvt_interval = 5000;
    r->e.sum.gvts = enough ? 50 : 65;
}
static inline void gvt_time(struct run *r, bool enough)
{
    r->pes[1].phases[WS_PHASE_GVT] = enough ? 3.8 : 1.9;
}
static inline void period(struct run *r, bool enough)
{
    r->e.sum.undone = 99e3; /* 89 % over the run */
    r->e.low_efficiency = enough ? 31.0 : 61.0;
}
static inline void kp(struct run *r, bool enough)
{
    r->e.kp = 12;
    r->e.kp_pe = 1;
    r->e.kp_rollbacks = enough ? 6100 : 2900;
}
static inline void pair(struct run *r, bool enough)
{
    r->e.pair_most = enough ? 5500 : 3900;
}
static inline void undo(struct run *r, bool enough)
{
    for (int i = 0; i < PES; i++) { /* 28 us per event forwards; 3 or 1.9 times that to undo */
        r->pes[i].phases[WS_PHASE_UNDO] = 10e3 * 28e-6 * (enough ? 3.0 : 1.9);
    }
}
static inline void undo_states(struct run *r, bool enough)
{
    undo(r, enough);
    r->e.state_saves = 1e6;
}
static inline void alone(struct run *r, bool enough)
{
    /* Of the 10 s, other programs took 2 s: what they took is no reason for fewer ranks. */
    r->e.lost_part = r->e.lost_most = 0.2;
    r->e.alone_seconds = enough ? 5.6 : 5.8;
}
/* The same shares of another time of the run. */
static inline void length_set(struct run *r, double seconds)
{
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].seconds *= seconds / r->e.run_seconds;
        for (int phase = 0; phase < WS_PHASE_COUNT; phase++) {
            r->pes[pe].phases[phase] *= seconds / r->e.run_seconds;
        }
    }
    r->e.run_seconds = seconds;
}
/* 0.29 s, without what keeping 960000 events takes: as long as committing them, but for a PE whose times
 * other programs prolonged; 40 ns each where that is not known. */
static inline void alone_kept(struct run *r, bool enough)
{
    length_set(r, 0.35);
    r->e.alone_seconds = 0.29;
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_COMMIT] = 250e3 * (pe == 0 ? 9e-6 : enough ? 50e-9 : 40e-9);
    }
}
static inline void alone_kept_unknown(struct run *r, bool enough)
{
    alone_kept(r, enough);
    r->e.alone_seconds = enough ? 0.28 : 0.29;
    r->pes[2].phases[WS_PHASE_COMMIT] = 0.0;
}
/* 960000 handlers, and half of the time of the queue, 100 ns each where that is not known. */
static inline void alone_handlers(struct run *r, bool enough)
{
    length_set(r, 0.35);
    r->e.handlers_timed = true;
    r->e.handler_seconds = enough ? 200e-9 : 210e-9;
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_EXECUTE] = 250e3 * 200e-9;
    }
}
/* The run without recording is compared with what one rank would need: here it writes records, and takes times
 * in the phase of events. */
static inline void alone_recording(struct run *r, bool enough)
{
    alone_handlers(r, false);
    length_set(r, 0.41);
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_STATES] = 250e3 * 10e-9;
        r->pes[pe].phases[WS_PHASE_EXECUTE] = 250e3 * (pe == 0 ? 900e-9 : enough ? 280e-9 : 320e-9);
        r->pes[pe].phases[WS_PHASE_QUEUE] = 250e3 * 100e-9;
        r->pes[pe].phases[WS_PHASE_RECORDS] = 0.035;
    }
}
/* Without the states that handlers save, but not without all of their time. */
static inline void alone_states(struct run *r, bool enough)
{
    alone_handlers(r, false);
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_STATES] = 250e3 * (enough ? 15e-9 : 2e-9);
        r->pes[pe].phases[WS_PHASE_QUEUE] = 250e3 * (pe == 1 ? 900e-9 : 100e-9);
    }
}
static inline void alone_states_most(struct run *r, bool enough)
{
    alone_handlers(r, false);
    r->e.handler_seconds = enough ? 510e-9 : 530e-9;
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_EXECUTE] = 0.0;
        r->pes[pe].phases[WS_PHASE_STATES] = 250e3 * 480e-9;
    }
}
static inline void alone_states_few(struct run *r, bool enough)
{
    alone_states_most(r, enough);
    r->e.stride = 1e6; /* less than 20 timed turns */
}
static inline void ranks_processors(struct run *r, bool enough)
{
    r->e.processors = enough ? 2 : 4;
}
static inline void ranks_path(struct run *r, bool enough)
{
    studied(r);
    pes_set(r, 6);
    r->study.speed_up = enough ? 4.2 : 5.2;
}
static inline void ranks_none(struct run *r, bool enough)
{
    studied(r);
    pes_set(r, 2);
    r->study.speed_up = enough ? 1.1 : 1.3;
}
/* 28 s of handlers and queue on 8 ranks, where 7 s are the bound: the rest is for messages and GVT. */
static inline void ranks_more(struct run *r, bool enough)
{
    studied(r);
    r->study.more_ranks = 8;
    r->study.more[0].in_order = enough ? 4.1 : 3.9;
    r->study.more[0].remote = 0.03;
}
static inline void ranks_more_gain(struct run *r, bool enough)
{
    ranks_more(r, true);
    length_set(r, enough ? 10 : 8.2);
}
static inline void ranks_more_remote(struct run *r, bool enough)
{
    ranks_more(r, true);
    length_set(r, 9.5);
    r->study.more[0].remote = enough ? 0.1 : 0.9; /* an event between ranks takes 10 us */
}
static inline void ranks_more_predicted(struct run *r, bool enough)
{
    ranks_more(r, true);
    length_set(r, 9.5);
    r->study.more_optimistic = enough ? 3 : 9;
}
static inline void shared(struct run *r, bool enough)
{
    r->e.lost_pe = 2;
    r->e.lost_most = enough ? 0.43 : 0.09;
    r->e.lost_part = enough ? 0.3 : 0.08;
}
static inline void shared_by_ranks(struct run *r, bool enough)
{
    shared(r, enough);
    r->e.shared_part = 0.81;
}
static inline void waiting(struct run *r, bool enough)
{
    r->pes[3].phases[WS_PHASE_REST] = enough ? 4.5 : 3.4;
}
static inline void waiting_shared(struct run *r, bool enough)
{
    waiting(r, true);
    r->e.lost_most = enough ? 0.09 : 0.43; /* then the machine is the cause */
}
static inline void network(struct run *r, bool enough)
{
    r->pes[0].phases[WS_PHASE_NETWORK] = enough ? 3.1 : 2.4;
}
static inline void states(struct run *r, bool enough)
{
    r->pes[2].phases[WS_PHASE_STATES] = enough ? 2.2 : 1.4;
}
static inline void recording(struct run *r, bool enough)
{
    r->pes[2].phases[WS_PHASE_RECORDS] = enough ? 1.2 : 0.9;
}
static inline void exact(struct run *r, bool enough)
{
    r->e.phases_exact = enough;
}
static inline void queue(struct run *r, bool enough)
{
    r->e.queue_middle = enough ? 10e3 : 6e3;
    r->e.queue_last = enough ? 40e3 : 9e3;
}
static inline void imbalance(struct run *r, bool enough)
{
    r->pes[3].sum.committed *= 10; /* time is what counts */
    r->pes[3].phases[WS_PHASE_EXECUTE] = enough ? 14.0 : 9.0;
    r->e.phases_exact = false;
}
static inline void imbalance_events(struct run *r, bool enough)
{
    r->e.lost_most = 0.3;                                         /* the times say little */
    r->pes[3].sum.committed = enough ? 240e3 * 4.5 : 240e3 * 1.3; /* 2.4 and 1.2 times the mean */
}
static inline void imbalance_timed(struct run *r, bool enough)
{
    imbalance_events(r, true);
    r->e.handlers_timed = !enough; /* then events do not tell */
}
static inline void remote(struct run *r, bool enough)
{
    r->e.sum.remote = enough ? 630e3 : 390e3;
}
static inline void placement_remote(struct run *r, bool enough)
{
    studied(r);
    r->study.remote_now = 200e3;
    r->study.remote_new = enough ? 139e3 : 141e3;
}
static inline void placement_uneven(struct run *r, bool enough)
{
    studied(r);
    r->study.balance_now = 1.6;
    r->study.balance_new = enough ? 1.27 : 1.29;
    r->study.is_by_time = true;
}
static inline void placement_worse(struct run *r, bool enough)
{
    placement_remote(r, true);
    r->study.balance_new = enough ? 1.1 : 1.2; /* uneven for the sake of few remote events */
}
static inline void types(struct run *r, bool enough)
{
    r->e.types_most = enough ? 94e3 : 79e3;
}
static inline void slow(struct run *r, bool enough)
{
    studied(r);
    r->study.slow_times = enough ? 1.6 : 1.4;
}
static inline void busiest(struct run *r, bool enough)
{
    r->e.lp_events = enough ? 430e3 : 270e3;
}
static inline void busiest_timed(struct run *r, bool enough)
{
    busiest(r, true);
    r->e.handlers_timed = !enough; /* events do not tell the load then */
}
static inline void hot(struct run *r, bool enough)
{
    studied(r);
    r->study.hot_by_time = true;
    r->study.hot_part = enough ? 0.6 : 0.27;
}
static inline void hot_path(struct run *r, bool enough)
{
    studied(r);
    pes_set(r, 8);
    r->study.speed_up = enough ? 5.5 : 8.5;
    r->study.path_lps = 2;
}
static inline void hot_path_many(struct run *r, bool enough)
{
    hot_path(r, true);
    r->study.path_lps = enough ? 4 : 0; /* more than can be named */
}
static inline void one_rank(struct run *r, bool enough)
{
    pes_set(r, 1);
    r->e.scheduler = enough ? WS_SCHED_OPTIMISTIC : WS_SCHED_SEQUENTIAL;
}
static inline void conservative(struct run *r)
{
    r->e.scheduler = WS_SCHED_CONSERVATIVE;
    r->e.sum.undone = 0;
}
static inline void windows_narrow(struct run *r, bool enough)
{
    conservative(r);
    for (int i = 0; i < PES; i++) {
        r->pes[i].seconds = 0.0; /* not known */
    }
    r->e.sum.gvts = enough ? 31700 : 31000; /* 7.9 and 8.1 events of a rank */
}
static inline void windows_waits(struct run *r, bool enough)
{
    conservative(r);
    for (int i = 0; i < PES; i++) {
        r->pes[i].phases[WS_PHASE_GVT] = enough ? 2.1 : 1.9;
    }
}
/* Conservative ranks would need 7.7 s instead of 9.8. */
static inline void windows_kept(struct run *r, bool enough)
{
    r->e.planned = 1000;
    r->e.lookahead_kept = enough ? 200e3 : 199999;
}
static inline void windows_gain(struct run *r, bool enough)
{
    windows_kept(r, true);
    r->e.alone_seconds = enough ? 28.0 : 30.0;
}
static inline void windows_shared(struct run *r, bool enough)
{
    windows_kept(r, true);
    r->e.lost_most = enough ? 0.09 : 0.11;
}
/* One rank would need 4 s: more ranks must be worth it. */
static inline void windows_alone(struct run *r, bool enough)
{
    windows_kept(r, true);
    r->e.alone_seconds = 4.0;
    r->e.lookahead = enough ? 1000.0 / 150e3 : 1000.0 / 300e3;
}
static inline void windows_wide(struct run *r, bool enough)
{
    stormy(r);
    r->study.window_events = enough ? 260 : 252;
}
static inline void windows_waste(struct run *r, bool enough)
{
    windows_wide(r, true);
    r->e.sum.undone = enough ? 210e3 : 190e3;
}
static inline void windows_later(struct run *r, bool enough)
{
    windows_wide(r, true);
    r->e.kps_per_pe = enough ? 512 : 2; /* more KPs first */
}
static inline void lookahead(struct run *r, bool enough)
{
    conservative(r);
    r->e.lookahead = enough ? 0.002 : 0.11;
}
static inline void lookahead_least(struct run *r, bool enough)
{
    lookahead(r, true);
    r->e.offset_least = enough ? 0.0041 : 0.0039;
}

#endif
