/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.c - rules about what takes the time: the loop of the scheduler, GVT, waiting, messages; see
 * rules.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "findings/rules.h"

#define BATCH_GOOD 16.0 /* default number of events per batch */
/* With fewer events per batch than this, the loop of the scheduler costs much time. */
#define BATCH_SMALL 4.0
/* With this many events per batch or more, stragglers wait long, if this share of events was undone. */
#define BATCH_LARGE 1024.0
#define BATCH_WASTE 0.1
/* If a rank executes fewer events than this between two GVT computations, the computations cost
 * much time. */
#define ROUND_SMALL 64.0
/* In adaptive runs, a rank never executes more events than this between two GVT computations. */
#define ROUND_LARGE 4096.0
/* Frequent GVT computations bound how far ranks run ahead: if this share is undone even so, fewer of them let
 * more events be undone. */
#define GVT_WASTE  0.05
#define GVT_LITTLE 0.05 /* share of the time of all PEs that fewer GVT computations must save */
#define GVT_MUCH   0.2  /* share of the time of a PE that is much for GVT */

void ws_rule_shared(struct ws_finding *f, const struct ws_evidence *e)
{
    if (!(e->run_seconds >= SECONDS_LEAST && e->lost_most >= LOST_MUCH && e->lost_part > 0.0)) {
        return;
    }
    ws_found(f, e->lost_part,
             "The machine was shared: PE %" PRIu32 " was ready to run, but had no processor, for "
             "%.0f %% of its time; all PEs for %.0f %%.",
             e->lost_pe, ws_percent(e->lost_most), ws_percent(e->lost_part));
    if (e->shared_part > 0.0) {
        ws_sentence_more(
            f->text,
            "This includes turns of other ranks: for %.0f %% of the time, ranks shared "
            "processors because other programs or threads ran (--share-cores).",
            ws_percent(e->shared_part));
    }
    ws_sentence(f->advice,
                "Use no more ranks than there are free processors. Times of this run say as "
                "much about what else ran as about the model.");
}

/* ---- The loop of the scheduler --------------------------------------------------------------- */

double ws_batch_next(const struct ws_evidence *e)
{
    bool is_bad =
        e->batch < BATCH_SMALL || (e->batch >= BATCH_LARGE && ws_evidence_wasted(e) >= BATCH_WASTE);
    return e->is_batch_given && is_bad ? BATCH_GOOD : e->batch;
}

void ws_rule_batch(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = ws_evidence_wasted(e), next = ws_batch_next(e);
    if (ws_is_elsewhere(f, e)) {
        return;
    }
    if (!(e->batch >= 1.0)) {
        ws_not_judged(f, 0.0, "The recording does not state the batch.",
                      "Record with this version of Warpscope.");
        return;
    }
    if (next > e->batch) {
        double rest = ws_evidence_part(e, WS_PHASE_REST);
        ws_found(f, (1.0 - e->batch / next) * ws_or(rest, 0.2),
                 "A rank goes through the loop of the scheduler after every %.0f of its %.3g "
                 "executed events.",
                 e->batch, e->sum.processed / e->ranks);
        ws_gain(f, "turns of the loop", 0.0, 1.0 - e->batch / next);
    } else if (next < e->batch) {
        ws_found(f, 0.8 * ws_undone_part(e),
                 "A rank looks for messages only after %.0f events, and %.0f %% of the executed "
                 "events were undone.",
                 e->batch, ws_percent(part));
        ws_gain(f, "executed events", 0.0, part);
    } else {
        ws_sentence(
            f->text,
            "A rank looks for messages after %.0f events; %.1f %% of the executed events were "
            "undone.",
            e->batch, ws_percent(part));
        return;
    }
    ws_sentence(f->advice, "Use batches of %.0f events, as by default.", next);
    snprintf(f->options, sizeof f->options, "--batch=%.0f", next);
}

/* ---- GVT ------------------------------------------------------------------------------------- */

/* Says how much of the time the GVT computations took, where the interval needs no change. */
static void waits_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    double part;
    const struct ws_evidence_pe *worst = ws_evidence_worst(e, WS_PHASE_GVT, &part);
    ws_sentence(f->text, "%s%.3g events of a rank per GVT computation.",
                e->is_gvt_given ? "" : "The interval adapts: ", ws_per_round(e));
    if (worst != NULL && worst->seconds >= SECONDS_LEAST && part >= GVT_MUCH) {
        ws_sentence_more(f->text,
                         "PE %" PRIu32
                         " spends %.0f %% of its time on GVT: computing it, and waiting "
                         "for other PEs.",
                         worst->pe, ws_percent(part));
        ws_not_judged(f, ws_evidence_part(e, WS_PHASE_GVT), NULL,
                      "The interval is good, so most of this is waiting: for PEs that have more "
                      "work, or no processor. See what is said of ranks and placement.");
    }
}

