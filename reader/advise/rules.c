/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.c - the table of rules; see advise.h.
 *
 * A rule sets the verdict and its evidence. It claims no more than the counts show: the events,
 * rounds or turns that the change can save at most.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"
#include "render/plot.h"

#define EXECUTED_LEAST 1000.0 /* fewer events say nothing */
#define UNDONE_SOME    0.1    /* part of the executed events that makes a rule look */
#define UNDONE_MANY    0.2    /* part from which a bound of optimism may pay */
#define KPS_GOOD       16u    /* KPs per rank by default */
#define LPS_PER_KP_FEW 8u     /* so few LPs share a KP without loss */
#define BATCH_GOOD     16.0   /* events per batch by default */
#define BATCH_SMALL    4.0    /* below, the loop of the scheduler costs */
#define BATCH_LARGE    1024.0 /* from here on, stragglers wait */
#define ROUND_GOOD     1024.0 /* events of a rank between GVT computations */
#define ROUND_SMALL    64.0   /* so few are too few */
#define ROUND_LARGE    4096.0 /* more than adaptive runs ever have */
#define WINDOW_SMALL   8.0    /* events of a rank in a conservative window */
#define ROUNDS_MORE    4.0    /* times as many GVT computations as a bound may need */

static void say(char to[ADVISE_TEXT], const char *words, ...) __attribute__((format(printf, 2, 3)));

static void say(char to[ADVISE_TEXT], const char *words, ...)
{
    va_list args;
    va_start(args, words);
    vsnprintf(to, ADVISE_TEXT, words, args);
    va_end(args);
}

static void gain(struct advise_item *item, const char *measure, double least, double most)
{
    item->measure = measure;
    item->least = fmin(fmax(least, 0.0), 1.0);
    item->most = fmin(fmax(most, 0.0), 1.0);
}

double advise_wasted(const struct advise_facts *f)
{
    return f->executed >= EXECUTED_LEAST && f->undone > 0.0 ? f->undone / f->executed : 0.0;
}

static bool is_known(const struct advise_facts *f)
{
    return f->executed >= EXECUTED_LEAST && f->undone == f->undone;
}

/* Returns true if the subject does not concern this run, or if its totals are not known; the item
 * then has the verdict. */
static bool is_elsewhere(struct advise_item *item, const struct advise_facts *f)
{
    if (!f->is_optimistic || f->ranks < 2) {
        say(item->evidence, "It concerns optimistic runs on two or more ranks.");
        return true;
    }
    if (is_known(f)) {
        return false;
    }
    item->verdict = ADVISE_UNKNOWN;
    if (f->executed < EXECUTED_LEAST) {
        say(item->evidence, "The run has fewer than 1000 events.");
        say(item->advice, "Record a longer run.");
    } else {
        say(item->evidence, "The run did not end in order, and has no samples of its counters.");
        say(item->advice, "Record with --enable-gvt-stats=1.");
    }
    return true;
}

/* Events that a rank executed between two GVT computations. */
static double per_round(const struct advise_facts *f)
{
    return f->executed / fmax(1.0, f->rounds) / f->ranks;
}

/* ---- Rollbacks on purpose, KPs, optimism ------------------------------------------------------ */

static void judge_random(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f);
    if (!f->is_random) {
        say(item->evidence, "The run made no rollbacks on purpose.");
        return;
    }
    item->verdict = ADVISE_CHANGE;
    item->weight = 1.0;
    say(item->evidence,
        "The run rolled events back on purpose, at random: %.0f %% of the executed events were "
        "undone, for whatever reason.",
        100.0 * part);
    say(item->advice, "Leave --random-rollbacks out, or set it to 0. Other rollbacks can be judged "
                      "only without it.");
    snprintf(item->options, sizeof item->options, "--random-rollbacks=0");
    gain(item, "executed events", 0.0, part);
}

