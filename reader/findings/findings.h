/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - finds the greatest costs of a run. A finding is a sentence with a figure, and a
 * remedy to try.
 *
 * The evidence (figures/evidence.h) is of a whole run, or of a period of it. Rules that need unknown
 * figures find nothing. findings.c has the table of rules. No function allocates, prints or keeps
 * state.
 */
#ifndef WARPSCOPE_READER_FINDINGS_FINDINGS_H
#define WARPSCOPE_READER_FINDINGS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "figures/evidence.h"

#define WS_FINDING_TEXT 256u
#define WS_FINDINGS_MAX 32u

struct ws_finding {
    const char *rule; /* name of the rule; a constant */
    const char *view; /* name of the view that shows details in a report; a constant */
    double weight;    /* 0 to 1: share of the run's time or work that the finding concerns */
    /* Range of wall-clock time that the finding concerns, in seconds; from == to: the whole run. */
    double from, to;
    char text[WS_FINDING_TEXT];   /* a sentence that states the finding with a figure; UTF-8 */
    char advice[WS_FINDING_TEXT]; /* a sentence that advises a remedy; UTF-8 */
};

/* Stores the findings in list, in descending order of weight. Returns their number, at most max. */
size_t ws_findings_find(const struct ws_evidence *evidence, struct ws_finding *list, size_t max);

/* Returns the name of rule number i, or NULL if there is none. For documentation and tests. */
const char *ws_findings_rule(size_t i);

#endif
