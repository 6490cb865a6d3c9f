/* SPDX-License-Identifier: BSD-3-Clause */
/* schedulers.c - the rule for the scheduler; see rules.h. */
#include <math.h>
#include <stdio.h>

#include "advise/rules.h"

/* Returns true if another rule advises to change the optimistic run or its placement, or if
 * rollbacks were forced. Such a change affects rollbacks, so that other schedulers are considered
 * only afterwards. */
static bool others_first(const struct advise_facts *f)
{
    static void (*const judges[])(struct advise_item *, const struct advise_facts *) = {
        advise_judge_kps, advise_judge_batch, advise_judge_gvt, advise_judge_slow,
        advise_judge_optimism};
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

static void judge_synch(struct advise_item *item, const struct advise_facts *f)
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

const struct advise_rule advise_scheduler_rules[] = {
    {"synch", judge_synch},
    {NULL, NULL},
};
