/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seconds.c - estimates what a run would need with other ranks, or another scheduler; see rules.h.
 *
 * One rank would need what the handlers of the committed events and the pending queue took on all ranks;
 * handlers by an event trace that has their times, otherwise by the phase in which events are executed.
 * Conservative ranks need their part of that, on the rank that has most, as events fall to windows by chance;
 * and a reduction per window. Optimistic ranks need what the order of events allows, and what a message and a
 * GVT computation took in this run.
 *
 * Where "warpscope advise" predicted runs (predict/predict.h), these times stand instead.
 *
 * The constants were measured on machines with shared memory (bench/advice.py). Without a better one, they
 * stand for such a machine; conservative ranks on several hosts are not estimated.
 */
#include <math.h>

#include "findings/rules.h"

/* Where the run does not tell: time in ns of a message and of a GVT computation, and by which an event of an
 * optimistic run takes longer, rollbacks included. */
#define MESSAGE_NS 300.0
#define GVT_NS     5000.0
#define EVENT_NS   500.0
/* Conservative runs: time in ns of an event between ranks, and of the end of a window on two ranks. */
#define REMOTE_NS 150.0
#define WINDOW_NS 2500.0
/* Where the phases do not tell: time in ns for which the queue has an event, and by which an event takes
 * longer if it is kept, since it may be undone. */
#define QUEUE_NS  100.0
#define KEPT_NS   40.0
#define COMMIT_NS 16.0 /* time in ns to commit an event that is not recorded */
/* One rank, and the conservative scheduler, are advised if they need less by these factors, within which the
 * estimates were in most runs tried; the latter instead of one rank, if it needs this part of its time. */
#define ALONE_GAIN   1.4
#define WINDOWS_GAIN 1.2
#define ALONE_MORE   0.8
/* At least this part of a time stays, whatever is left out of it. */
#define LEAST_PART 0.4

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

/* One rank does without what lets events be undone: the states that handlers save, and keeping events, which
 * takes about as long as to give them up again. */
double ws_seconds_alone(const struct ws_evidence *e)
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
    return fmax(LEAST_PART * all, all - kept) + queue;
}

/* Recording is writing records and, in timed events, all but handlers, which have the time of the states that
 * they saved; events with times are recorded when they are committed. */
double ws_seconds_recording(const struct ws_evidence *e)
{
    double least = (double)NAN;
    for (size_t i = 0; i < e->n_pes && ws_phases_tell(e); i++) {
        const double *phases = e->pes[i].phases;
        double n = e->pes[i].sum.processed;
        double events = phases[WS_PHASE_EXECUTE] + phases[WS_PHASE_STATES];
        double all = phases[WS_PHASE_RECORDS];
        if (e->handler_seconds > 0.0) {
            all += fmax(0.0, events - e->handler_seconds * n) +
                   fmax(0.0, phases[WS_PHASE_COMMIT] - 1e-9 * COMMIT_NS * n);
        }
        least = fmin(least, all);
    }
    return ws_or(least, 0.0);
}

/* PEs that have nothing to do wait for others, which recording slows down. */
double ws_seconds_free(const struct ws_evidence *e)
{
    double all = e->run_seconds * (1.0 - ws_or(e->lost_part, 0.0));
    double rest = ws_phases_tell(e) ? ws_or(ws_evidence_part(e, WS_PHASE_REST), 0.0) : 0.0;
    double recording = ws_seconds_recording(e);
    return recording > 0.0 ? all * fmax(LEAST_PART, 1.0 - recording / (all * (1.0 - rest))) : all;
}

/* Returns the share of the estimate for one rank that is left, where that also has the time without a
 * processor: only where all turns were timed do phases have it. */
static double had_part(const struct ws_evidence *e)
{
    bool is_part = e->phases_exact && !(e->handler_seconds > 0.0);
    return is_part ? 1.0 - ws_or(e->lost_part, 0.0) : 1.0;
}

/* ---- Conservative ranks ---------------------------------------------------------------------- */

double ws_windows_about(const struct ws_evidence *e)
{
    bool is_known = e->lookahead > 0.0 && e->planned > 0.0;
    if (is_known && e->study != NULL && e->study->n_windows > 0.0) {
        return e->study->n_windows;
    }
    return is_known ? fmin(ceil(e->planned / e->lookahead) + 1.0, e->sum.committed) : (double)NAN;
}

