/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c - rules for ranks, and for the LPs on them; see advise.h. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"
#include "render/plot.h"

/* ---- Placement ------------------------------------------------------------------------------- */

bool advise_placement_helps(const struct advise_facts *f)
{
    bool is_remote = f->remote_now >= 0.05 * f->events && f->remote_new <= 0.7 * f->remote_now;
    bool is_uneven = f->balance_now >= 1.25 && f->balance_new <= 0.8 * f->balance_now;
    /* The new placement must not make the number of remote events or the balance much worse. */
    return f->has_placement && f->events >= EXECUTED_LEAST &&
           ((is_remote && f->balance_new <= 1.1 * fmax(1.0, f->balance_now)) ||
            (is_uneven && f->remote_new <= fmax(1.2 * f->remote_now, 0.05 * f->events)));
}

void advise_judge_placement(struct advise_item *item, const struct advise_facts *f)
{
    char now[WS_COUNT_MAX], then[WS_COUNT_MAX];
    if (f->e.ranks < 2) {
        advise_say(item->evidence, "It concerns runs on two or more ranks.");
        return;
    }
    if (!f->has_placement) {
        item->verdict = ADVISE_UNKNOWN;
        advise_say(item->evidence, "There is no prediction for another placement.");
        advise_say(item->advice, "%.200s.", f->placement_why);
        item->advice[0] = (char)toupper((unsigned char)item->advice[0]);
        return;
    }
    advise_say(
        item->evidence,
        "Events between ranks: %s of %.0f, with METIS %s. %s of the busiest rank beside %s: "
        "%.2f, with METIS %.2f.",
        ws_count_text(now, (uint64_t)f->remote_now), f->events,
        ws_count_text(then, (uint64_t)f->remote_new), f->is_by_time ? "Handler time" : "Load",
        f->shares != NULL ? "what suits its speed" : "the mean", f->balance_now, f->balance_new);
    if (!advise_placement_helps(f)) {
        return;
    }
    double saved = 1.0 - f->remote_new / fmax(1.0, f->remote_now);
    double even = 1.0 - f->balance_new / f->balance_now;
    advise_change(item, fmax(f->remote_now / f->events * fmax(saved, 0.0), fmax(even, 0.0)));
    if (f->map != NULL) {
        advise_say(item->advice, "Use the placement that was written to the map.");
        snprintf(item->options, sizeof item->options, "--lp-map=%s", f->map);
    } else {
        advise_say(item->advice, "Write a map by \"warpscope advise --map=FILE\" or \"warpscope "
                                 "partition\", and use it by --lp-map=FILE.");
    }
    if (f->e.scheduler == WS_SCHED_CONSERVATIVE) {
        item->has_condition = true; /* the model may refuse the map */
        advise_say_more(item->advice, " In a conservative run, LPs between which events have no "
                                      "lookahead must stay on one rank.");
    }
    if (saved > even) {
        advise_gain(item, "events between ranks", 0.0, saved);
    } else {
        advise_gain(
            item, f->is_by_time ? "handler time on the busiest rank" : "events on the busiest rank",
            0.0, even);
    }
}

/* ---- A slow rank ----------------------------------------------------------------------------- */

void advise_judge_slow(struct advise_item *item, const struct advise_facts *f)
{
    double limit = f->slow_by_types ? SLOW_TIMES : SLOW_PHASES;
    if (f->e.ranks < 2) {
        advise_say(item->evidence, "It concerns runs on two or more ranks.");
        return;
    }
    if (!(f->slow_times >= 1.0)) {
        if (f->hot_by_time) {
            advise_unknown(item,
                           "Not every rank has 30 events of a type of LP and kind whose handlers "
                           "take 20 steps of the clock or more.",
                           "See what else runs on the processors.");
        } else {
            advise_unknown(item,
                           "How long events take on each rank was not recorded, or for too "
                           "short a time.",
                           "Record with --event-trace=3 --event-times=1.");
        }
        return;
    }
    advise_say(item->evidence,
               "Rank %" PRIu32 " takes %.3g times as long for an event as the other ranks%s",
               f->slow_rank, f->slow_times, f->slow_by_types ? ", for the same types of LPs" : "");
    if (f->slow_times < limit) {
        advise_say_more(item->evidence, ".");
        return;
    }
    advise_change(item, 0.5 * (1.0 - 1.0 / f->slow_times));
    advise_say_more(item->evidence, ": its processor is slow or busy, or its LPs have more to do.");
    advise_say(item->advice, "See what else runs on its processor, and to which one the launcher "
                             "binds it.");
    if (advise_placement_helps(f)) {
        advise_say_more(item->advice, " The placement gives it less work.");
    } else if (!f->is_by_time) {
        advise_say_more(item->advice, " Record with --event-trace=3 --event-times=1 for a "
                                      "placement by handler times.");
    }
}

