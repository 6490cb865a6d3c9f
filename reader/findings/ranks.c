/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.c - rules about the number of ranks, and about the scheduler; see rules.h. Needs of other ranks and
 * schedulers are estimated in seconds.c, and compared with the run without what recording took.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "findings/rules.h"

#define MORE_LPS 8u /* more ranks are advised only if each has at least this number of LPs */
/* A conservative window with fewer events per rank than the first number is too short; with the second,
 * it is worth a barrier. */
#define WINDOW_SMALL 8.0
#define WINDOW_WIDE  64.0
#define WAITS_MUCH   0.2 /* share of the time that is much for conservative windows */

/* ---- Number of ranks ------------------------------------------------------------------------- */

/* Sets *most to the smallest known upper bound on the speed-up that holds for every number of
 * ranks. Returns in words the cause of that bound. */
static const char *speed_up_find(const struct ws_evidence *e, double *most)
{
    const struct ws_study *s = e->study;
    double busiest = e->lps_events >= EVENTS_LEAST && e->lp_events > 0.0 && !s->hot_by_time
                         ? e->lps_events / e->lp_events
                         : (double)NAN;
    *most = fmin(busiest, s->speed_up);
    return busiest < s->speed_up ? "the LP with the most events" : "the critical path";
}

uint32_t ws_ranks_more(const struct ws_evidence *e)
{
    double most;
    speed_up_find(e, &most);
    if (e->random_rollbacks || !(most >= 4.0) || e->ranks == 0 || !(e->study->speed_up >= 4.0) ||
        (e->scheduler == WS_SCHED_OPTIMISTIC &&
         (!ws_is_known(e) || ws_evidence_wasted(e) >= WS_UNDONE_MANY))) {
        return 0;
    }
    /* The advised number of ranks is at most half the upper bound on the speed-up, and leaves at
     * least MORE_LPS LPs for each rank. */
    double n = fmin((double)e->processors, fmin(floor(0.5 * most), (double)(e->lps / MORE_LPS)));
    return n >= 2.0 * e->ranks && n <= 65536.0 ? (uint32_t)n : 0;
}

/* Returns true if s->more_ranks ranks are expected to gain. */
static bool more_helps(const struct ws_evidence *e)
{
    return ws_seconds_more(e).seconds * GAIN_LEAST <= ws_seconds_free(e) && !ws_windows_help(e);
}

/* Advises s->more_ranks ranks. */
static void more_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    const struct ws_better to = ws_seconds_more(e);
    const uint32_t ranks = e->study->more_ranks;
    f->verdict = WS_CHANGE;
    f->weight = 1.0 - to.seconds / ws_seconds_free(e);
    ws_sentence_more(f->text,
                     "There are %" PRIu32 " processors. With METIS on %" PRIu32
                     " ranks, %.1f %% of the events are between ranks, and ranks that keep to the "
                     "order of events reach %.3g times the speed of one.",
                     e->processors, ranks, ws_percent(to.on->remote), to.on->in_order);
    if (strcmp(to.synch, "--synch=2") == 0) {
        ws_sentence_more(f->text,
                         "Conservative ranks, with about %.0f windows until the end, would need "
                         "about %.2g s.",
                         ws_windows_about(e), to.seconds);
    } else {
        ws_sentence_more(f->text, "With messages, GVT and rollbacks, that is about %.2g s.",
                         to.seconds);
    }
    char within[48] = "";
    if (to.is_within) { /* not more than the lookahead, even after rounding up */
        snprintf(within, sizeof within, " --lookahead=%.6g", e->lookahead * (1.0 - 2e-6));
    }
    ws_sentence(f->advice,
                "Run on %" PRIu32 " ranks, with %s and the map of \"warpscope partition "
                "--ranks=%" PRIu32 "%s\".",
                ranks, to.synch, ranks, within);
    snprintf(f->launcher, sizeof f->launcher, "-n %" PRIu32, ranks);
    snprintf(f->options, sizeof f->options, "%s", to.synch);
    f->has_condition = true; /* the option goes with the launcher's */
    ws_gain(f, "seconds", 0.0, f->weight);
}

