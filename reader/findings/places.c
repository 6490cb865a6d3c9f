/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - rules about the LPs on the ranks: their placement, slow ranks, busy LPs; see rules.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "data/lp_names.h"
#include "findings/rules.h"

#define UNEVEN 1.25 /* load of the busiest rank, as a multiple of the mean, that is uneven */
#define REMOTE 0.4  /* share of events from other ranks that is large */
/* More events between ranks, of so many ns each, may take this part of the time that a better balance saves. */
#define MORE_NS   1000.0
#define MORE_PART 0.25
#define PAIRS     50.0 /* minimum number of rollbacks for statements about their sources */
#define LP_TEXT   160u
#define HOT_LOAD  1.1 /* smallest load of a hot LP, as a multiple of the mean load of a rank */

static const char elsewhere[] = "It concerns runs on two or more ranks.";
static const char ask[] = "\"warpscope advise\" judges from a recording of --event-trace=3 whether "
                          "another placement is better.";

/* ---- Placement ------------------------------------------------------------------------------- */

bool ws_is_by_lookahead(const struct ws_evidence *e)
{
    return e->scheduler == WS_SCHED_CONSERVATIVE || ws_windows_help(e);
}

/* Returns true unless events between the predicted ranks would not keep to a lookahead that they need. */
static bool offset_fits(const struct ws_evidence *e)
{
    return !ws_is_by_lookahead(e) || e->study->offset_new >= e->lookahead * (1.0 - 1e-9);
}

bool ws_placement_helps(const struct ws_evidence *e)
{
    const struct ws_study *s = e->study;
    if (s == NULL || !s->has_placement || s->events < EVENTS_LEAST) {
        return false;
    }
    bool is_remote = s->remote_now >= 0.05 * s->events && s->remote_new <= 0.7 * s->remote_now;
    bool is_uneven = s->balance_now >= UNEVEN && s->balance_new <= 0.8 * s->balance_now;
    /* The new placement must not make the number of remote events or the balance much worse. */
    double more = 1e-9 * MORE_NS * (s->remote_new - s->remote_now);
    bool is_worth = ws_alone_is_known(e) &&
                    more <= MORE_PART * ws_seconds_alone(e) * (s->balance_now - s->balance_new);
    return offset_fits(e) &&
           ((is_remote && s->balance_new <= 1.1 * fmax(1.0, s->balance_now)) ||
            (is_uneven &&
             (s->remote_new <= fmax(1.2 * s->remote_now, 0.05 * s->events) || is_worth)));
}

/* Returns the share of the time that messages took; NaN: unknown. */
static double messages_part(const struct ws_evidence *e)
{
    return ws_evidence_part(e, WS_PHASE_NETWORK) + ws_evidence_part(e, WS_PHASE_ANTI);
}

/* Finds the PE with the largest load, by the time of its handlers or by committed events. Returns the
 * load as a multiple of the mean; NaN if it is not known. */
static double load_find(const struct ws_evidence *e, bool by_time, uint32_t *pe)
{
    double sum = 0.0, most = 0.0;
    for (size_t i = 0; i < e->n_pes; i++) {
        double load = by_time ? e->pes[i].phases[WS_PHASE_EXECUTE] : e->pes[i].sum.committed;
        sum += load;
        if (load > most) {
            most = load;
            *pe = e->pes[i].pe;
        }
    }
    return sum >= (by_time ? SECONDS_LEAST : EVENTS_LEAST) ? most * (double)e->n_pes / sum
                                                           : (double)NAN;
}