/* ---- Hot LPs --------------------------------------------------------------------------------- */

/* Writes a sentence about `most`, an upper bound on the speed-up, to `to`. Returns `to`. */
static const char *most_text(char to[120], double most)
{
    char number[WS_COUNT_MAX];
    if (most < 1.05) {
        snprintf(to, 120, "whatever the placement, no run is faster than on one rank.");
    } else {
        snprintf(to, 120,
                 "whatever the placement, no run is more than %s times as fast as on one rank.",
                 ws_number_text(number, most));
    }
    return to;
}

/* Writes the name of an LP to `to`, followed by its type if `type` is known. Returns `to`. */
static const char *lp_text(char to[ADVISE_NAME + 32], uint64_t lp, const char *type)
{
    if (type[0] != '\0') {
        snprintf(to, ADVISE_NAME + 32, "LP %" PRIu64 " (%s)", lp, type);
    } else {
        snprintf(to, ADVISE_NAME + 32, "LP %" PRIu64, lp);
    }
    return to;
}

void advise_judge_hot(struct advise_item *item, const struct advise_facts *f)
{
    static const char divide[] =
        "No option mends that: let several LPs share its work, or make its handlers faster.";
    const char *measure = f->hot_by_time ? "handler time" : "events";
    char hot[ADVISE_NAME + 32], most[120];
    if (!(f->hot_part > 0.0)) {
        advise_unknown(item, "The events of each LP were not recorded.",
                       "Record with --event-trace=3.");
        return;
    }
    lp_text(hot, f->hot_lp, f->hot_type);
    if (f->e.ranks > 1 && f->hot_part * f->e.ranks >= HOT_LOAD) {
        advise_change(item, 0.45 * (1.0 - 1.0 / (f->hot_part * f->e.ranks)));
        advise_say(item->evidence, "%s has %.0f %% of the %s: %s", hot, 100.0 * f->hot_part,
                   measure, most_text(most, 1.0 / f->hot_part));
        advise_say(item->advice, "%s", divide);
    } else if (f->e.ranks > 1 && f->speed_up < f->e.ranks && f->path_lps > 0 &&
               f->path_lps <= PATH_LPS_FEW) {
        advise_change(item, 0.45 * (1.0 - f->speed_up / f->e.ranks));
        advise_say(item->evidence, "%" PRIu32 " LP%s half of the critical path, %s most: %s",
                   f->path_lps, f->path_lps == 1 ? " has" : "s have",
                   lp_text(hot, f->path_lp, f->path_type), most_text(most, f->speed_up));
        advise_say(item->advice, "%s", divide);
    } else {
        advise_say(item->evidence, "%s has %.2g %% of the %s, the most of all LPs.", hot,
                   100.0 * f->hot_part, measure);
    }
}

/* ---- Number of ranks ------------------------------------------------------------------------- */

/* Sets *most to the smallest known upper bound on the speed-up that holds for every number of
 * ranks. Returns in words the cause of that bound. */
static const char *speed_up_find(const struct advise_facts *f, double *most)
{
    double busiest = f->e.lps_events >= EXECUTED_LEAST && f->e.lp_events > 0.0
                         ? f->e.lps_events / f->e.lp_events
                         : (double)NAN;
    *most = fmin(busiest, f->speed_up);
    return *most == f->speed_up ? "the critical path" : "the LP with the most events";
}

