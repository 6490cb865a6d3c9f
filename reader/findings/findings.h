/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - finds the greatest costs of a run. A finding is a sentence with a figure, and a
 * remedy to try.
 *
 * The caller gathers the evidence: figures of a whole run, or of a period of it. Unknown figures
 * are NaN (ws_evidence_init()), and rules that need them find nothing. findings.c has the table of
 * rules. No function allocates, prints or keeps state.
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

/* Phases of a PE's time that rules use. The times of other phases count only in the total. */
enum ws_evidence_phase {
    WS_PHASE_NETWORK, /* receiving messages */
    WS_PHASE_GVT,     /* computing GVT, including waits for other PEs */
    WS_PHASE_EXECUTE, /* executing events */
    WS_PHASE_UNDO,    /* undoing events */
    WS_PHASE_STATES,  /* saving and restoring states */
    WS_PHASE_RECORDS, /* writing instrumentation data */
    WS_PHASE_REST,    /* waiting, scheduling */
    WS_PHASE_COUNT
};

struct ws_evidence_pe {
    uint32_t pe;
    double executed, committed;    /* number of executed, and of committed events; NaN: unknown */
    double phases[WS_PHASE_COUNT]; /* [phase]: time in the phase, in seconds */
    double seconds;                /* time in all phases, in seconds; NaN: unknown */
};

struct ws_evidence {
    enum ws_scheduler scheduler;
    /* Number of ranks and of processors; 0: unknown. processors is also 0 if the run had several
     * hosts. */
    uint32_t ranks, processors;
    uint64_t kps_per_pe;   /* number of KPs per PE; 0: unknown */
    uint64_t lps;          /* number of LPs of the run; 0: unknown */
    double lookahead;      /* the lookahead that the model declares, in virtual time */
    bool phases_exact;     /* true if each phase was timed (--phase-times=exact) */
    bool random_rollbacks; /* true if rollbacks were forced (--random-rollbacks) */

    double run_seconds; /* wall-clock time that the PEs' times cover, in seconds; NaN: unknown */

    /* Totals of all PEs. */
    double executed, undone; /* number of executed, and of undone events */
    double rollbacks, secondary;
    double gvts;   /* number of GVT computations */
    double remote; /* number of events sent to other ranks */

    const struct ws_evidence_pe *pes; /* borrowed; n_pes elements */
    size_t n_pes;

    /* The KP with the most rollbacks has number `kp` within PE kp_pe, and kp_rollbacks rollbacks.
     * kps: number of KPs with records. */
    uint32_t kp_pe;
    uint64_t kp;
    double kp_rollbacks;
    uint64_t kps;

    /* pair_all: number of rollbacks with a known source. pair_most: number of those that events
     * from PE pair_from caused on PE pair_to; no pair of PEs has a larger number. */
    double pair_all, pair_most;
    uint32_t pair_from, pair_to;
    uint32_t pairs; /* number of pairs of PEs (sender, receiver) whose events caused rollbacks */

    /* The LP with the most events. */
    uint64_t lp;
    double lp_events, lps_events; /* number of events of that LP, and of all LPs */

    /* types_all: number of remote events with known LP types. types_most: number of those from LP
     * type type_from to type_to; no pair of types has a larger number. */
    double types_all, types_most;
    const char *type_from, *type_to; /* borrowed; names of LP types; NULL: unknown */
    uint32_t types;                  /* number of LP types */

    double offset_mean, offset_least; /* mean and smallest offset of events, in virtual time */

    /* Beginning and end of the tenth of the run with the lowest efficiency, in seconds of
     * wall-clock time, and that efficiency in per cent. */
    double low_from, low_to, low_efficiency;

    /* Mean number of pending events per PE in the first, middle and last fifth of the run. */
    double queue_first, queue_middle, queue_last;

    double records_lost; /* number of records dropped, or lost to damage */
    bool loss_unknown;
    uint64_t blocks_damaged; /* number of damaged blocks found only while decoding records */
    uint32_t pes_open;       /* number of PEs without an END block */
};

/* Sets all figures to unknown. */
void ws_evidence_init(struct ws_evidence *evidence);

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

/* Returns the efficiency in per cent as base/efficiency.h of the engine defines it; 0 if that value
 * is negative. */
double ws_findings_efficiency(double executed, double undone);

#endif
