/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - the rules by subject, and functions that they share. Used only in reader/findings. A
 * rule returns true if it has a finding; it then sets weight, text and advice of f.
 */
#ifndef WARPSCOPE_READER_FINDINGS_RULES_H
#define WARPSCOPE_READER_FINDINGS_RULES_H

#include "findings/findings.h"

/* A rule. view: name of the view with details on the page of "warpscope report". */
struct ws_rule {
    const char *name, *view;
    bool (*find)(const struct ws_evidence *e, struct ws_finding *f);
};

/* The rules by subject; an element without a name ends each list. The first and the last list are
 * in balance.c. */
extern const struct ws_rule ws_loss_rules[], ws_rollback_rules[], ws_time_rules[],
    ws_balance_rules[];

/* Sets the weight of a finding, its advice, and its text, made from the printf() format `words`. advice
 * NULL: ws_finding_advice() sets it. Returns true. */
bool ws_found(struct ws_finding *f, double weight, const char *advice, const char *words, ...)
    __attribute__((format(printf, 4, 5)));
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
