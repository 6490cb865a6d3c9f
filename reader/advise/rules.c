/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - rules for options of the optimistic scheduler, and for the choice of the scheduler; see
 * advise.h. */
#include "advise/advise.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "render/plot.h"

/* Returns true if a rule for optimistic runs cannot judge this run: the run is sequential or
 * conservative, has one rank, or its totals are unknown. Sets the evidence and, if totals are
 * unknown, the verdict and the advice. */
static bool is_elsewhere(struct advise_item *item, const struct advise_facts *f)
{
    if (f->e.scheduler != WS_SCHED_OPTIMISTIC || f->e.ranks < 2) {
        advise_say(item->evidence, "It concerns optimistic runs on two or more ranks.");
        return true;
    }
    if (advise_is_known(f)) {
        return false;
    }
    item->verdict = ADVISE_UNKNOWN;
    if (f->e.sum.processed < EXECUTED_LEAST) {
        advise_say(item->evidence, "The run has fewer than 1000 events.");
        advise_say(item->advice, "Record a longer run.");
    } else {
        advise_say(item->evidence,
                   "The run did not end in order, and has no samples of its counters.");
        advise_say(item->advice, "Record with --enable-gvt-stats=1.");
    }
    return true;
}

/* ---- Random rollbacks, KPs, optimism --------------------------------------------------------- */

void advise_judge_random(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f);
    if (!f->e.random_rollbacks) {
        advise_say(item->evidence, "The run made no rollbacks on purpose.");
        return;
    }
    advise_change(item, 1.0);
    advise_say(
        item->evidence,
        "The run rolled events back on purpose, at random: %.0f %% of the executed events were "
        "undone, for whatever reason.",
        100.0 * part);
    advise_say(item->advice,
               "Leave --random-rollbacks out, or set it to 0. Other rollbacks can be judged "
               "only without it.");
    snprintf(item->options, sizeof item->options, "--random-rollbacks=0");
    advise_gain(item, "executed events", 0.0, part);
}

void advise_judge_kps(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f);
    uint64_t lps = f->e.lps / (f->e.ranks > 0 ? f->e.ranks : 1);
    uint64_t more = 4 * f->e.kps_per_pe > KPS_GOOD ? 4 * f->e.kps_per_pe : KPS_GOOD;
    if (is_elsewhere(item, f)) {
        return;
    }
    more = more < lps ? more : lps;
    if (f->e.random_rollbacks || f->e.kps_per_pe == 0 || lps == 0) {
        advise_unknown(item, "Rollbacks on purpose, or an earlier format, hide what the KPs cost.",
                       "Record without --random-rollbacks.");
    } else if (part >= UNDONE_SOME && advise_placement_helps(f)) {
        advise_unknown(item, "Rollbacks depend on the placement, which changes; a map has KPs too.",
                       "Record the next run.");
    } else if (part < UNDONE_SOME || lps / f->e.kps_per_pe < LPS_PER_KP_FEW ||
               more <= f->e.kps_per_pe) {
        advise_say(item->evidence, "%.1f %% of the executed events were undone; LPs per KP: %.3g.",
                   100.0 * part, fmax(1.0, (double)lps / (double)f->e.kps_per_pe));
    } else {
        advise_change(item, part);
        advise_say(
            item->evidence,
            "%.0f %% of the executed events were undone, and %.3g LPs share a KP: a straggler "
            "undoes the later events of all of them.",
            100.0 * part, (double)lps / (double)f->e.kps_per_pe);
        advise_say(item->advice, "Use %" PRIu64 " KPs per rank instead of %" PRIu64 ".", more,
                   f->e.kps_per_pe);
        snprintf(item->options, sizeof item->options, "--nkp=%" PRIu64, more);
        advise_gain(item, "executed events", 0.0, part);
    }
}

/* Advises a bound on optimism, unless it would multiply the number of GVT computations. part: share
 * of the executed events that were undone. */
