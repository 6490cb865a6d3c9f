/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence.h - the figures from which findings and advice follow: of a recording, or of a run that goes
 * on. Unknown figures are NaN, or 0 if 0 is not a possible value; rules that need them find nothing.
 */
#ifndef WARPSCOPE_READER_FIGURES_EVIDENCE_H
#define WARPSCOPE_READER_FIGURES_EVIDENCE_H

#include <stddef.h>

#include "access/facts.h"
#include "figures/counts.h"

struct ws_evidence_pe {
    uint32_t pe;
    struct ws_reals sum;           /* its counts */
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

    /* From the ends of the PEs: the time in seconds that executing the committed events and the
     * pending queues took, on all PEs together; the share of the time for which PEs were ready but
     * other threads ran, of all and of PE lost_pe, which has the largest. */
    double alone_seconds, lost_part, lost_most;
    uint32_t lost_pe;

    double run_seconds; /* wall-clock time that the PEs' times cover, in seconds; NaN: unknown */

    struct ws_reals sum; /* totals of all PEs; of GVT computations, the largest number of a PE */

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

    double records_lost;    /* number of records that the run dropped */
    double records_damaged; /* number of records that are missing because of damage */
    bool loss_unknown;
    uint64_t blocks_damaged; /* number of damaged blocks found only while decoding records */
    uint32_t pes_open;       /* number of PEs without an END block */
};

/* Sets all figures to unknown. */
void ws_evidence_init(struct ws_evidence *evidence);

/* Sets those figures that a recording states as facts. */
void ws_evidence_facts(struct ws_evidence *evidence, const struct fmt_superblock *sb);

#endif