uint32_t advise_ranks_more(const struct advise_facts *f)
{
    double most;
    speed_up_find(f, &most);
    if (f->e.random_rollbacks || !(most >= 4.0) || f->e.ranks == 0 || !(f->speed_up >= 4.0) ||
        (f->e.scheduler == WS_SCHED_OPTIMISTIC &&
         (!advise_is_known(f) || advise_wasted(f) >= UNDONE_MANY))) {
        return 0;
    }
    /* The advised number of ranks is at most half the upper bound on the speed-up, and leaves at
     * least MORE_LPS LPs for each rank. */
    double n =
        fmin((double)f->e.processors, fmin(floor(0.5 * most), (double)(f->e.lps / MORE_LPS)));
    return n >= 2.0 * f->e.ranks && n <= 65536.0 ? (uint32_t)n : 0;
}

/* Advises f->more_ranks ranks if the prediction for them is good. Returns false if the prediction
 * is not good or is missing. */
static bool more_judge(struct advise_item *item, const struct advise_facts *f)
{
    double now = f->e.ranks > 1 ? f->in_order : 1.0;
    if (f->more_ranks == 0 || !(f->more_in_order >= 0.5 * f->more_ranks) ||
        !(f->more_in_order >= 1.5 * now) || !(f->more_remote <= MORE_REMOTE)) {
        return false;
    }
    assert(f->more_ranks > f->e.ranks);
    advise_change(item, 0.25 * (1.0 - (double)f->e.ranks / f->more_ranks));
    advise_say(item->evidence,
               "There are %" PRIu32 " processors. With METIS on %" PRIu32 " ranks, %.1f %% of the "
               "events are between ranks, and ranks that keep to the order of events reach %.3g "
               "times the speed of one; as placed now %.3g.",
               f->e.processors, f->more_ranks, 100.0 * f->more_remote, f->more_in_order, now);
    advise_say(item->advice,
               "Run on %" PRIu32 " ranks, with the map of \"warpscope partition --ranks=%" PRIu32
               "\".",
               f->more_ranks, f->more_ranks);
    if (f->e.ranks == 1 || f->e.scheduler == WS_SCHED_SEQUENTIAL) {
        advise_say_more(item->advice, " Use --synch=3 if the model has reverse handlers, otherwise "
                                      "--synch=2.");
    }
    snprintf(item->launcher, sizeof item->launcher, "-n %" PRIu32, f->more_ranks);
    advise_gain(item, "events on the busiest rank", 0.0, 1.0 - (double)f->e.ranks / f->more_ranks);
    return true;
}

void advise_judge_ranks(struct advise_item *item, const struct advise_facts *f)
{
    static const char unknown[] = "Not known: ";
    double most;
    char number[WS_COUNT_MAX];
    const char *cause = speed_up_find(f, &most);
    uint32_t ranks = f->e.ranks;
    if (f->e.processors > 0 && ranks > f->e.processors) {
        ranks = f->e.processors;
        advise_say(item->evidence, "%" PRIu32 " ranks shared %" PRIu32 " processor%s.", f->e.ranks,
                   ranks, ranks == 1 ? "" : "s");
    }
    if (most >= 1.0 && (most < 1.2 || ceil(most) < ranks)) {
        ranks = most < 1.2 ? 1 : (uint32_t)ceil(most);
        if (most < 1.05) {
            advise_say(item->evidence, "Because of %s, no number of ranks is faster than one.",
                       cause);
        } else {
            advise_say(item->evidence,
                       "Because of %s, no number of ranks can run this more than %s times as fast "
                       "as one.",
                       cause, ws_number_text(number, most));
        }
    }
    if (ranks < f->e.ranks) {
        advise_change(item, 0.5 * (1.0 - (double)ranks / f->e.ranks));
        advise_say(item->advice, "Run on %" PRIu32 " rank%s.", ranks,
                   ranks == 1 ? ", with --synch=1" : "s");
        snprintf(item->launcher, sizeof item->launcher, "-n %" PRIu32, ranks);
    } else if (f->speed_up == f->speed_up) {
        if (!more_judge(item, f)) {
            advise_say(item->evidence,
                       "The model allows at most %s times the speed of one rank, because of %s.",
                       ws_number_text(number, most), cause);
        }
    } else {
        item->verdict = ADVISE_UNKNOWN;
        advise_say(item->evidence, "The speed-up that the model allows is not known.");
        const char *why = f->speed_up_why != NULL ? f->speed_up_why : "";
        size_t skip = strncmp(why, unknown, sizeof unknown - 1) == 0 ? sizeof unknown - 1 : 0;
        advise_say(item->advice, "%s", why + skip);
    }
}