static void judge_kps(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f);
    uint64_t lps = f->lps / (f->ranks > 0 ? f->ranks : 1);
    uint64_t more = 4 * f->kps > KPS_GOOD ? 4 * f->kps : KPS_GOOD;
    if (is_elsewhere(item, f)) {
        return;
    }
    more = more < lps ? more : lps;
    if (f->is_random || f->kps == 0 || lps == 0) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "Rollbacks on purpose, or an earlier format, hide what the KPs cost.");
        say(item->advice, "Record without --random-rollbacks.");
    } else if (part >= UNDONE_SOME && advise_placement_helps(f)) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "Rollbacks depend on the placement, which changes; a map has KPs too.");
        say(item->advice, "Record the next run.");
    } else if (part < UNDONE_SOME || lps / f->kps < LPS_PER_KP_FEW || more <= f->kps) {
        say(item->evidence, "%.1f %% of the executed events were undone; LPs per KP: %.3g.",
            100.0 * part, fmax(1.0, (double)lps / (double)f->kps));
    } else {
        item->verdict = ADVISE_CHANGE;
        item->weight = part;
        say(item->evidence,
            "%.0f %% of the executed events were undone, and %.3g LPs share a KP: a straggler "
            "undoes the later events of all of them.",
            100.0 * part, (double)lps / (double)f->kps);
        say(item->advice, "Use %" PRIu64 " KPs per rank instead of %" PRIu64 ".", more, f->kps);
        snprintf(item->options, sizeof item->options, "--nkp=%" PRIu64, more);
        gain(item, "executed events", 0.0, part);
    }
}

/* Advises a bound if it would not multiply the GVT computations. */
static void judge_bound(struct advise_item *item, const struct advise_facts *f, double part)
{
    char bound[WS_COUNT_MAX], span[WS_COUNT_MAX];
    snprintf(bound, sizeof bound, "%.3g", f->bound);
    snprintf(span, sizeof span, "%.3g", f->span);
    if (f->max_optimism == 0.0) {
        say(item->evidence, "The run bounds optimism by measured efficiency.");
    } else if (!(f->rounds >= 1.0)) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "The number of GVT computations was not recorded.");
        say(item->advice, "Let the run end in order.");
    } else if (!(f->bound > 0.0)) {
        say(item->evidence, "No bound avoids half of the events that stragglers undid: most of "
                            "these had the time of the straggler.");
    } else if (f->max_optimism <= f->bound) {
        say(item->evidence,
            "The bound of the run, %.3g, is not above %s, which avoids half of the "
            "events that stragglers undid.",
            f->max_optimism, bound);
    } else if (!(f->span / f->bound <= ROUNDS_MORE * f->rounds)) {
        say(item->evidence,
            "A bound of %s avoids half of the events that stragglers undid, but the %s of virtual "
            "time then need at least %.0f GVT computations instead of %.0f.",
            bound, span, f->span / f->bound, f->rounds);
    } else {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.5 * part;
        say(item->evidence,
            "%.0f %% of the executed events were undone, and half of those that stragglers undid "
            "themselves were more than %s ahead of them.",
            100.0 * part, bound);
        say(item->advice, "Let ranks run at most %s ahead of GVT; they wait more then.", bound);
        snprintf(item->options, sizeof item->options, "--max-opt-lookahead=%s", bound);
        gain(item, "executed events", 0.0, part);
    }
}

static void judge_optimism(struct advise_item *item, const struct advise_facts *f)
{
    struct advise_item kps = {.verdict = ADVISE_KEEP};
    double part = advise_wasted(f);
    judge_kps(&kps, f);
    if (is_elsewhere(item, f)) {
        return;
    }
    if (part < UNDONE_MANY && !f->is_random) {
        say(item->evidence, "%.1f %% of the executed events were undone.", 100.0 * part);
        return;
    }
    if (f->is_random || kps.verdict != ADVISE_KEEP) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "The best bound depends on %s.",
            f->is_random ? "rollbacks without those on purpose"
                         : "KPs and placement, which change first");
        say(item->advice, "Record the next run with --event-trace=2.");
    } else if (!f->has_bound) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence,
            "%.0f %% of the executed events were undone; by how much stragglers "
            "came late was not recorded.",
            100.0 * part);
        say(item->advice, "Record with --event-trace=2.");
    } else {
        judge_bound(item, f, part);
    }
}