void ws_rule_gvt(struct ws_finding *f, const struct ws_evidence *e)
{
    double events = e->gvt_interval * e->batch, each = ws_per_round(e);
    double next = fmax(1.0, rint(ROUND_GOOD / ws_batch_next(e)));
    double rounds = e->sum.processed / e->ranks / ROUND_GOOD;
    if (ws_is_elsewhere(f, e)) {
        return;
    }
    if (!(e->sum.gvts >= 1.0) || !(events >= 1.0)) {
        ws_not_judged(f, 0.0, "The number of GVT computations was not recorded.",
                      "Let the run end in order, and record with this version of Warpscope.");
        return;
    }
    double saved = 1.0 - rounds / e->sum.gvts;
    if (e->is_gvt_given && events < ROUND_SMALL && e->sum.gvts >= 100.0 &&
        ws_evidence_wasted(e) < GVT_WASTE &&
        !(ws_has_times(e) && saved * ws_evidence_part(e, WS_PHASE_GVT) < GVT_LITTLE)) {
        ws_found(
            f, saved * ws_or(ws_evidence_part(e, WS_PHASE_GVT), 0.3),
            "--gvt-interval=%.0f, with batches of %.0f: %.0f GVT computations, one after every "
            "%.3g executed events of a rank.",
            e->gvt_interval, e->batch, e->sum.gvts, each);
        ws_gain(f, "GVT computations", 0.0, saved);
    } else if (e->is_gvt_given && events > ROUND_LARGE && each > ROUND_LARGE) {
        double part = ws_evidence_wasted(e);
        ws_found(
            f, 0.01 + 0.5 * ws_undone_part(e),
            "--gvt-interval=%.0f, with batches of %.0f: %.3g executed events of a rank stay in "
            "memory until the next GVT computation; %.0f %% were undone.",
            e->gvt_interval, e->batch, each, ws_percent(part));
        ws_gain(f, "executed events", 0.0, part);
    } else {
        waits_judge(f, e);
        return;
    }
    ws_sentence(f->advice,
                "Leave --gvt-interval out, so that it adapts. Appended options cannot do that: "
                "--gvt-interval=%.0f is within the range of an adaptive run.",
                next);
    snprintf(f->options, sizeof f->options, "--gvt-interval=%.0f", next);
}

void ws_rule_lookahead(struct ws_finding *f, const struct ws_evidence *e)
{
    double ratio = e->lookahead / e->offset_mean;
    if (e->scheduler != WS_SCHED_CONSERVATIVE || !(ratio < 0.1)) {
        return;
    }
    ws_sentence(
        f->text,
        "The lookahead, %.3g, is small beside the mean offset of events, %.3g; the least offset "
        "recorded is %.3g.",
        e->lookahead, e->offset_mean, e->offset_least);
    if (e->offset_least > 2.0 * e->lookahead) {
        f->verdict = WS_CHANGE;
        f->weight = ws_or(ws_evidence_part(e, WS_PHASE_GVT), 0.5) * (1.0 - 10.0 * ratio);
        ws_sentence(f->advice, "A greater --cons-lookahead may be possible, if the model never has "
                               "lesser offsets.");
    }
}

/* ---- Phases ---------------------------------------------------------------------------------- */

void ws_rule_waiting(struct ws_finding *f, const struct ws_evidence *e)
{
    if (e->lost_most >= LOST_MUCH) {
        return; /* "shared" then names the cause */
    }
    ws_takes(f, e, WS_PHASE_REST, 0.35, 2, "waiting and scheduling",
             "Bind each rank to a core of its own. Otherwise it has too little work: see what is "
             "said of ranks, batch and placement.");
}

void ws_rule_network(struct ws_finding *f, const struct ws_evidence *e)
{
    ws_takes(f, e, WS_PHASE_NETWORK, 0.25, 2, "taking in messages",
             "Within a host, events travel fastest with --transport=auto. Their number depends on "
             "the placement.");
}

void ws_rule_states(struct ws_finding *f, const struct ws_evidence *e)
{
    ws_takes(f, e, WS_PHASE_STATES, 0.15, 0, "saving and restoring states",
             "Each event of an LP without a reverse handler copies its state: make large states "
             "smaller, or write reverse handlers for their types.");
}
