/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollbacks.c - rules about events that are undone; see rules.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "findings/rules.h"

/* Minimum number of rollbacks for statements about their distribution. */
#define ROLLBACKS_LEAST 50.0
/* If at least this share of the executed events was undone, rules look for a remedy. */
#define UNDONE_SOME    0.1
#define KPS_GOOD       16u /* default number of KPs per rank */
#define LPS_PER_KP_FEW 8u  /* fewer LPs than this may share one KP without harm */
/* Where the time of a GVT computation is not known: largest factor by which a bound on optimism may
 * increase their number. */
#define ROUNDS_MORE 4.0
/* A bound is tight if a rank executes fewer events than this between two GVT computations. */
#define ROUND_TIGHT 256.0
/* More rollbacks follow from a larger bound: it is worth that if it saves this part of the time. */
#define TIGHT_LEAST 0.1
/* A bound waits: the rounds that it adds may take at most this part of the time that it saves. */
#define ROUNDS_WORTH 0.5

void ws_rule_random(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = ws_evidence_wasted(e);
    if (!e->random_rollbacks) {
        ws_sentence(f->text, "The run made no rollbacks on purpose.");
        return;
    }
    ws_found(f, fmax(0.01, ws_undone_part(e)),
             "The run rolled events back on purpose, at random: %.0f %% of the executed events "
             "were undone, for whatever reason.",
             ws_percent(part));
    ws_sentence(f->advice,
                "Leave --random-rollbacks out, or set it to 0. Other rollbacks can be judged "
                "only without it.");
    snprintf(f->options, sizeof f->options, "--random-rollbacks=0");
    ws_gain(f, "executed events", 0.0, part);
}

/* ---- KPs ------------------------------------------------------------------------------------- */

uint64_t ws_kps_next(const struct ws_evidence *e)
{
    uint64_t lps = e->lps / (e->ranks > 0 ? e->ranks : 1);
    uint64_t more = 4 * e->kps_per_pe > KPS_GOOD ? 4 * e->kps_per_pe : KPS_GOOD;
    more = more < lps ? more : lps;
    bool is_known = !e->random_rollbacks && e->kps_per_pe > 0 && lps > 0;
    bool is_few = is_known && lps / e->kps_per_pe >= LPS_PER_KP_FEW && more > e->kps_per_pe;
    return is_few && ws_evidence_wasted(e) >= UNDONE_SOME ? more : e->kps_per_pe;
}

void ws_rule_kps(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = ws_evidence_wasted(e);
    double lps = (double)(e->lps / (e->ranks > 0 ? e->ranks : 1));
    uint64_t next = ws_kps_next(e);
    if (ws_is_elsewhere(f, e)) {
        return;
    }
    if (e->random_rollbacks || e->kps_per_pe == 0 || !(lps > 0.0)) {
        ws_not_judged(f, 0.0,
                      "Rollbacks on purpose, selected records, or an earlier format hide what the "
                      "KPs cost.",
                      "Record without --random-rollbacks.");
        return;
    }
    if (next == e->kps_per_pe) {
        ws_sentence(f->text, "%.1f %% of the executed events were undone; LPs per KP: %.3g.",
                    ws_percent(part), fmax(1.0, lps / (double)e->kps_per_pe));
        return;
    }
    ws_found(f, ws_undone_part(e),
             "%.0f %% of the executed events were undone, and %.3g LPs share a KP: a straggler "
             "undoes the later events of all of them.",
             ws_percent(part), lps / (double)e->kps_per_pe);
    ws_sentence(f->advice, "Use %" PRIu64 " KPs per rank instead of %" PRIu64 ".", next,
                e->kps_per_pe);
    snprintf(f->options, sizeof f->options, "--nkp=%" PRIu64, next);
    ws_gain(f, "executed events", 0.0, part);
}