/* ---- The loop of the scheduler ---------------------------------------------------------------- */

/* Returns the batch of the next run. */
static double batch_next(const struct advise_facts *f)
{
    double part = advise_wasted(f);
    bool is_bad = f->batch < BATCH_SMALL || (f->batch >= BATCH_LARGE && part >= UNDONE_SOME);
    return f->is_batch_given && is_bad ? BATCH_GOOD : f->batch;
}

static void judge_batch(struct advise_item *item, const struct advise_facts *f)
{
    double part = advise_wasted(f), next = batch_next(f);
    if (is_elsewhere(item, f)) {
        return;
    }
    if (!(f->batch >= 1.0)) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "The recording does not state the batch.");
        say(item->advice, "Record with this version of Warpscope.");
    } else if (next == f->batch) {
        say(item->evidence,
            "A rank looks for messages after %.0f events; %.1f %% of the executed "
            "events were undone.",
            f->batch, 100.0 * part);
    } else if (f->batch < next) {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.2;
        say(item->evidence,
            "A rank goes through the loop of the scheduler after every %.0f of its %.3g executed "
            "events.",
            f->batch, f->executed / f->ranks);
        gain(item, "turns of the loop", 0.0, 1.0 - f->batch / next);
    } else {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.8 * part;
        say(item->evidence,
            "A rank looks for messages only after %.0f events, and %.0f %% of the executed events "
            "were undone.",
            f->batch, 100.0 * part);
        gain(item, "executed events", 0.0, part);
    }
    if (item->verdict == ADVISE_CHANGE) {
        say(item->advice, "Use batches of %.0f events, as by default.", next);
        snprintf(item->options, sizeof item->options, "--batch=%.0f", next);
    }
}

static void judge_gvt(struct advise_item *item, const struct advise_facts *f)
{
    double events = f->gvt_interval * f->batch, each = per_round(f), part = advise_wasted(f);
    double next = fmax(1.0, rint(ROUND_GOOD / batch_next(f)));
    if (is_elsewhere(item, f)) {
        return;
    }
    if (!(f->rounds >= 1.0) || !(events >= 1.0)) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "The number of GVT computations was not recorded.");
        say(item->advice, "Let the run end in order, and record with this version of Warpscope.");
        return;
    }
    if (!f->is_gvt_given) {
        say(item->evidence, "The interval adapts: %.3g events of a rank per GVT computation.",
            each);
        return;
    }
    if (events < ROUND_SMALL && f->rounds >= 100.0) {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.3;
        say(item->evidence,
            "--gvt-interval=%.0f, with batches of %.0f: %.0f GVT computations, one after every "
            "%.3g "
            "executed events of a rank.",
            f->gvt_interval, f->batch, f->rounds, each);
        double rounds = f->executed / f->ranks / ROUND_GOOD;
        gain(item, "GVT computations", 0.0, 1.0 - rounds / f->rounds);
    } else if (events > ROUND_LARGE && each > ROUND_LARGE) {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.1 + 0.5 * part;
        say(item->evidence,
            "--gvt-interval=%.0f, with batches of %.0f: %.3g executed events of a rank stay in "
            "memory until the next GVT computation; %.0f %% were undone.",
            f->gvt_interval, f->batch, each, 100.0 * part);
        gain(item, "executed events", 0.0, part);
    } else {
        say(item->evidence, "%.3g events of a rank per GVT computation.", each);
        return;
    }
    say(item->advice,
        "Leave --gvt-interval out, so that it adapts. Appended options cannot do that: "
        "--gvt-interval=%.0f is within the range of an adaptive run.",
        next);
    snprintf(item->options, sizeof item->options, "--gvt-interval=%.0f", next);
}

/* ---- Placement, ranks, scheduler -------------------------------------------------------------- */