/* Says what the counters tell of the placement, which does not decide whether there is a better one. */
static void counters_judge(struct ws_finding *f, const struct ws_evidence *e)
{
    bool by_time = e->lost_most < LOST_MUCH; /* otherwise times say little about the placement */
    double remote = e->sum.remote / e->sum.processed, weight = 0.0, busy;
    uint32_t pe = 0;
    double ratio = by_time ? load_find(e, true, &pe) : (double)NAN;
    if (!(ratio >= 1.0)) {
        by_time = false;
        /* Where handlers were timed, events do not tell the load. */
        ratio = e->handlers_timed ? (double)NAN : load_find(e, by_time, &pe);
    }
    if (ratio >= UNEVEN) {
        ws_evidence_worst(e, WS_PHASE_EXECUTE, &busy);
        weight = (1.0 - 1.0 / ratio) * (by_time ? ws_or(busy, 1.0) : 1.0);
        ws_sentence_more(f->text,
                         by_time ? "The load is uneven: PE %" PRIu32
                                   " executes events for %.2g times as long as the mean PE."
                                 : "The load is uneven: PE %" PRIu32
                                   " commits %.2g times as many events as the mean PE.",
                         pe, ratio);
    }
    if (e->sum.processed >= EVENTS_LEAST && remote >= REMOTE) {
        weight = fmax(weight, fmax(0.01, ws_or(messages_part(e), 0.3 * remote)));
        ws_sentence_more(f->text, "%.0f %% of the executed events came from another rank.",
                         ws_percent(remote));
    }
    if (f->text[0] == '\0') {
        ws_sentence(f->text, "There is no prediction for another placement.");
    }
    ws_not_judged(f, weight, NULL, ask);
    if (e->study != NULL && e->study->placement_why != NULL) {
        ws_sentence(f->advice, "%.200s.", e->study->placement_why);
    }
}

void ws_rule_placement(struct ws_finding *f, const struct ws_evidence *e)
{
    const struct ws_study *s = e->study;
    if (e->ranks < 2) {
        ws_sentence(f->text, "%s", elsewhere);
        return;
    }
    if (s == NULL || !s->has_placement) {
        counters_judge(f, e);
        return;
    }
    ws_sentence(
        f->text,
        "Events between ranks: %.0f of %.0f, with METIS %.0f. %s of the busiest rank beside %s: "
        "%.2f, with METIS %.2f.",
        s->remote_now, s->events, s->remote_new, s->is_by_time ? "Handler time" : "Load",
        s->shares != NULL ? "what suits its speed" : "the mean", s->balance_now, s->balance_new);
    if (!offset_fits(e) && s->offset_new >= 0.0) {
        ws_sentence_more(f->text,
                         "With METIS, events between ranks have offsets from %.3g, less than the "
                         "lookahead of conservative ranks.",
                         s->offset_new);
    }
    if (!ws_placement_helps(e)) {
        return;
    }
    double saved = 1.0 - s->remote_new / fmax(1.0, s->remote_now);
    double even = 1.0 - s->balance_new / s->balance_now, busy;
    ws_evidence_worst(e, WS_PHASE_EXECUTE, &busy);
    f->verdict = WS_CHANGE;
    f->weight = fmax(fmax(saved, 0.0) * ws_or(messages_part(e), s->remote_now / s->events),
                     fmax(even, 0.0) * ws_or(busy, 1.0));
    if (s->map != NULL) {
        ws_sentence(f->advice, "Use the placement that was written to the map.");
        snprintf(f->options, sizeof f->options, "--lp-map=%s", s->map);
    } else {
        ws_sentence(f->advice,
                    "Write a map by \"warpscope advise --map=FILE\"%s, and use it by "
                    "--lp-map=FILE.",
                    ws_is_by_lookahead(e) ? "" : " or \"warpscope partition\"");
    }
    if (saved > even) {
        ws_gain(f, "events between ranks", 0.0, saved);
    } else {
        ws_gain(f,
                s->is_by_time ? "handler time on the busiest rank" : "events on the busiest rank",
                0.0, even);
    }
}

/* Makes a statement that the prediction of a placement, if there is one, stands above. */
static void seen(struct ws_finding *f, const struct ws_evidence *e, double weight)
{
    if (e->study == NULL || !e->study->has_placement) {
        ws_not_judged(f, fmax(0.01, weight), NULL, ask);
    }
}

