/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.c - rules about the number of ranks, and about the scheduler; see rules.h.
 *
 * One rank would need what the handlers of the committed events and the pending queue took on all ranks;
 * handlers by an event trace that has their times, otherwise by the phase in which events are executed. The
 * need of more ranks is estimated from the bound that the order of events sets, and from what a message and
 * a GVT computation took in this run. Both are compared with the run without what recording took.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "findings/rules.h"

#define MORE_LPS 8u /* more ranks are advised only if each has at least this number of LPs */
/* Where the run does not tell: time in ns of an event between ranks, and of a GVT computation; time that an
 * optimistic run adds to an event. Events that a rank executes between two GVT computations. */
#define MESSAGE_NS 3000.0
#define GVT_NS     50000.0
#define EVENT_NS   500.0
#define ROUND      1024.0
/* Where the phases do not tell: time in ns for which the queue has an event, and by which an event takes
 * longer if it is kept, since it may be undone. */
#define QUEUE_NS 100.0
#define KEPT_NS  40.0
/* At least this part of a time stays, whatever is left out of it. */
#define ALONE_PART 0.4
/* One rank is advised if it needs less by this factor, within which its estimate was in most runs tried. */
#define ALONE_GAIN 1.4
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

/* Returns the time in seconds of a phase for each of what a count of PEs counts, on the PE where that is
 * least: what interrupts a turn that is timed only adds to it. `other` in ns if it is not known; if that is
 * 0, few timed turns do as well. */
static double least_each(const struct ws_evidence *e, enum ws_phase phase, enum ws_count count,
                         double other)
{
    double least = (double)NAN; /* which fmin() ignores */
    for (size_t i = 0; i < e->n_pes; i++) {
        if (e->pes[i].sum.processed >= EVENTS_LEAST && e->pes[i].sum.each[count] > 0.0) {
            least = fmin(least, e->pes[i].phases[phase] / e->pes[i].sum.each[count]);
        }
    }
    return least > 0.0 && (ws_phases_tell(e) || !(other > 0.0)) ? least : 1e-9 * other;
}

/* Returns the time in seconds that one rank would need. It does without what lets events be undone: the
 * states that handlers save, and keeping events, which takes about as long as to give them up again. */
static double alone_seconds(const struct ws_evidence *e)
{
    double all = e->alone_seconds, kept = 0.0, queue = 0.0, events = e->sum.committed;
    if (e->handler_seconds > 0.0) {
        /* Handlers put events in the queue, which is about half of its time. */
        all = e->handler_seconds * events;
        queue = 0.5 * least_each(e, WS_PHASE_QUEUE, WS_PROCESSED, QUEUE_NS) * events;
        kept = least_each(e, WS_PHASE_STATES, WS_PROCESSED, 0.0) * events;
    } else if (e->scheduler == WS_SCHED_OPTIMISTIC) {
        kept = least_each(e, WS_PHASE_COMMIT, WS_PROCESSED, KEPT_NS) * events;
    }
    return fmax(ALONE_PART * all, all - kept) + queue;
}

/* Returns the time in seconds that recording took on the PE where that is least, which alone_seconds() does
 * without, too: writing records, and in timed events all but handlers, which have the time of the states that
 * they saved. */
static double recording_seconds(const struct ws_evidence *e)
{
    double least = (double)NAN;
    for (size_t i = 0; i < e->n_pes && ws_phases_tell(e); i++) {
        const double *phases = e->pes[i].phases;
        double events = phases[WS_PHASE_EXECUTE] + phases[WS_PHASE_STATES];
        double handlers = e->handler_seconds * e->pes[i].sum.processed;
        double beside = handlers > 0.0 ? events - handlers : 0.0;
        least = fmin(least, phases[WS_PHASE_RECORDS] + fmax(0.0, beside));
    }
    return ws_or(least, 0.0);
}

/* Returns the time that the run took, without that for which its ranks had no processor, and without
 * recording. */
static double free_seconds(const struct ws_evidence *e)
{
    double all = e->run_seconds * (1.0 - ws_or(e->lost_part, 0.0));
    return fmax(ALONE_PART * all, all - recording_seconds(e));
}

/* Returns the time in seconds that the run would need on s->more_ranks ranks; NaN if it is not known. */
static double more_seconds(const struct ws_evidence *e)
{
    const struct ws_study *s = e->study;
    double events = e->sum.committed / s->more_ranks;
    double message = least_each(e, WS_PHASE_NETWORK, WS_REMOTE, MESSAGE_NS);
    double round = e->ranks > 1 ? least_each(e, WS_PHASE_GVT, WS_GVTS, GVT_NS) : 1e-9 * GVT_NS;
    /* Only where all turns were timed do phases also have the time without a processor. */
    bool is_part = e->phases_exact && !(e->handler_seconds > 0.0);
    return alone_seconds(e) * (is_part ? 1.0 - ws_or(e->lost_part, 0.0) : 1.0) / s->more_in_order +
           events * (1e-9 * EVENT_NS + s->more_remote * message) + events / ROUND * round;
}

