/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - the statements about a run: what its greatest costs are, and what would make the next run
 * faster.
 *
 * findings.c has the table of rules: each subject has one, which makes one statement from the evidence
 * (figures/evidence.h) of a whole run, or of a period of it. The page, "warpscope top", "warpscope stats",
 * "warpscope advise" and the library show the statements of this table, in its words and order. A
 * statement rests on the figures that it names. Where they are unknown, the rule says nothing, or that it
 * has not judged; where they are the same, the statement is the same. No function allocates, prints or
 * keeps state.
 */
#ifndef WARPSCOPE_READER_FINDINGS_FINDINGS_H
#define WARPSCOPE_READER_FINDINGS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "figures/values.h"
#include "text/json.h"

#define WS_FINDING_TEXT    640u
#define WS_FINDING_OPTIONS 512u
#define WS_FINDINGS_MAX    25u
#define WS_MAP_PATH_MAX    400u /* maximum length in bytes of the path of a placement map */

enum ws_verdict {
    WS_CHANGE,  /* there is evidence for a change, which the advice describes */
    WS_KEEP,    /* there is evidence that no change is needed */
    WS_UNKNOWN, /* not judged: evidence is missing; the advice tells how to get it */
    WS_VERDICTS
};

struct ws_finding {
    const char *rule; /* name of the rule, the subject; a constant */
    const char *view; /* name of the view that shows details in a report; a constant */
    enum ws_verdict verdict;
    /* Share of the run's time that the change may save, 0 to 1; where times are unknown, of its work.
     * With the verdict WS_UNKNOWN: that the costs seen have; 0: none was seen. */
    double weight;
    /* Range of wall-clock time that the finding concerns, in seconds; from == to: the whole run. */
    double from, to;
    char text[WS_FINDING_TEXT];       /* sentences with the figures that the verdict rests on */
    char advice[WS_FINDING_TEXT];     /* sentences; empty if the verdict is WS_KEEP */
    char options[WS_FINDING_OPTIONS]; /* options to append to the command of the model; "": none */
    char launcher[64];                /* options for the launcher, such as mpirun; "": none */
    /* True if the advice holds only under a condition, which the advice names. */
    bool has_condition;
    /* measure: name of what the advice saves, a constant such as "executed events"; NULL: no gain
     * is known. least, most: smallest and largest share of it that the advice is expected to save,
     * 0 to 1. */
    const char *measure;
    double least, most;
};

/* Applies all rules, and stores the statements in list: those about one rank, about what is missing and
 * about other programs first, then in descending order of weight. Returns their number. */
size_t ws_findings_judge(const struct ws_evidence *evidence,
                         struct ws_finding list[WS_FINDINGS_MAX]);
/* The same, but only those statements that views show: the one about one rank, changes, and costs whose
 * remedy was not judged. Returns their number, at most max. */
size_t ws_findings_find(const struct ws_evidence *evidence, struct ws_finding *list, size_t max);

/* Stores the advice in `to`, with what it is expected to save. Returns `to`. */
const char *ws_finding_advice(char to[WS_FINDING_TEXT], const struct ws_finding *finding);
/* Writes statements as the array "findings". */
void ws_findings_json(struct json_writer *json, const struct ws_finding *list, size_t n);
extern const char *const ws_verdict_names[WS_VERDICTS];

/* Writes the statements that views show as the array "findings". */
void ws_findings_put(struct json_writer *json, const struct ws_evidence *evidence);
/* Writes all that "warpscope stats" says of n streams, which were opened, as one JSON object: their sums,
 * the statements if they are of one run, and what they cover. Returns false if out of memory. */
bool ws_stats_json(struct json_writer *json, struct ws_file *streams, size_t n,
                   struct ws_select *select, struct ws_stats_options *options);

/* Returns the name of rule number i, or NULL if there is none. For documentation and tests. */
const char *ws_findings_rule(size_t i);

/* ---- What "warpscope advise" asks before it studies a trace ----------------------------------- */

/* If at least this share of the executed events was undone, a bound on optimism may help. */
#define WS_UNDONE_MANY 0.2
/* On a slow rank, handlers take at least this many times as long as on the other ranks. */
#define WS_SLOW_TIMES 1.5
/* The advice names the LPs that make up half of the critical path if there are at most this
 * many. */
#define WS_PATH_LPS_FEW 4u

/* Returns why the records do not tell of all ranks and LPs, in the words after "since"; NULL if they do. */
const char *ws_evidence_lacks(const struct ws_evidence *e);
/* Returns the share of executed events that were undone; 0 if the share is unknown. */
double ws_evidence_wasted(const struct ws_evidence *e);
/* Returns the number of KPs per rank that the next run should have; 0: unknown. */
uint64_t ws_kps_next(const struct ws_evidence *e);
/* Returns true if the run is conservative, or is to be. */
bool ws_is_by_lookahead(const struct ws_evidence *e);
/* Returns true if the conservative scheduler is to be advised, by its lookahead. */
bool ws_windows_help(const struct ws_evidence *e);
/* Returns true if a placement was predicted that is much better than the recorded one. */
bool ws_placement_helps(const struct ws_evidence *e);
/* Returns a number of ranks, larger than that of the run, on which the model may run faster; 0:
 * none. */
uint32_t ws_ranks_more(const struct ws_evidence *e);
/* Returns what one rank would need, in seconds (seconds.c). */
double ws_seconds_alone(const struct ws_evidence *e);
/* Returns true if that is known. */
bool ws_alone_is_known(const struct ws_evidence *e);

#endif