static void judge_bound(struct advise_item *item, const struct advise_facts *f, double part)
{
    char bound[WS_COUNT_MAX], span[WS_COUNT_MAX];
    snprintf(bound, sizeof bound, "%.3g", f->bound);
    snprintf(span, sizeof span, "%.3g", f->span);
    if (f->max_optimism == 0.0) {
        advise_say(item->evidence, "The run bounds optimism by measured efficiency.");
    } else if (!(f->e.sum.gvts >= 1.0)) {
        advise_unknown(item, "The number of GVT computations was not recorded.",
                       "Let the run end in order.");
    } else if (!(f->bound > 0.0)) {
        advise_say(item->evidence,
                   "No bound avoids half of the events that stragglers undid: most of "
                   "these had the time of the straggler.");
    } else if (f->max_optimism <= f->bound) {
        advise_say(item->evidence,
                   "The bound of the run, %.3g, is not above %s, which avoids half of the "
                   "events that stragglers undid.",
                   f->max_optimism, bound);
    } else if (!(f->span / f->bound <= ROUNDS_MORE * f->e.sum.gvts)) {
        advise_say(
            item->evidence,
            "A bound of %s avoids half of the events that stragglers undid, but the %s of virtual "
            "time then need at least %.0f GVT computations instead of %.0f.",
            bound, span, f->span / f->bound, f->e.sum.gvts);
    } else {
        advise_change(item, 0.5 * part);
        advise_say(
            item->evidence,
            "%.0f %% of the executed events were undone, and half of those that stragglers undid "
            "themselves were more than %s ahead of them.",
            100.0 * part, bound);
        advise_say(item->advice, "Let ranks run at most %s ahead of GVT; they wait more then.",
                   bound);
        snprintf(item->options, sizeof item->options, "--max-opt-lookahead=%s", bound);
        advise_gain(item, "executed events", 0.0, part);
    }
}

void advise_judge_optimism(struct advise_item *item, const struct advise_facts *f)
{
    struct advise_item kps = {.verdict = ADVISE_KEEP};
    double part = advise_wasted(f);
    advise_judge_kps(&kps, f);
    if (is_elsewhere(item, f)) {
        return;
    }
    if (part < UNDONE_MANY && !f->e.random_rollbacks) {
        advise_say(item->evidence, "%.1f %% of the executed events were undone.", 100.0 * part);
        return;
    }
    if (f->e.random_rollbacks || kps.verdict != ADVISE_KEEP) {
        item->verdict = ADVISE_UNKNOWN;
        advise_say(item->evidence, "The best bound depends on %s.",
                   f->e.random_rollbacks ? "rollbacks without those on purpose"
                                         : "KPs and placement, which change first");
        advise_say(item->advice, "Record the next run with --event-trace=2.");
    } else if (!f->has_bound) {
        item->verdict = ADVISE_UNKNOWN;
        advise_say(item->evidence,
                   "%.0f %% of the executed events were undone; by how much stragglers "
                   "came late was not recorded.",
                   100.0 * part);
        advise_say(item->advice, "Record with --event-trace=2.");
    } else {
        judge_bound(item, f, part);
    }
}

/* ---- The loop of the scheduler ---------------------------------------------------------------- */

/* Returns the number of events per batch that the next run should use. */
static double batch_next(const struct advise_facts *f)
{
    double part = advise_wasted(f);
    bool is_bad = f->batch < BATCH_SMALL || (f->batch >= BATCH_LARGE && part >= UNDONE_SOME);
    return f->is_batch_given && is_bad ? BATCH_GOOD : f->batch;
}

