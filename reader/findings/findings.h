/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - what costs a run most: sentences, each with its figure and what to try.
 *
 * A caller gathers the evidence it has: numbers of a run, or of a part of it. Numbers that it does
 * not know are NaN (ws_evidence_init()); rules that need them find nothing. rules.c has the table
 * of rules. No function allocates, prints or keeps state.
 */
#ifndef WARPSCOPE_READER_FINDINGS_FINDINGS_H
#define WARPSCOPE_READER_FINDINGS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ws_scheduler {
    WS_SCHED_UNKNOWN,
    WS_SCHED_SEQUENTIAL,
    WS_SCHED_CONSERVATIVE,
    WS_SCHED_OPTIMISTIC
};

/* Phases of a PE's time that rules use; others count only in the total. */
enum ws_evidence_phase {
    WS_PHASE_NETWORK, /* taking in messages */
    WS_PHASE_GVT,     /* computing GVT, waiting for other PEs in it included */
    WS_PHASE_EXECUTE, /* executing events */
    WS_PHASE_UNDO,    /* undoing events */
    WS_PHASE_STATES,  /* saving and restoring states */
    WS_PHASE_RECORDS, /* writing instrumentation data */
    WS_PHASE_REST,    /* waiting, scheduling */
    WS_PHASE_COUNT
};

struct ws_evidence_pe {
    uint32_t pe;
    double executed, committed;    /* events; NaN: unknown */
    double phases[WS_PHASE_COUNT]; /* seconds */
    double seconds;                /* of all phases; NaN: unknown */
};

struct ws_evidence {
    enum ws_scheduler scheduler;
    uint32_t ranks, processors; /* 0: unknown; processors of the only host, 0 with several */
    uint64_t kps_per_pe;        /* 0: unknown */
    uint64_t lps;               /* that exist; 0: unknown */
    double lookahead;           /* of the model, in virtual time */
    bool phases_exact;          /* each phase was timed (--phase-times=exact) */
    bool random_rollbacks;      /* made on purpose (--random-rollbacks) */

    double run_seconds; /* wall clock that the times of PEs cover; NaN: unknown */

    /* Totals of all PEs */
    double executed, undone; /* events */
    double rollbacks, secondary;
    double gvts;   /* computations */
    double remote; /* events sent to other ranks */

    const struct ws_evidence_pe *pes; /* borrowed */
    size_t n_pes;

    /* The KP with the most rollbacks, and their number; KPs of which there are records. */
    uint32_t kp_pe;
    uint64_t kp;
    double kp_rollbacks;
    uint64_t kps;

    /* Of the rollbacks with a known source: their number, and those by events from PE pair_from on
     * PE pair_to, the pair with the most. */
    double pair_all, pair_most;
    uint32_t pair_from, pair_to;
    uint32_t pairs; /* pairs with rollbacks */

    /* The LP with the most events, and their number. */
    uint64_t lp;
    double lp_events, lps_events; /* its own, those of all LPs */

    /* Of the remote events with known types: their number, and those from the type of the sender to
     * that of the receiver, the pair with the most. */
    double types_all, types_most;
    const char *type_from, *type_to; /* borrowed */
    uint32_t types;                  /* types of LPs */

    double offset_mean, offset_least; /* of events, in virtual time */

    /* The tenth of the run, by wall clock, with the lowest efficiency in per cent. */
    double low_from, low_to, low_efficiency;

    /* Mean pending events per PE in the first, middle and last fifth of the run. */
    double queue_first, queue_middle, queue_last;

    double records_lost; /* dropped, or lost to damage */
    bool loss_unknown;
    uint64_t blocks_damaged; /* noticed only when their records were read */
    uint32_t pes_open;       /* PEs that did not end their part */
};

/* Sets all numbers to unknown. */
void ws_evidence_init(struct ws_evidence *evidence);

#define WS_FINDING_TEXT 256u
#define WS_FINDINGS_MAX 32u

struct ws_finding {
    const char *rule; /* name of the rule, constant */
    const char *view; /* the view of a report that shows more, constant */
    double weight;    /* 0 to 1: part of the run's time or work that it concerns */
    double from, to;  /* the wall clock that it concerns, in seconds; equal: all of the run */
    char text[WS_FINDING_TEXT];   /* a sentence with the figure; UTF-8 */
    char advice[WS_FINDING_TEXT]; /* remedy to try, a sentence; UTF-8 */
};

/* Writes the findings, the heaviest first. Returns their number, at most max. */
size_t ws_findings_find(const struct ws_evidence *evidence, struct ws_finding *list, size_t max);

/* The table of rules, for documentation and tests. Returns the name of rule number i, or NULL. */
const char *ws_findings_rule(size_t i);

/* Returns the efficiency in per cent as base/efficiency.h of the engine defines it; 0 where that is
 * negative. */
double ws_findings_efficiency(double executed, double undone);

#endif
