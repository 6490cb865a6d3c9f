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
#define EXECUTED_LEAST  1000.0

/* Returns the share of executed events that were undone; NaN if unknown. */
static double wasted(const struct ws_evidence *e)
{
    return e->sum.processed >= EXECUTED_LEAST ? e->sum.undone / e->sum.processed : (double)NAN;
}

/* Returns an efficiency as text, in `text` or in a constant. Negative values, which occur if more
 * events are undone than committed, become "0 % or less". */
static const char *efficiency_text(char text[32], double percent)
{
    if (percent > 0.0) {
        snprintf(text, 32, "%.0f %%", percent);
        return text;
    }
    return "0 % or less";
}

/* Sets the advice to use more KPs if the run can have more; otherwise, to limit optimism. first:
 * beginning of the advice. */
static void advise_kps(const struct ws_evidence *e, struct ws_finding *f, const char *first)
{
    uint64_t lps = e->ranks > 0 ? e->lps / e->ranks : 0;
    if (e->kps_per_pe > 0 && (lps == 0 || e->kps_per_pe < lps)) {
        uint64_t more = 4 * e->kps_per_pe;
        more = lps > 0 && more > lps ? lps : more;
        ws_finding_advice(f,
                          "%s--nkp=%" PRIu64 " instead of %" PRIu64
                          ": fewer LPs roll back together. --max-opt-lookahead=T lets PEs run less "
                          "far ahead of GVT.",
                          first, more, e->kps_per_pe);
    } else {
        ws_finding_advice(f,
                          "%s--max-opt-lookahead=T lets PEs run less far ahead of GVT; LPs that "
                          "exchange many events belong on one PE.",
                          first);
    }
}

static bool efficiency(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = wasted(e);
    if (!(part >= 0.1)) {
        return false;
    }
    char text[32];
    ws_found(f, part, NULL,
             "%.0f %% of all executed events were undone; efficiency, 1 - undone / "
             "committed, is %s.",
             ws_percent(part),
             efficiency_text(text, ws_efficiency(e->sum.processed, e->sum.undone)));
    advise_kps(e, f, "");
    return true;
}

static bool efficiency_period(const struct ws_evidence *e, struct ws_finding *f)
{
    double all = ws_efficiency(e->sum.processed, e->sum.undone);
    if (!(e->sum.processed >= EXECUTED_LEAST && e->low_efficiency <= 60.0) ||
        all - e->low_efficiency < 20.0) {
        return false;
    }
    char text[32];
    f->from = e->low_from;
    f->to = e->low_to;
    return ws_found(f, 0.1 * (all - e->low_efficiency) / 100.0,
                    "Choose this period in the report: see which KPs roll back then, and what "
                    "the model does at that virtual time.",
                    "From %.3g s to %.3g s of wall clock, efficiency falls to %s; it is "
                    "%.0f %% over the whole run.",
                    e->low_from, e->low_to, efficiency_text(text, e->low_efficiency), all);
}

static bool rollback_kp(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = e->kp_rollbacks / e->sum.rollbacks;
    if (!(e->sum.rollbacks >= ROLLBACKS_LEAST && part >= 0.3) || e->kps < 2) {
        return false;
    }
    if (part < 3.0 / (double)e->kps) {
        /* Among few KPs, one always has a large share. */
        return false;
    }
    double undone = wasted(e);
    ws_found(f, part * (undone == undone ? fmin(1.0, undone) : 0.1), NULL,
             "KP %" PRIu64 " of PE %" PRIu32 " takes part in %.0f %% of all rollbacks.", e->kp,
             e->kp_pe, ws_percent(part));
    advise_kps(e, f, "Divide its LPs among more KPs: ");
    return true;
}

static bool rollback_pair(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = e->pair_most / e->pair_all;
    if (!(e->pair_all >= ROLLBACKS_LEAST && part >= 0.4) || e->pairs < 4 ||
        part < 3.0 / (double)e->pairs || e->pair_from == e->pair_to) {
        return false;
    }
    double undone = wasted(e);
    ws_found(f, part * (undone == undone ? fmin(1.0, undone) : 0.1), NULL,
             "%.0f %% of the rollbacks hit PE %" PRIu32 " because of events from PE %" PRIu32 ".",
             ws_percent(part), e->pair_to, e->pair_from);
    ws_finding_advice(f,
                      "Map the LPs that exchange these events to one PE, or give PE %" PRIu32
                      " more work: it runs ahead of PE %" PRIu32 ".",
                      e->pair_to, e->pair_from);
    return true;
}

static bool rollback_secondary(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = e->sum.secondary / e->sum.rollbacks, undone = wasted(e);
    if (!(e->sum.rollbacks >= ROLLBACKS_LEAST && part >= 0.5 && undone >= 0.05)) {
        return false;
    }
    return ws_found(f, part * undone,
                    "Rollbacks spread because PEs run far ahead: --max-opt-lookahead=T bounds "
                    "that, and a smaller --gvt-interval commits sooner.",
                    "%.0f %% of all rollbacks are secondary: cancelled events caused them.",
                    ws_percent(part));
}

static bool rollback_random(const struct ws_evidence *e, struct ws_finding *f)
{
    if (!e->random_rollbacks) {
        return false;
    }
    return ws_found(f, wasted(e) > 0.0 ? wasted(e) : 0.01,
                    "Leave the option out of runs whose speed matters.",
                    "The run rolled events back on purpose: --random-rollbacks was given.");
}

static bool reverse_slow(const struct ws_evidence *e, struct ws_finding *f)
{
    double execute = 0.0, undo = 0.0, part = ws_evidence_part(e, WS_PHASE_UNDO);
    for (size_t i = 0; i < e->n_pes; i++) {
        execute += e->pes[i].phases[WS_PHASE_EXECUTE];
        undo += e->pes[i].phases[WS_PHASE_UNDO];
    }
    double ratio = undo / e->sum.undone / (execute / e->sum.processed);
    if (!(e->sum.processed >= EXECUTED_LEAST && e->sum.undone >= 100.0 && part >= 0.05 &&
          ratio >= 2.0)) {
        return false;
    }
    return ws_found(f, part,
                    "Look at what the reverse handlers do: undoing is to restore what the "
                    "forward handler changed, and to undo its random draws.",
                    "Undoing an event takes %.2g times as long as executing one.", ratio);
}

const struct ws_rule ws_rollback_rules[] = {
    {"efficiency", "rates", efficiency},
    {"efficiency-period", "rates", efficiency_period},
    {"rollback-kp", "rollbacks", rollback_kp},
    {"rollback-pair", "rollbacks", rollback_pair},
    {"rollback-secondary", "rollbacks", rollback_secondary},
    {"rollback-random", "rollbacks", rollback_random},
    {"reverse-slow", "phases", reverse_slow},
    {NULL, NULL, NULL},
};