bool advise_placement_helps(const struct advise_facts *f)
{
    bool is_remote = f->remote_now >= 0.05 * f->events && f->remote_new <= 0.7 * f->remote_now;
    bool is_uneven = f->balance_now >= 1.25 && f->balance_new <= 0.8 * f->balance_now;
    /* Neither may get worse for the sake of the other. */
    return f->has_placement && f->events >= EXECUTED_LEAST &&
           ((is_remote && f->balance_new <= 1.1 * fmax(1.0, f->balance_now)) ||
            (is_uneven && f->remote_new <= fmax(1.2 * f->remote_now, 0.05 * f->events)));
}

static void judge_placement(struct advise_item *item, const struct advise_facts *f, const char *map)
{
    char now[WS_COUNT_MAX], then[WS_COUNT_MAX];
    if (f->ranks < 2) {
        say(item->evidence, "It concerns runs on two or more ranks.");
        return;
    }
    if (!f->has_placement) {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "There is no prediction for another placement.");
        say(item->advice, "%.200s.", f->placement_why);
        item->advice[0] = item->advice[0] == 'r' ? 'R' : item->advice[0];
        return;
    }
    say(item->evidence,
        "Events between ranks: %s of %.0f, with METIS %s. Load of the busiest rank beside the "
        "mean: %.2f, with METIS %.2f.",
        ws_count_text(now, (uint64_t)f->remote_now), f->events,
        ws_count_text(then, (uint64_t)f->remote_new), f->balance_now, f->balance_new);
    if (!advise_placement_helps(f)) {
        return;
    }
    double saved = 1.0 - f->remote_new / fmax(1.0, f->remote_now);
    double even = 1.0 - f->balance_new / f->balance_now;
    item->verdict = ADVISE_CHANGE;
    item->weight = fmax(f->remote_now / f->events * fmax(saved, 0.0), fmax(even, 0.0));
    if (map != NULL) {
        say(item->advice, "Use the placement that was written to the map.");
        snprintf(item->options, sizeof item->options, "--lp-map=%s", map);
    } else {
        say(item->advice, "Write a map by \"warpscope advise --map=FILE\" or \"warpscope "
                          "partition\", and use it by --lp-map=FILE.");
    }
    if (f->is_conservative) {
        size_t used = strlen(item->advice);
        item->has_condition = true; /* the model may refuse the map */
        snprintf(item->advice + used, sizeof item->advice - used,
                 " In a conservative run, LPs "
                 "between which events have no lookahead must stay on one rank.");
    }
    if (saved > even) {
        gain(item, "events between ranks", 0.0, saved);
    } else {
        gain(item, "events on the busiest rank", 0.0, even);
    }
}

/* Sets the speed-up that no number of ranks can pass, as far as it is known. Returns its cause. */
static const char *speed_up_find(const struct advise_facts *f, double *most)
{
    double busiest = f->lps_events >= EXECUTED_LEAST && f->lp_events > 0.0
                         ? f->lps_events / f->lp_events
                         : (double)NAN;
    *most = fmin(busiest, f->speed_up);
    return *most == f->speed_up ? "the critical path" : "the LP with the most events";
}

static void judge_ranks(struct advise_item *item, const struct advise_facts *f)
{
    static const char unknown[] = "Not known: ";
    double most;
    char number[WS_COUNT_MAX];
    const char *cause = speed_up_find(f, &most);
    uint32_t ranks = f->ranks;
    if (f->processors > 0 && ranks > f->processors) {
        ranks = f->processors;
        say(item->evidence, "%" PRIu32 " ranks shared %" PRIu32 " processor%s.", f->ranks, ranks,
            ranks == 1 ? "" : "s");
    }
    if (most >= 1.0 && (most < 1.2 || ceil(most) < ranks)) {
        ranks = most < 1.2 ? 1 : (uint32_t)ceil(most);
        say(item->evidence,
            "Because of %s, no number of ranks can run this more than %s times as fast as one.",
            cause, ws_number_text(number, most));
    }
    if (ranks < f->ranks) {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.5 * (1.0 - (double)ranks / f->ranks);
        say(item->advice, "Run on %" PRIu32 " rank%s.", ranks, ranks == 1 ? "" : "s");
        snprintf(item->launcher, sizeof item->launcher, "-n %" PRIu32, ranks);
    } else if (f->speed_up == f->speed_up) {
        say(item->evidence,
            "The model allows at most %s times the speed of one rank, because of %s.",
            ws_number_text(number, most), cause);
    } else {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence, "The speed-up that the model allows is not known.");
        const char *why = f->speed_up_why != NULL ? f->speed_up_why : "";
        size_t skip = strncmp(why, unknown, sizeof unknown - 1) == 0 ? sizeof unknown - 1 : 0;
        say(item->advice, "%s", why + skip);
    }
}