/* Says what one rank would need, if that is known. */
static void alone_say(struct ws_finding *f, const struct ws_evidence *e)
{
    double code = ws_phases_tell(e) ? ws_evidence_part(e, WS_PHASE_EXECUTE) : (double)NAN;
    if (!ws_alone_is_known(e)) {
        return;
    }
    if (code == code) {
        ws_sentence(f->text, "%.0f %% of the time was model code; ", ws_percent(code));
    }
    if (e->ranks < 2) {
        ws_sentence_more(f->text, "%shis run took %.3g s on one rank.", code == code ? "t" : "T",
                         e->run_seconds);
        return;
    }
    char recording[64] = "";
    if (ws_seconds_recording(e) >= 0.05 * e->run_seconds) {
        snprintf(recording, sizeof recording, ", about %.2g s of it for recording",
                 ws_seconds_recording(e));
    }
    ws_sentence_more(
        f->text,
        "%sne rank alone would need about %.2g s for handlers and queue; this run took "
        "%.3g s on %" PRIu32 "%s.",
        code == code ? "o" : "O", ws_seconds_alone(e), e->run_seconds, e->ranks, recording);
}

/* Returns the number of ranks that the model allows at most, and says why, if it is less than `ranks`. */
static uint32_t ranks_bound_judge(struct ws_finding *f, const struct ws_evidence *e, uint32_t ranks)
{
    double most;
    const char *cause = speed_up_find(e, &most);
    if (!(most >= 1.0) || (most >= GAIN_LEAST && ceil(most) >= ranks) || ranks < 2) {
        return ranks;
    }
    if (most < 1.05) {
        ws_sentence_more(f->text, "Because of %s, no number of ranks is faster than one.", cause);
    } else {
        ws_sentence_more(
            f->text,
            "Because of %s, no number of ranks can run this more than %.3f times as fast "
            "as one.",
            cause, most);
    }
    return most < GAIN_LEAST ? 1 : (uint32_t)ceil(most);
}

/* Judges what a trace tells, if the counters advise no fewer ranks. */
static void study_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    static const char unknown[] = "Not known: ";
    double most;
    if (e->study == NULL || !(e->study->speed_up >= 1.0)) {
        const char *why =
            e->study == NULL || e->study->speed_up_why == NULL
                ? "\"warpscope advise\" judges other numbers of ranks from a recording "
                  "of --event-trace=3."
                : e->study->speed_up_why;
        size_t skip = strncmp(why, unknown, sizeof unknown - 1) == 0 ? sizeof unknown - 1 : 0;
        if (f->text[0] == '\0') {
            ws_sentence(f->text, "The speed-up that the model allows is not known.");
        }
        ws_not_judged(f, 0.0, NULL, why + skip);
    } else if (more_helps(e)) {
        more_judge(f, e);
    } else {
        const char *cause = speed_up_find(e, &most);
        ws_sentence_more(
            f->text, "The model allows at most %.3f times the speed of one rank, because of %s.",
            most, cause);
        if (e->ranks > 1 && !ws_alone_is_known(e)) {
            ws_not_judged(f, 0.0, NULL,
                          "What one rank would need is not known: record a longer run, with "
                          "--event-trace=3 --event-times=1.");
        }
    }
}