void advise_judge_batch(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f), next = batch_next(f);
    if (is_elsewhere(item, f)) {
        return;
    }
    if (!(f->batch >= 1.0)) {
        advise_unknown(item, "The recording does not state the batch.",
                       "Record with this version of Warpscope.");
    } else if (next == f->batch) {
        advise_say(item->evidence,
                   "A rank looks for messages after %.0f events; %.1f %% of the executed "
                   "events were undone.",
                   f->batch, 100.0 * part);
    } else if (f->batch < next) {
        advise_change(item, 0.2);
        advise_say(
            item->evidence,
            "A rank goes through the loop of the scheduler after every %.0f of its %.3g executed "
            "events.",
            f->batch, f->e.sum.processed / f->e.ranks);
        advise_gain(item, "turns of the loop", 0.0, 1.0 - f->batch / next);
    } else {
        advise_change(item, 0.8 * part);
        advise_say(
            item->evidence,
            "A rank looks for messages only after %.0f events, and %.0f %% of the executed events "
            "were undone.",
            f->batch, 100.0 * part);
        advise_gain(item, "executed events", 0.0, part);
    }
    if (item->verdict == ADVISE_CHANGE) {
        advise_say(item->advice, "Use batches of %.0f events, as by default.", next);
        snprintf(item->options, sizeof item->options, "--batch=%.0f", next);
    }
}

void advise_judge_gvt(struct advise_item *item, const struct advise_facts *f)
{
    double events = f->gvt_interval * f->batch, each = advise_per_round(f), part = advise_wasted(f);
    double next = fmax(1.0, rint(ROUND_GOOD / batch_next(f)));
    if (is_elsewhere(item, f)) {
        return;
    }
    if (!(f->e.sum.gvts >= 1.0) || !(events >= 1.0)) {
        advise_unknown(item, "The number of GVT computations was not recorded.",
                       "Let the run end in order, and record with this version of Warpscope.");
        return;
    }
    if (!f->is_gvt_given) {
        advise_say(item->evidence,
                   "The interval adapts: %.3g events of a rank per GVT computation.", each);
        return;
    }
    if (events < ROUND_SMALL && f->e.sum.gvts >= 100.0) {
        advise_change(item, 0.3);
        advise_say(
            item->evidence,
            "--gvt-interval=%.0f, with batches of %.0f: %.0f GVT computations, one after every "
            "%.3g "
            "executed events of a rank.",
            f->gvt_interval, f->batch, f->e.sum.gvts, each);
        double rounds = f->e.sum.processed / f->e.ranks / ROUND_GOOD;
        advise_gain(item, "GVT computations", 0.0, 1.0 - rounds / f->e.sum.gvts);
    } else if (events > ROUND_LARGE && each > ROUND_LARGE) {
        advise_change(item, 0.1 + 0.5 * part);
        advise_say(
            item->evidence,
            "--gvt-interval=%.0f, with batches of %.0f: %.3g executed events of a rank stay in "
            "memory until the next GVT computation; %.0f %% were undone.",
            f->gvt_interval, f->batch, each, 100.0 * part);
        advise_gain(item, "executed events", 0.0, part);
    } else {
        advise_say(item->evidence, "%.3g events of a rank per GVT computation.", each);
        return;
    }
    advise_say(item->advice,
               "Leave --gvt-interval out, so that it adapts. Appended options cannot do that: "
               "--gvt-interval=%.0f is within the range of an adaptive run.",
               next);
    snprintf(item->options, sizeof item->options, "--gvt-interval=%.0f", next);
}

/* ---- The choice of the scheduler ------------------------------------------------------------- */

/* Returns true if another rule advises to change the optimistic run or its placement, or if
 * rollbacks were forced. Such a change affects rollbacks, so that other schedulers are considered
 * only afterwards. */
static bool others_first(const struct advise_facts *f)
{
    static advise_rule *const judges[] = {advise_judge_kps, advise_judge_batch, advise_judge_gvt,
                                          advise_judge_slow, advise_judge_optimism};
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++) {
        struct advise_item item = {.verdict = ADVISE_KEEP};
        judges[i](&item, f);
        if (item.verdict == ADVISE_CHANGE) {
            return true;
        }
    }
    return f->e.random_rollbacks || advise_placement_helps(f);
}

static void sequential_advise(struct advise_item *item, const struct advise_facts *f)
{
    advise_change(item, 0.15);
    advise_say(item->evidence,
               "An optimistic run on one rank keeps executed events and computes GVT%s, "
               "although no event can come late.",
               f->e.sum.gvts > 1.0 ? ", here many times" : "");
    advise_say(item->advice, "Use the sequential scheduler on one rank.");
    snprintf(item->options, sizeof item->options, "--synch=1");
    advise_gain(item, "GVT computations", 1.0, 1.0);
}