void ws_rule_kp(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = e->kp_rollbacks / e->kp_all;
    /* Among few KPs, one always has a large share. */
    if (!(e->kp_all >= ROLLBACKS_LEAST && part >= 0.3) || e->kps < 2 ||
        part < 3.0 / (double)e->kps) {
        return;
    }
    ws_found(f, part * ws_undone_part(e),
             "KP %" PRIu64 " of PE %" PRIu32 " takes part in %.0f %% of all rollbacks.", e->kp,
             e->kp_pe, ws_percent(part));
    ws_sentence(f->advice, "Its LPs roll back together: see which ones cause it, by \"warpscope "
                           "rollbacks\", and give them KPs of their own by a placement map.");
}

/* ---- The bound of optimism ------------------------------------------------------------------- */

/* Judges the bound s->bound. part: share of the executed events that were undone. */
static void bound_judge(struct ws_finding *f, const struct ws_evidence *e, double part)
{
    const double bound = e->study->bound, rounds = e->span / bound;
    const double saved = 0.5 * ws_undone_part(e), spent = ws_evidence_part(e, WS_PHASE_GVT);
    const double more = spent * (rounds / e->sum.gvts - 1.0); /* share of the time of the run */
    bool is_cheap =
        more == more ? more <= ROUNDS_WORTH * saved : rounds <= ROUNDS_MORE * e->sum.gvts;
    if (e->max_optimism >= 0.0 && !(e->max_optimism > 0.0)) {
        ws_sentence(f->text, "The run bounds optimism by measured efficiency.");
    } else if (!(e->sum.gvts >= 1.0)) {
        ws_not_judged(f, 0.0, "The number of GVT computations was not recorded.",
                      "Let the run end in order.");
    } else if (!(bound > 0.0)) {
        ws_sentence(f->text, "No bound avoids half of the events that stragglers undid: most of "
                             "these had the time of the straggler.");
    } else if (e->max_optimism <= bound) {
        ws_sentence(
            f->text,
            "The bound of the run, %.3g, is not above %.3g, which avoids half of the events "
            "that stragglers undid.",
            e->max_optimism, bound);
    } else {
        ws_sentence(
            f->text,
            "%.0f %% of the executed events were undone, and half of those that stragglers undid "
            "themselves were more than %.3g ahead of them. With that bound, the %.3g of virtual "
            "time need at least %.0f GVT computations instead of %.0f",
            ws_percent(part), bound, e->span, rounds, e->sum.gvts);
        if (more == more && rounds > e->sum.gvts) {
            ws_sentence_more(f->text, ", which took %.0f %% of the time", ws_percent(spent));
        }
        ws_sentence_more(f->text, is_cheap ? "." : ": more than the bound saves.");
        if (is_cheap) {
            f->verdict = WS_CHANGE;
            f->weight = saved - fmax(0.0, ws_or(more, 0.0));
            ws_sentence(f->advice, "Let ranks run at most %.3g ahead of GVT; they wait more then.",
                        bound);
            snprintf(f->options, sizeof f->options, "--max-opt-lookahead=%.3g", bound);
            ws_gain(f, "executed events", 0.0, part);
        }
    }
}

/* Finds that the bound of a run with few rollbacks leaves few events between GVT computations. */
static void tight_judge(struct ws_finding *f, const struct ws_evidence *e, double part)
{
    double each = ws_per_round(e);
    /* Otherwise the interval between GVT computations is the cause. */
    bool is_bound = !e->is_gvt_given || each < 0.5 * e->gvt_interval * e->batch;
    double saved = ws_or(ws_evidence_part(e, WS_PHASE_GVT), 0.3) * (1.0 - each / ROUND_TIGHT);
    if (!is_bound || !(e->max_optimism > 0.0) || part >= UNDONE_SOME || !(e->sum.gvts >= 100.0) ||
        !(each < ROUND_TIGHT) || saved < TIGHT_LEAST) {
        return;
    }
    f->verdict = WS_CHANGE;
    f->weight = saved;
    ws_sentence_more(f->text,
                     "The bound of %.3g leaves %.3g events of a rank between two of the %.0f GVT "
                     "computations.",
                     e->max_optimism, each, e->sum.gvts);
    ws_sentence(f->advice, "Let the measured efficiency choose the bound.");
    snprintf(f->options, sizeof f->options, "--max-opt-lookahead=0");
    ws_gain(f, "GVT computations", 0.0, 1.0 - each / ROUND_TIGHT);
}