void ws_rule_ranks(struct ws_finding *f, const struct ws_evidence *e)
{
    uint32_t ranks = e->ranks;
    bool is_alone = ws_alone_helps(e);
    alone_say(f, e);
    double most = is_alone ? 1.0 - ws_seconds_alone(e) / ws_seconds_free(e) : 0.0;
    if (e->processors > 0 && ranks > e->processors) {
        ranks = e->processors;
        ws_sentence_more(f->text, "%" PRIu32 " ranks shared %" PRIu32 " processor%s.", e->ranks,
                         ranks, ranks == 1 ? "" : "s");
        most = fmax(most, 0.5 * (1.0 - (double)ranks / e->ranks));
    }
    ranks = is_alone ? 1 : ranks;
    if (e->study != NULL) {
        ranks = ranks_bound_judge(f, e, ranks);
    }
    if (ranks == e->ranks) {
        study_judge(f, e);
        return;
    }
    f->verdict = WS_CHANGE;
    f->weight = fmax(most, 0.5 * (1.0 - (double)ranks / e->ranks));
    ws_sentence(f->advice, "Run on %" PRIu32 " rank%s.", ranks,
                ranks == 1 ? ", with --synch=1" : "s");
    if (is_alone) {
        ws_sentence_more(f->advice,
                         "More ranks pay only for a larger problem, or if the rest of the time "
                         "is saved, as the other statements say.");
        ws_gain(f, "seconds", most, most);
    }
    snprintf(f->launcher, sizeof f->launcher, "-n %" PRIu32, ranks);
    if (ranks == 1) {
        snprintf(f->options, sizeof f->options, "--synch=1");
        f->has_condition = true; /* the option goes with the launcher's */
    }
}

/* ---- The scheduler --------------------------------------------------------------------------- */

static void sequential_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    /* Committed events are also recorded in that phase. */
    double commit = e->handlers_timed ? 0.05 : ws_evidence_part(e, WS_PHASE_COMMIT);
    ws_found(
        f,
        ws_or(ws_evidence_part(e, WS_PHASE_GVT) + commit + ws_evidence_part(e, WS_PHASE_STATES),
              0.15),
        "An optimistic run on one rank keeps executed events and computes GVT%s, although no "
        "event can come late.",
        e->sum.gvts > 1.0 ? ", here many times" : "");
    ws_sentence(f->advice, "Use the sequential scheduler on one rank.");
    snprintf(f->options, sizeof f->options, "--synch=1");
    ws_gain(f, "GVT computations", 1.0, 1.0);
}

static void windows_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    double each = ws_per_round(e), part = ws_evidence_part(e, WS_PHASE_GVT);
    bool is_small =
        e->sum.gvts >= 100.0 && each < WINDOW_SMALL && !(ws_has_times(e) && part < WAITS_MUCH);
    ws_sentence(f->text,
                "The %.0f windows of the conservative run have %.2g events of a rank each.",
                e->sum.gvts, each);
    if (e->run_seconds >= SECONDS_LEAST && part >= WAITS_MUCH) {
        ws_sentence_more(f->text,
                         "%.0f %% of the time went to the end of windows, and to waiting there.",
                         ws_percent(part));
    }
    if (!is_small && !(e->run_seconds >= SECONDS_LEAST && part >= WAITS_MUCH)) {
        return;
    }
    ws_not_judged(
        f, ws_or(part, 0.4), NULL,
        "Measure the optimistic scheduler, --synch=3: it does not depend on lookahead. It "
        "saves the states of LPs without reverse handlers.");
    if (is_small) {
        f->verdict = WS_CHANGE;
        f->has_condition = true;
        snprintf(f->options, sizeof f->options, "--synch=3");
        ws_gain(f, "GVT computations", 0.0,
                1.0 - fmin(1.0, e->sum.processed / e->ranks / ROUND_GOOD / e->sum.gvts));
    }
}

/* Returns true if another rule advises to change the optimistic run or its placement, or if
 * rollbacks were forced. Such a change affects rollbacks, so that other schedulers are considered
 * only afterwards. */
static bool others_first(const struct ws_evidence *e)
{
    static ws_rule_f *const judges[] = {ws_rule_kps, ws_rule_batch, ws_rule_gvt, ws_rule_slow,
                                        ws_rule_optimism};
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++) {
        struct ws_finding f = {.verdict = WS_KEEP};
        judges[i](&f, e);
        if (f.verdict == WS_CHANGE) {
            return true;
        }
    }
    return e->random_rollbacks || ws_placement_helps(e);
}