void ws_rule_types(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = e->types_most / e->types_all, remote = e->sum.remote / e->sum.processed;
    if (e->types_all >= EVENTS_LEAST && part >= 0.4 && e->types >= 2 && e->type_from != NULL &&
        e->type_to != NULL && !(remote < 0.1)) {
        ws_sentence(f->text, "%.0f %% of the events between ranks go from %.60s to %.60s.",
                    ws_percent(part), e->type_from, e->type_to);
        seen(f, e, part * ws_or(messages_part(e), 0.5 * fmin(1.0, ws_or(remote, 0.5))));
    }
}

void ws_rule_pair(struct ws_finding *f, const struct ws_evidence *e)
{
    double part = e->pair_most / e->pair_all;
    if (e->pair_all >= PAIRS && part >= 0.4 && e->pairs >= 4 && part >= 3.0 / (double)e->pairs &&
        e->pair_from != e->pair_to) {
        ws_sentence(f->text,
                    "%.0f %% of the rollbacks hit PE %" PRIu32 " because of events from PE %" PRIu32
                    ": PE %" PRIu32 " runs ahead.",
                    ws_percent(part), e->pair_to, e->pair_from, e->pair_to);
        seen(f, e, part * ws_undone_part(e));
    }
}

/* ---- A slow rank ----------------------------------------------------------------------------- */

/* Finds the rank whose events take longest by the times of phases, whatever its LPs do. Returns their time
 * as a multiple of that of the other ranks; NaN if it is not known. */
static double slow_find(const struct ws_evidence *e, uint32_t *rank)
{
    double all = 0.0, most = 0.0, seconds = 0.0;
    for (size_t i = 0; i < e->n_pes; i++) {
        double each = e->pes[i].phases[WS_PHASE_EXECUTE] / e->pes[i].sum.processed;
        seconds += e->pes[i].phases[WS_PHASE_EXECUTE];
        if (!(e->pes[i].sum.processed >= EVENTS_LEAST && each > 0.0)) {
            return (double)NAN;
        }
        all += each;
        if (each > most) {
            most = each;
            *rank = e->pes[i].pe;
        }
    }
    bool is_known = e->n_pes > 1 && e->n_pes == e->ranks && seconds >= SECONDS_LEAST;
    return is_known ? most * (double)(e->n_pes - 1) / (all - most) : (double)NAN;
}

void ws_rule_slow(struct ws_finding *f, const struct ws_evidence *e)
{
    static const char measure[] = "Record with --event-trace=3 --event-times=1: \"warpscope "
                                  "advise\" then compares LPs of the "
                                  "same type.";
    const struct ws_study *s = e->study;
    uint32_t rank = 0;
    double times = slow_find(e, &rank);
    if (e->ranks < 2) {
        ws_sentence(f->text, "%s", elsewhere);
    } else if (s != NULL && s->slow_times >= 1.0) {
        ws_sentence(f->text,
                    "Rank %" PRIu32
                    " takes %.3g times as long for an event as the other ranks, for the "
                    "same types of LPs.",
                    s->slow_rank, s->slow_times);
        if (s->slow_times < WS_SLOW_TIMES) {
            return;
        }
        f->verdict = WS_CHANGE;
        f->weight = 0.5 * (1.0 - 1.0 / s->slow_times);
        ws_sentence_more(f->text, "Its processor is slow or busy, or its LPs have more to do.");
        ws_sentence(f->advice, "See what else runs on its processor, and to which one the launcher "
                               "binds it.");
        if (ws_placement_helps(e)) {
            ws_sentence_more(f->advice, "The placement gives it less work.");
        }
    } else if (s != NULL && s->hot_by_time) {
        ws_not_judged(
            f, 0.0,
            "Not every rank has 30 events of a type of LP and kind whose handlers take 20 "
            "steps of the clock or more.",
            "See what else runs on the processors.");
    } else if (times >= WS_SLOW_TIMES) {
        ws_sentence(f->text,
                    "Rank %" PRIu32
                    " takes %.3g times as long for an event as the other ranks: its "
                    "processor is slow or busy, or its LPs have more to do.",
                    rank, times);
        ws_not_judged(f, 0.0, NULL, measure);
    } else {
        ws_not_judged(f, 0.0,
                      "How long events of the same LP types take on each rank was not compared.",
                      measure);
    }
}