void ws_rule_optimism(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = ws_evidence_wasted(e), secondary = e->sum.secondary / e->sum.rollbacks;
    if (ws_is_elsewhere(f, e)) {
        return;
    }
    if (part < WS_UNDONE_MANY && !e->random_rollbacks) {
        ws_sentence(f->text, "%.1f %% of the executed events were undone.", ws_percent(part));
        tight_judge(f, e, part);
        return;
    }
    if (e->random_rollbacks || ws_kps_next(e) != e->kps_per_pe) {
        ws_sentence(f->text, "The best bound depends on %s.",
                    e->random_rollbacks ? "rollbacks without those on purpose"
                                        : "the KPs, which change first");
        ws_not_judged(f, 0.0, NULL, "Record the next run with --event-trace=2.");
    } else if (ws_placement_helps(e)) {
        ws_not_judged(f, 0.0, "The best bound depends on the placement, which changes first.",
                      "Record the next run with --event-trace=2.");
    } else if (e->study != NULL && e->study->has_bound) {
        bound_judge(f, e, part);
    } else {
        ws_sentence(f->text, "%.0f %% of the executed events were undone.", ws_percent(part));
        if (e->sum.rollbacks >= ROLLBACKS_LEAST && secondary >= 0.5) {
            ws_sentence_more(f->text,
                             "%.0f %% of the rollbacks are secondary: cancelled events caused "
                             "them.",
                             ws_percent(secondary));
        }
        ws_not_judged(f, 0.5 * ws_undone_part(e), NULL,
                      "By how much stragglers came late is in a recording of --event-trace=2: "
                      "\"warpscope advise\" then judges a bound on optimism.");
    }
}

/* ---- Periods, and the cost of undoing -------------------------------------------------------- */

void ws_rule_period(struct ws_finding *f, const struct ws_evidence *e)
{
    double all = ws_efficiency(e->sum.processed, e->sum.undone);
    char text[32] = "0 % or less";
    if (!(e->sum.processed >= EVENTS_LEAST && e->low_efficiency <= 60.0) ||
        all - e->low_efficiency < 20.0) {
        return;
    }
    if (e->low_efficiency > 0.0) {
        snprintf(text, sizeof text, "%.0f %%", e->low_efficiency);
    }
    f->from = e->low_from;
    f->to = e->low_to;
    ws_found(f, 0.1 * (all - e->low_efficiency) / 100.0,
             "From %.3g s to %.3g s of wall clock, efficiency falls to %s; it is %.0f %% over the "
             "whole run.",
             e->low_from, e->low_to, text, all);
    ws_sentence(f->advice,
                "Choose this period in the report: see which KPs roll back then, and what "
                "the model does at that virtual time.");
}

void ws_rule_undo(struct ws_finding *f, const struct ws_evidence *e)
{
    double execute = 0.0, undo = 0.0, part = ws_evidence_part(e, WS_PHASE_UNDO);
    for (size_t i = 0; i < e->n_pes; i++) {
        execute += e->pes[i].phases[WS_PHASE_EXECUTE];
        undo += e->pes[i].phases[WS_PHASE_UNDO];
    }
    double ratio = undo / e->sum.undone / (execute / e->sum.processed);
    if (!(e->sum.processed >= EVENTS_LEAST && e->sum.undone >= 100.0 && part >= 0.05 &&
          ratio >= 2.0)) {
        return;
    }
    ws_found(f, part * (1.0 - 1.0 / ratio),
             "Undoing an event takes %.2g times as long as executing one.", ratio);
    ws_sentence(f->advice,
                e->state_saves > 0.0
                    ? "See what is undone: states of LPs without a reverse handler are put "
                      "back, so large ones cost time; a reverse handler undoes only what its "
                      "forward handler changed."
                    : "See what is undone: to restore what the event changed, and to cancel "
                      "what it sent, should take no longer than the event.");
}