/* Advises the conservative scheduler with the lookahead of the run. */
static void lookahead_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    double windows = ws_windows_about(e), seconds = ws_seconds_windows(e);
    ws_found(f, 1.0 - seconds / ws_seconds_free(e),
             "With its lookahead of %.3g%s, a conservative run has about %.0f windows, with %.3g "
             "events of "
             "a rank each: it would need about %.2g s, instead of %.2g s without recording.",
             e->lookahead,
             e->sum.remote > 0.0 ? ", to which all events between ranks kept"
                                 : " and no events between ranks",
             windows, e->sum.committed / windows / e->ranks, seconds, ws_seconds_free(e));
    ws_sentence(f->advice,
                "Use the conservative scheduler. The run ends with an error if the model "
                "does not keep to its lookahead.");
    snprintf(f->options, sizeof f->options, "--synch=2");
    f->has_condition = true;
    ws_gain(f, "seconds", f->weight, f->weight);
}

/* Considers conservative windows, which have no rollbacks, if the run had many rollbacks. */
static void rollbacks_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = ws_evidence_wasted(e);
    const struct ws_study *s = e->study;
    ws_sentence(f->text, "The optimistic run undid %.1f %% of its executed events.",
                ws_percent(part));
    if (part < WS_UNDONE_MANY) {
        return;
    }
    if (s == NULL) {
        ws_not_judged(f, 0.0, NULL,
                      "\"warpscope advise\" judges the conservative scheduler from a recording of "
                      "--event-trace=3.");
    } else if (!others_first(e) && s->lookahead > 0.0 &&
               s->window_events / e->ranks >= WINDOW_WIDE) {
        f->verdict = WS_CHANGE;
        f->weight = 0.4 * ws_undone_part(e);
        f->has_condition = true; /* offsets may be smaller in another run */
        ws_sentence_more(
            f->text,
            "The least offset between LPs is %.6g, and windows of that length have %.3g "
            "events of a rank.",
            s->lookahead, s->window_events / e->ranks);
        ws_sentence(f->advice,
                    "Use the conservative scheduler if the model never has lesser offsets.");
        /* The lookahead in the option must not exceed the smallest offset, even after rounding up:
         * a run with a larger lookahead ends with an error. */
        snprintf(f->options, sizeof f->options, "--synch=2 --cons-lookahead=%.6g",
                 s->lookahead * (1.0 - 2e-6));
        ws_gain(f, "executed events", part, part);
    }
}

void ws_rule_synch(struct ws_finding *f, const struct ws_evidence *e)
{
    bool is_known = e->ranks > 1 && ws_is_known(e);
    bool is_conservative = e->scheduler == WS_SCHED_CONSERVATIVE;
    if ((e->ranks == 1 && more_helps(e)) || (is_conservative && ws_alone_helps(e))) {
        ws_sentence(f->text, "It depends on the number of ranks, which changes first.");
    } else if (e->scheduler == WS_SCHED_OPTIMISTIC && e->ranks == 1 && !e->random_rollbacks) {
        sequential_judge(f, e);
    } else if (is_conservative && is_known && e->sum.gvts >= 1.0) {
        windows_judge(f, e);
    } else if (is_known && ws_windows_help(e)) {
        lookahead_judge(f, e);
    } else if (e->scheduler == WS_SCHED_OPTIMISTIC && is_known) {
        rollbacks_judge(f, e);
    } else if (e->scheduler == WS_SCHED_SEQUENTIAL) {
        ws_sentence(f->text, "The run was sequential.");
    } else {
        ws_not_judged(f, 0.0,
                      "The counters of the run are not known, or concern rollbacks on purpose.",
                      "Record a run that ends in order, without --random-rollbacks.");
    }
}