static void windows_judge(struct advise_item *item, const struct advise_facts *f)
{
    double each = advise_per_round(f);
    if (f->e.sum.gvts < 100.0 || each >= WINDOW_SMALL) {
        advise_say(item->evidence,
                   "The windows of the conservative run have %.3g events of a rank each.", each);
        return;
    }
    advise_change(item, 0.4);
    item->has_condition = true;
    advise_say(item->evidence,
               "The %.0f windows of the conservative run have %.2g events of a rank each.",
               f->e.sum.gvts, each);
    advise_say(item->advice, "Use the optimistic scheduler, --synch=3, if the model has reverse "
                             "handlers: it does not depend on lookahead.");
    snprintf(item->options, sizeof item->options, "--synch=3");
    advise_gain(item, "GVT computations", 0.0,
                1.0 - fmin(1.0, f->e.sum.processed / f->e.ranks / ROUND_GOOD / f->e.sum.gvts));
}

/* Considers other schedulers, which have no rollbacks, if the run had many rollbacks. */
static void rollbacks_judge(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f);
    advise_say(item->evidence, "The optimistic run undid %.1f %% of its executed events.",
               100.0 * part);
    if (part < UNDONE_MANY || others_first(f)) {
        return;
    }
    if (f->lookahead > 0.0 && f->window_events / f->e.ranks >= WINDOW_WIDE) {
        advise_change(item, 0.4 * part);
        item->has_condition = true; /* offsets may be smaller in another run */
        advise_say_more(item->evidence,
                        " The least offset between LPs is %.6g, and windows of that length have "
                        "%.3g events of a rank.",
                        f->lookahead, f->window_events / f->e.ranks);
        advise_say(item->advice, "Use the conservative scheduler if the model never has lesser "
                                 "offsets.");
        /* The lookahead in the option must not exceed the smallest offset, even after rounding up:
         * a run with a larger lookahead ends with an error. */
        snprintf(item->options, sizeof item->options, "--synch=2 --cons-lookahead=%.6g",
                 f->lookahead * (1.0 - 2e-6));
        advise_gain(item, "executed events", part, part);
    } else if (f->e.ranks * (1.0 - part) < 1.0) {
        advise_change(item, 0.4 * (1.0 - f->e.ranks * (1.0 - part)));
        /* The option needs the number of ranks that `launcher` states. */
        item->has_condition = true;
        advise_say_more(
            item->evidence,
            " The committed ones are at most %.2g times as many as one rank executes in the "
            "same time.",
            f->e.ranks * (1.0 - part));
        advise_say(item->advice, "Use the sequential scheduler on one rank.");
        snprintf(item->options, sizeof item->options, "--synch=1");
        snprintf(item->launcher, sizeof item->launcher, "-n 1");
        advise_gain(item, "executed events", part, part);
    }
}

void advise_judge_synch(struct advise_item *item, const struct advise_facts *f)
{
    if (f->e.scheduler == WS_SCHED_OPTIMISTIC && f->e.ranks == 1 && !f->e.random_rollbacks) {
        sequential_advise(item, f);
    } else if (f->e.scheduler == WS_SCHED_CONSERVATIVE && f->e.ranks > 1 && advise_is_known(f) &&
               f->e.sum.gvts >= 1.0) {
        windows_judge(item, f);
    } else if (f->e.scheduler == WS_SCHED_OPTIMISTIC && f->e.ranks > 1 && advise_is_known(f)) {
        rollbacks_judge(item, f);
    } else if (f->e.scheduler == WS_SCHED_SEQUENTIAL) {
        advise_say(item->evidence, "The run was sequential.");
    } else {
        advise_unknown(item,
                       "The counters of the run are not known, or concern rollbacks on purpose.",
                       "Record a run that ends in order, without --random-rollbacks.");
    }
}