/* ---- Hot LPs --------------------------------------------------------------------------------- */

/* Appends a sentence about `most`, an upper bound on the speed-up. */
static void most_say(struct ws_finding *f, double most)
{
    if (most < 1.05) {
        ws_sentence_more(f->text, ": whatever the placement, no run is faster than on one rank.");
    } else {
        ws_sentence_more(
            f->text,
            ": whatever the placement, no run is more than %.3f times as fast as on one "
            "rank.",
            most);
    }
    ws_sentence(f->advice,
                "No option mends that: let several LPs share its work, or make its handlers "
                "faster.");
}

/* Writes the number of an LP, with its name or else its type in parentheses, if one is known. */
static const char *lp_text(char to[LP_TEXT], const struct ws_evidence *e, uint64_t lp,
                           const char *type)
{
    const char *name = ws_lp_name(e->names, lp);
    name = name == NULL ? type : name;
    bool has = name[0] != '\0';
    snprintf(to, LP_TEXT, "%" PRIu64 "%s%s%s", lp, has ? " (" : "", name, has ? ")" : "");
    return to;
}

void ws_rule_hot(struct ws_finding *f, const struct ws_evidence *e)
{
    char text[LP_TEXT];
    const struct ws_study *s = e->study;
    bool by_time = s != NULL && s->hot_by_time;
    uint64_t lp = by_time ? s->hot_lp : e->lp;
    double part = by_time ? s->hot_part : e->lp_events / e->lps_events;
    double ranks = fmax(2.0, e->ranks); /* that more ranks do not help is worth knowing on one */
    if (!(part > 0.0) || e->lps == 0) {
        ws_not_judged(f, 0.0, "The events of each LP were not recorded, or LPs were selected.",
                      "Record with --event-trace=3.");
    } else if (!by_time && e->lps_events < EVENTS_LEAST) {
        ws_not_judged(f, 0.0, "The trace has fewer than 1000 events.", "Record a longer run.");
    } else if (!by_time && e->handlers_timed && s == NULL) {
        ws_not_judged(f, 0.0, "Handlers were timed, so that events do not tell the load.",
                      "\"warpscope advise\" judges it by their times.");
    } else if (!by_time && e->handlers_timed && s->hot_part > 0.0) {
        ws_not_judged(f, 0.0,
                      "Handlers were timed, so that events do not tell the load, but their times "
                      "are too short in all.",
                      "Record a longer run.");
    } else if (part * ranks >= HOT_LOAD) {
        ws_found(f, 0.45 * (1.0 - 1.0 / (part * ranks)), "LP %s has %.0f %% of the %s",
                 lp_text(text, e, lp, ""), ws_percent(part), by_time ? "handler time" : "events");
        most_say(f, 1.0 / part);
    } else if (s != NULL && e->ranks > 1 && s->speed_up < e->ranks && s->path_lps > 0 &&
               s->path_lps <= WS_PATH_LPS_FEW) {
        ws_found(f, 0.45 * (1.0 - s->speed_up / e->ranks),
                 "%" PRIu32 " LP%s half of the critical path, LP %s most", s->path_lps,
                 s->path_lps == 1 ? " has" : "s have", lp_text(text, e, s->path_lp, s->path_type));
        most_say(f, s->speed_up);
    } else {
        ws_sentence(f->text, "LP %s has %.2g %% of the %s, the most of all LPs.",
                    lp_text(text, e, lp, ""), ws_percent(part),
                    by_time ? "handler time" : "events");
    }
}