/* Advises s->more_ranks ranks if they are expected to gain. Returns false if not. */
static bool more_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    const struct ws_study *s = e->study;
    double seconds = more_seconds(e);
    if (s->more_ranks == 0 || !ws_alone_is_known(e) || !(s->more_in_order >= 0.5 * s->more_ranks) ||
        !(free_seconds(e) >= GAIN_LEAST * seconds)) {
        return false;
    }
    assert(s->more_ranks > e->ranks);
    f->verdict = WS_CHANGE;
    f->weight = 1.0 - seconds / free_seconds(e);
    ws_sentence_more(
        f->text,
        "There are %" PRIu32 " processors. With METIS on %" PRIu32
        " ranks, %.1f %% of the events are between ranks, and ranks that keep to the order "
        "of events reach %.3g times the speed of one: with messages and GVT, that is about "
        "%.2g s.",
        e->processors, s->more_ranks, ws_percent(s->more_remote), s->more_in_order, seconds);
    ws_sentence(f->advice,
                "Run on %" PRIu32 " ranks, with the map of \"warpscope partition --ranks=%" PRIu32
                "\".%s",
                s->more_ranks, s->more_ranks,
                e->ranks == 1 || e->scheduler == WS_SCHED_SEQUENTIAL ? " Use --synch=3." : "");
    snprintf(f->launcher, sizeof f->launcher, "-n %" PRIu32, s->more_ranks);
    ws_gain(f, "seconds", 0.0, f->weight);
    return true;
}

/* Says what one rank would need. Returns true if that is less than what the run took, also without the
 * time for which the PEs had no processor. */
static bool alone_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    double code = ws_phases_tell(e) ? ws_evidence_part(e, WS_PHASE_EXECUTE) : (double)NAN;
    if (!ws_alone_is_known(e)) {
        return false;
    }
    if (code == code) {
        ws_sentence(f->text, "%.0f %% of the time was model code; ", ws_percent(code));
    }
    if (e->ranks < 2) {
        ws_sentence_more(f->text, "%shis run took %.3g s on one rank.", code == code ? "t" : "T",
                         e->run_seconds);
        return false;
    }
    char recording[64] = "";
    if (recording_seconds(e) >= 0.05 * e->run_seconds) {
        snprintf(recording, sizeof recording, ", about %.2g s of it for recording",
                 recording_seconds(e));
    }
    ws_sentence_more(
        f->text,
        "%sne rank alone would need about %.2g s for handlers and queue; this run took "
        "%.3g s on %" PRIu32 "%s.",
        code == code ? "o" : "O", alone_seconds(e), e->run_seconds, e->ranks, recording);
    return free_seconds(e) > ALONE_GAIN * alone_seconds(e);
}

/* Returns the number of ranks that the model allows at most, and says why, if it is less than `ranks`. */
static uint32_t bound_judge(struct ws_finding *f, const struct ws_evidence *e, uint32_t ranks)
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
    } else if (!more_judge(f, e)) {
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
    bool is_alone = alone_judge(f, e);
    double most = is_alone ? 1.0 - alone_seconds(e) / free_seconds(e) : 0.0;
    if (e->processors > 0 && ranks > e->processors) {
        ranks = e->processors;
        ws_sentence_more(f->text, "%" PRIu32 " ranks shared %" PRIu32 " processor%s.", e->ranks,
                         ranks, ranks == 1 ? "" : "s");
        most = fmax(most, 0.5 * (1.0 - (double)ranks / e->ranks));
    }
    ranks = is_alone ? 1 : ranks;
    if (e->study != NULL) {
        ranks = bound_judge(f, e, ranks);
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
    bool is_small = e->sum.gvts >= 100.0 && each < WINDOW_SMALL;
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
                1.0 - fmin(1.0, e->sum.processed / e->ranks / ROUND / e->sum.gvts));
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
    return e->random_rollbacks || ws_placement_helps(e->study);
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
    if (e->scheduler == WS_SCHED_OPTIMISTIC && e->ranks == 1 && !e->random_rollbacks) {
        sequential_judge(f, e);
    } else if (e->scheduler == WS_SCHED_CONSERVATIVE && is_known && e->sum.gvts >= 1.0) {
        windows_judge(f, e);
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