static void judge_synch(struct advise_item *item, const struct advise_facts *f)
{
    double each = per_round(f);
    if (f->is_optimistic && f->ranks == 1 && !f->is_random) {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.15;
        say(item->evidence,
            "An optimistic run on one rank keeps executed events and computes GVT%s, "
            "although no event can come late.",
            f->rounds > 1.0 ? ", here many times" : "");
        say(item->advice, "Use the sequential scheduler on one rank.");
        snprintf(item->options, sizeof item->options, "--synch=1");
        gain(item, "GVT computations", 1.0, 1.0);
    } else if (f->is_conservative && f->ranks > 1 && is_known(f) && f->rounds >= 100.0 &&
               each < WINDOW_SMALL) {
        item->verdict = ADVISE_CHANGE;
        item->weight = 0.4;
        item->has_condition = true;
        say(item->evidence,
            "The %.0f windows of the conservative run have %.2g events of a rank each.", f->rounds,
            each);
        say(item->advice, "Use the optimistic scheduler, --synch=3, if the model has reverse "
                          "handlers: it does not depend on lookahead.");
        snprintf(item->options, sizeof item->options, "--synch=3");
        gain(item, "GVT computations", 0.0,
             1.0 - fmin(1.0, f->executed / f->ranks / ROUND_GOOD / f->rounds));
    } else if (f->is_conservative && f->ranks > 1 && is_known(f) && f->rounds >= 1.0) {
        say(item->evidence, "The windows of the conservative run have %.3g events of a rank each.",
            each);
    } else if (f->is_optimistic && f->ranks > 1 && is_known(f)) {
        say(item->evidence, "The optimistic run undid %.1f %% of its executed events.",
            100.0 * advise_wasted(f));
    } else if (f->is_sequential) {
        say(item->evidence, "The run was sequential.");
    } else {
        item->verdict = ADVISE_UNKNOWN;
        say(item->evidence,
            "The counters of the run are not known, or concern rollbacks on purpose.");
        say(item->advice, "Record a run that ends in order, without --random-rollbacks.");
    }
}

/* ---- The table -------------------------------------------------------------------------------- */

static const struct rule {
    const char *subject;
    void (*judge)(struct advise_item *item, const struct advise_facts *facts);
} rules[] = {
    {"random-rollbacks", judge_random},
    {"nkp", judge_kps},
    {"max-opt-lookahead", judge_optimism},
    {"batch", judge_batch},
    {"gvt-interval", judge_gvt},
    {"placement", NULL},
    {"ranks", judge_ranks},
    {"synch", judge_synch},
};
#define N_RULES (sizeof rules / sizeof rules[0])
_Static_assert(N_RULES <= ADVISE_ITEMS_MAX, "a list has room for all rules");

void advise_judge(struct advise_list *list, const struct advise_facts *facts, const char *map)
{
    list->n = 0;
    for (size_t i = 0; i < N_RULES; i++) {
        struct advise_item item = {.subject = rules[i].subject, .verdict = ADVISE_KEEP};
        if (rules[i].judge != NULL) {
            rules[i].judge(&item, facts);
        } else {
            judge_placement(&item, facts, map);
        }
        uint32_t at = list->n++;
        for (; at > 0 && list->items[at - 1].weight < item.weight; at--) {
            list->items[at] = list->items[at - 1];
        }
        list->items[at] = item;
    }
}