/* Returns what `ranks` conservative ranks would need. most: events of the busiest rank, as a multiple of the
 * mean; remote: share of events between ranks. */
static double windows_seconds(const struct ws_evidence *e, uint32_t ranks, double most,
                              double remote)
{
    double windows = ws_windows_about(e), each = e->sum.committed / windows / ranks;
    double deep = log2((double)ranks);
    /* The larger of two numbers of events in a window, by chance (normal distribution); of more than two, an
     * upper bound. */
    double uneven = most * (1.0 + 0.56 * deep / sqrt(fmax(1.0, each)));
    return (ws_seconds_alone(e) * had_part(e) * fmin(uneven, ranks) +
            1e-9 * REMOTE_NS * remote * e->sum.committed) /
               ranks +
           1e-9 * WINDOW_NS * deep * windows;
}

double ws_seconds_windows(const struct ws_evidence *e)
{
    double most = 0.0;
    for (size_t i = 0; i < e->n_pes; i++) {
        most = fmax(most, e->pes[i].sum.committed * e->ranks / e->sum.committed);
    }
    bool is_known =
        ws_alone_is_known(e) && e->ranks > 1 && e->ranks <= e->processors && e->n_pes == e->ranks &&
        e->lookahead_kept >= e->sum.remote &&
        e->lost_most < LOST_MUCH; /* otherwise ranks wait for processors at every window */
    return is_known && e->study != NULL && e->study->windows > 0.0 ? e->study->windows
           : is_known ? windows_seconds(e, e->ranks, most, e->sum.remote / e->sum.processed)
                      : (double)NAN;
}

bool ws_windows_help(const struct ws_evidence *e)
{
    double seconds = ws_seconds_windows(e), alone = ws_seconds_alone(e);
    bool is_bounded =
        e->study != NULL && e->study->speed_up < GAIN_LEAST; /* by the critical path */
    return e->scheduler == WS_SCHED_OPTIMISTIC && !is_bounded &&
           seconds * WINDOWS_GAIN <= ws_seconds_free(e) &&
           (seconds <= ALONE_MORE * alone || alone * ALONE_GAIN > ws_seconds_free(e));
}

bool ws_alone_helps(const struct ws_evidence *e)
{
    return ws_alone_is_known(e) && e->ranks > 1 &&
           ws_seconds_free(e) > ALONE_GAIN * ws_seconds_alone(e) && !ws_windows_help(e);
}

/* ---- More ranks ------------------------------------------------------------------------------ */

struct ws_better ws_seconds_more(const struct ws_evidence *e)
{
    const struct ws_study *s = e->study;
    struct ws_better best = {.seconds = (double)NAN};
    double message = least_each(e, WS_PHASE_NETWORK, WS_REMOTE, MESSAGE_NS);
    double round = e->ranks > 1 ? least_each(e, WS_PHASE_GVT, WS_GVTS, GVT_NS) : 1e-9 * GVT_NS;
    if (s == NULL || s->more_ranks <= e->ranks || !ws_alone_is_known(e)) {
        return best;
    }
    double events = e->sum.committed / s->more_ranks;
    for (size_t i = 0; i < sizeof s->more / sizeof s->more[0]; i++) {
        const struct ws_more *on = &s->more[i];
        double seconds = ws_seconds_alone(e) * had_part(e) / on->in_order +
                         events * (1e-9 * EVENT_NS + on->remote * message) +
                         events / ROUND_GOOD * round;
        double windows = on->offset >= e->lookahead * (1.0 - 1e-9)
                             ? windows_seconds(e, s->more_ranks, on->balance, on->remote)
                             : (double)NAN;
        seconds = s->more_optimistic > 0.0 ? s->more_optimistic : seconds;
        windows = s->more_windows > 0.0 && windows > 0.0 ? s->more_windows : windows;
        if (on->in_order >= fmax(GAIN_LEAST, 0.5 * s->more_ranks) &&
            !(best.seconds <= fmin(seconds, windows))) {
            best = (struct ws_better){.seconds = fmin(seconds, windows),
                                      .synch = windows < seconds ? "--synch=2" : "--synch=3",
                                      .on = on,
                                      .is_within = i == 1};
        }
    }
    return best;
}
