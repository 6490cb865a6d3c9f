/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - the rules by subject, and functions that rules share. Used only in reader/findings. A
 * rule returns true if it has a finding; it then sets weight, text and advice of f.
 */
#ifndef WARPSCOPE_READER_FINDINGS_RULES_H
#define WARPSCOPE_READER_FINDINGS_RULES_H

#include "findings/findings.h"

typedef bool (*ws_rule_f)(const struct ws_evidence *e, struct ws_finding *f);

/* Defined in rollbacks.c. */
bool ws_rule_efficiency(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_efficiency_period(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_rollback_kp(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_rollback_pair(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_rollback_secondary(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_rollback_random(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_reverse_slow(const struct ws_evidence *e, struct ws_finding *f);

/* Defined in times.c. */
bool ws_rule_gvt_time(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_gvt_often(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_gvt_rare(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_waiting(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_crowded(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_network_time(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_state_saving(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_recording_time(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_phases_exact(const struct ws_evidence *e, struct ws_finding *f);

/* Defined in balance.c. */
bool ws_rule_imbalance(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_busiest_lp(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_type_traffic(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_remote(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_queue_grows(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_lookahead(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_records_lost(const struct ws_evidence *e, struct ws_finding *f);
bool ws_rule_incomplete(const struct ws_evidence *e, struct ws_finding *f);

/* Sets the text of a finding, made from the printf() format `words`. */
void ws_finding_text(struct ws_finding *f, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the advice of a finding, made from the printf() format `words`. */
void ws_finding_advice(struct ws_finding *f, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the PE that spent the largest share of its time in a phase, and sets *part to that share.
 * Returns NULL if times are unknown. */
const struct ws_evidence_pe *ws_evidence_worst(const struct ws_evidence *e, enum ws_phase phase,
                                               double *part);
/* Returns the share of all PEs' time that a phase took; NaN if times are unknown. */
double ws_evidence_part(const struct ws_evidence *e, enum ws_phase phase);

/* Converts a share to per cent, for use in a sentence. */
static inline double ws_percent(double part)
{
    return 100.0 * part;
}

#endif
