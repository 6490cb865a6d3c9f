/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - the rules, and functions that they share. Used only in reader/findings. A rule sets the
 * verdict of a finding, and writes its text; without a text it has nothing to say. The gain that it
 * claims is never larger than what the change can save at most.
 */
#ifndef WARPSCOPE_READER_FINDINGS_RULES_H
#define WARPSCOPE_READER_FINDINGS_RULES_H

#include "findings/findings.h"

#define EVENTS_LEAST 1000.0 /* smallest number of executed events for which rules apply */
/* Good number of events that a rank executes between two GVT computations. */
#define ROUND_GOOD    1024.0
#define SECONDS_LEAST 0.05 /* smallest time of a PE, in seconds, for rules about times */
#define GAIN_LEAST    1.2  /* smallest gain for which more ranks are advised */
#define LOST_MUCH     0.1  /* a processor was shared if a PE lost this share of its time */

/* The rules, each for the subject of its name: in recording.c, about the recording; in rollbacks.c, about
 * events that are undone; in times.c, about what takes the time; in places.c, about LPs on ranks; in
 * ranks.c, about their number and the scheduler. */
typedef void ws_rule_f(struct ws_finding *f, const struct ws_evidence *e);
ws_rule_f ws_rule_incomplete, ws_rule_lost, ws_rule_recording_time, ws_rule_phases_exact;
ws_rule_f ws_rule_random, ws_rule_kps, ws_rule_optimism, ws_rule_kp, ws_rule_period, ws_rule_undo;
ws_rule_f ws_rule_shared, ws_rule_batch, ws_rule_gvt, ws_rule_waiting, ws_rule_network,
    ws_rule_states, ws_rule_queue, ws_rule_lookahead;
ws_rule_f ws_rule_placement, ws_rule_types, ws_rule_pair, ws_rule_slow, ws_rule_hot;
ws_rule_f ws_rule_ranks, ws_rule_synch;

/* ws_sentence() writes a sentence to `to`, the text or the advice of a finding; ws_sentence_more() appends
 * one, after a blank. Text that does not fit is cut. */
void ws_sentence(char to[WS_FINDING_TEXT], const char *words, ...)
    __attribute__((format(printf, 2, 3)));
void ws_sentence_more(char to[WS_FINDING_TEXT], const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Says that there is evidence for a change. */
void ws_found(struct ws_finding *f, double weight, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
/* Says that evidence is missing, and how to get it. weight: of what was seen all the same. */
void ws_not_judged(struct ws_finding *f, double weight, const char *text, const char *advice);
/* Sets the expected gain of a finding. */
void ws_gain(struct ws_finding *f, const char *measure, double least, double most);

/* Returns true if a rule for optimistic runs cannot judge this run: the run is sequential or
 * conservative, has one rank, or its totals are unknown; the finding then says so. */
bool ws_is_elsewhere(struct ws_finding *f, const struct ws_evidence *e);
/* Returns true if the totals of the run are known, and it executed enough events for the rules. */
bool ws_is_known(const struct ws_evidence *e);
/* Returns the mean number of events that a rank executed between two GVT computations. */
double ws_per_round(const struct ws_evidence *e);
/* Returns the number of events per batch that the next run should use. */
double ws_batch_next(const struct ws_evidence *e);
/* Returns the share of the time that undone events took; if times are unknown, of executed events. */
double ws_undone_part(const struct ws_evidence *e);

/* Returns the PE that spent the largest share of its time in a phase, and sets *part to that share.
 * Returns NULL if times are unknown. */
const struct ws_evidence_pe *ws_evidence_worst(const struct ws_evidence *e, enum ws_phase phase,
                                               double *part);
/* Returns the share of all PEs' time that a phase took; NaN if times are unknown. */
double ws_evidence_part(const struct ws_evidence *e, enum ws_phase phase);
/* Returns `value` if it is known, otherwise `other`. */
static inline double ws_or(double value, double other)
{
    return value == value ? value : other;
}

/* Returns true if a PE spends at least the share `least` of its time in a phase, on what the words
 * `on` say, in a run on at least so many ranks, and says so with this advice. */
bool ws_takes(struct ws_finding *f, const struct ws_evidence *e, enum ws_phase phase, double least,
              uint32_t ranks, const char *on, const char *advice);

/* Estimates in seconds (seconds.c), which are known where ws_alone_is_known(); NaN: not known. */

/* Returns what the run needed without recording, and without the time for which ranks had no processor. */
double ws_seconds_free(const struct ws_evidence *e);
/* Returns what recording took, on the PE where that is least. */
double ws_seconds_recording(const struct ws_evidence *e);
/* Returns what conservative ranks with the placement of this run would need. */
double ws_seconds_windows(const struct ws_evidence *e);
/* Returns what s->more_ranks ranks would need with the scheduler and the placement that are the fastest. */
struct ws_better {
    double seconds;
    const char *synch;        /* a constant: "--synch=2" or "--synch=3" */
    const struct ws_more *on; /* borrowed */
    bool is_within;           /* true if LPs are grouped by the lookahead */
};
struct ws_better ws_seconds_more(const struct ws_evidence *e);
/* Returns how many windows a conservative run has until the end by option; checkpoints and moves add some. */
double ws_windows_about(const struct ws_evidence *e);
/* Returns true if one rank is to be advised, instead of the conservative scheduler. */
bool ws_alone_helps(const struct ws_evidence *e);

/* Returns true if the run was long enough for rules about times, and had its processors for itself. */
static inline bool ws_has_times(const struct ws_evidence *e)
{
    return e->run_seconds >= SECONDS_LEAST && e->lost_most < LOST_MUCH;
}

/* Returns true if enough turns with events were timed for what the phases of an event take. */
bool ws_phases_tell(const struct ws_evidence *e);

/* Converts a share to per cent, for use in a sentence. */
static inline double ws_percent(double part)
{
    return 100.0 * part;
}

#endif
