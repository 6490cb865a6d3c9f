/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.c - functions that the rules share: for their words, and for figures; see rules.h.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "data/known.h"
#include "findings/rules.h"

/* ---- Words ----------------------------------------------------------------------------------- */

void ws_sentence(char to[WS_FINDING_TEXT], const char *words, ...)
{
    WS_FORMAT(to, WS_FINDING_TEXT, words);
    to[0] = (char)toupper((unsigned char)to[0]); /* reasons are parts of sentences elsewhere */
}

void ws_sentence_more(char to[WS_FINDING_TEXT], const char *words, ...)
{
    size_t used = strlen(to);
    assert(used < WS_FINDING_TEXT);
    if (used > 0 && used + 1 < WS_FINDING_TEXT && to[used - 1] == '.' && words[0] != ' ') {
        to[used++] = ' ';
    }
    WS_FORMAT(to + used, WS_FINDING_TEXT - used, words);
}

void ws_found(struct ws_finding *f, double weight, const char *words, ...)
{
    f->verdict = WS_CHANGE;
    f->weight = weight;
    WS_FORMAT(f->text, WS_FINDING_TEXT, words);
}

void ws_not_judged(struct ws_finding *f, double weight, const char *text, const char *advice)
{
    f->verdict = WS_UNKNOWN;
    f->weight = weight;
    if (text != NULL) {
        ws_sentence(f->text, "%s", text);
    }
    ws_sentence(f->advice, "%s", advice);
}

void ws_gain(struct ws_finding *f, const char *measure, double least, double most)
{
    f->measure = measure;
    f->least = fmin(fmax(least, 0.0), 1.0);
    f->most = fmin(fmax(most, 0.0), 1.0);
}

/* ---- Figures --------------------------------------------------------------------------------- */

const char *ws_evidence_lacks(const struct ws_evidence *e)
{
    return e->pes_absent > 0 ? "some PEs recorded on disks of other hosts"
           : e->records_lost > 0.0 || e->records_damaged > 0.0 || e->blocks_damaged > 0 ||
                   e->loss_unknown
               ? "records are missing"
           : e->pes_open > 0 && !e->is_running ? "not all PEs ended their part"
           : e->is_chosen                      ? "only a part of the records was chosen"
                                               : NULL;
}

double ws_evidence_wasted(const struct ws_evidence *e)
{
    return e->sum.processed >= EVENTS_LEAST && e->sum.undone > 0.0
               ? fmin(1.0, e->sum.undone / e->sum.processed)
               : 0.0;
}

bool ws_is_known(const struct ws_evidence *e)
{
    return e->sum.processed >= EVENTS_LEAST && e->sum.undone == e->sum.undone;
}

double ws_per_round(const struct ws_evidence *e)
{
    bool is_part = !e->has_ends && ws_evidence_lacks(e) != NULL; /* counts of some PEs only */
    return e->sum.processed / fmax(1.0, e->sum.gvts) / (is_part ? (double)e->n_pes : e->ranks);
}

bool ws_is_elsewhere(struct ws_finding *f, const struct ws_evidence *e)
{
    if (e->scheduler != WS_SCHED_OPTIMISTIC || e->ranks < 2) {
        ws_sentence(f->text, "It concerns optimistic runs on two or more ranks.");
        return true;
    }
    if (ws_is_known(e)) {
        return false;
    }
    if (e->sum.processed < EVENTS_LEAST) {
        ws_not_judged(f, 0.0, "The run has fewer than 1000 events.", "Record a longer run.");
    } else {
        ws_not_judged(f, 0.0, "The run did not end in order, and has no samples of its counters.",
                      "Record with --enable-gvt-stats=1.");
    }
    return true;
}

/* Returns true if the times of a PE are plausible. Sampled times can be far off: each timed turn
 * stands for 64 turns, and another program may have used the processor during a timed turn. */
static bool is_plausible(const struct ws_evidence *e, const struct ws_evidence_pe *pe)
{
    double ratio = pe->seconds / e->run_seconds;
    double had =
        1.0 - ws_or(pe->lost, 0.0); /* turns that are not timed hide the time that is lost */
    return e->phases_exact || !(ratio > 1.5 || ratio < had / 1.5);
}

#define TIMED_LEAST 20.0 /* number of timed turns with events that tell what an event takes */

bool ws_phases_tell(const struct ws_evidence *e)
{
    /* Events of a turn: a batch, or what a window or a bound leaves of it. */
    double each = fmin(ws_or(e->batch, 1.0), fmax(1.0, ws_or(ws_per_round(e), 1.0)));
    return e->sum.processed / each / e->stride >= TIMED_LEAST;
}

bool ws_alone_is_known(const struct ws_evidence *e)
{
    bool timed = e->handler_seconds > 0.0; /* otherwise phases tell, but for what timing takes */
    bool known = e->run_seconds >= SECONDS_LEAST && e->alone_seconds > 0.0 &&
                 e->sum.processed >= EVENTS_LEAST &&
                 (timed || (ws_phases_tell(e) && !e->handlers_timed));
    for (size_t i = 0; known && !timed && i < e->n_pes; i++) {
        known = is_plausible(e, &e->pes[i]);
    }
    return known;
}

const struct ws_evidence_pe *ws_evidence_worst(const struct ws_evidence *e, enum ws_phase phase,
                                               double *part)
{
    assert(phase < WS_PHASE_COUNT);
    const struct ws_evidence_pe *worst = NULL;
    *part = (double)NAN;
    for (size_t i = 0; i < e->n_pes; i++) {
        double share = e->pes[i].phases[phase] / e->pes[i].seconds;
        if (e->pes[i].seconds > 0.0 && is_plausible(e, &e->pes[i]) &&
            (worst == NULL ? share == share : share > *part)) {
            worst = &e->pes[i];
            *part = share;
        }
    }
    return worst;
}

double ws_evidence_part(const struct ws_evidence *e, enum ws_phase phase)
{
    assert(phase < WS_PHASE_COUNT);
    double sum = 0.0, all = 0.0;
    for (size_t i = 0; i < e->n_pes; i++) {
        if (is_plausible(e, &e->pes[i])) {
            sum += e->pes[i].phases[phase];
            all += e->pes[i].seconds;
        }
    }
    return all > 0.0 ? sum / all : (double)NAN;
}

double ws_undone_part(const struct ws_evidence *e)
{
    double part = ws_evidence_wasted(e);
    return ws_or(ws_evidence_part(e, WS_PHASE_UNDO) + ws_evidence_part(e, WS_PHASE_ANTI) +
                     part * (ws_evidence_part(e, WS_PHASE_EXECUTE) +
                             ws_evidence_part(e, WS_PHASE_QUEUE) +
                             ws_evidence_part(e, WS_PHASE_STATES)),
                 part);
}

bool ws_takes(struct ws_finding *f, const struct ws_evidence *e, enum ws_phase phase, double least,
              uint32_t ranks, const char *on, const char *advice)
{
    double part;
    const struct ws_evidence_pe *worst = ws_evidence_worst(e, phase, &part);
    if (worst == NULL || !(worst->seconds >= SECONDS_LEAST && part >= least) || e->ranks < ranks) {
        return false;
    }
    ws_found(f, ws_evidence_part(e, phase), "PE %u spends %.0f %% of its time %s.",
             (unsigned)worst->pe, ws_percent(part), on);
    ws_sentence(f->advice, "%s", advice);
    return true;
}
