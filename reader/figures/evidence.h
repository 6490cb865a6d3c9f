/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence.h - the figures from which findings follow: of a recording, or of a run that goes on. Unknown
 * figures are NaN, or 0 if 0 is not a possible value; rules that need them find nothing.
 *
 * Every command has the facts and the counters at the end of the run, and what its records add.
 * struct ws_study has what takes further passes over an event trace: only "warpscope advise" makes them.
 */
#ifndef WARPSCOPE_READER_FIGURES_EVIDENCE_H
#define WARPSCOPE_READER_FIGURES_EVIDENCE_H

#include <stddef.h>

#include "access/facts.h"
#include "figures/counts.h"

struct ws_evidence_pe {
    uint32_t pe;
    struct ws_reals sum;           /* its counts; NaN: unknown */
    double phases[WS_PHASE_COUNT]; /* [phase]: time in the phase, in seconds */
    double seconds;                /* time in all phases, in seconds; 0: unknown */
    double lost; /* share of its time for which it was ready, but other threads ran; NaN: unknown */
};

#define WS_STUDY_NAME 64u /* size in bytes of a buffer for the name of an LP type */

/* A placement on more ranks. remote: share of events that go from one rank to another; offset: their least
 * offset; in_order: upper bound on the speed-up over one rank, if each rank executes its events in order, 0:
 * not known; balance: load of the busiest rank, as a multiple of the mean. */
struct ws_more {
    double remote, offset, in_order, balance;
};

/* Passes over an event trace add these figures. */
struct ws_study {
    /* has_bound: true if `bound` could be computed from the trace. bound: bound on optimism, as
     * virtual time beyond GVT, that would have avoided half of the events that stragglers undid; 0:
     * no such bound. */
    bool has_bound;
    double bound;

    /* has_placement: true if METIS found a placement, and its effect could be predicted; otherwise
     * placement_why is the reason. */
    bool has_placement;
    const char *placement_why;
    /* True if the load of an LP is the time of its handlers; false if it is the number of its
     * events. */
    bool is_by_time;
    /* events: number of events in the trace; remote_now: number of events between ranks with the
     * recorded placement; remote_new: that number with the predicted placement. */
    double events, remote_now, remote_new;
    /* Load of the busiest rank, as a multiple of the mean load or, if `shares` is set, of the load
     * that suits the speed of that rank. balance_now: with the recorded placement; balance_new:
     * with the predicted one. */
    double balance_now, balance_new;
    double offset_new; /* least offset of an event between the predicted ranks; NaN: unknown */
    const char *map;   /* borrowed; path to which a placement map is written; NULL: none */

    /* Upper bound on the speed-up over one rank, for any number of ranks. speed_up_why: the reason
     * if it is unknown. */
    double speed_up;
    const char *speed_up_why;
    /* lookahead: smallest offset of an event between two LPs; window_events: mean number of events
     * in a window of that length. */
    double lookahead, window_events;

    /* slow_rank: rank whose events take longest; slow_times: time per event on this rank, as a
     * multiple of the time per event on other ranks, for the same LP types. */
    uint32_t slow_rank;
    double slow_times;
    /* Owned; indexed by rank. shares: share of the work that suits the speed of the rank; costs:
     * cost of an event on the rank, as a multiple of the mean. NULL: no rank is slow. */
    double *shares, *costs;

    /* hot_lp: LP with the most work; hot_part: share of this LP in the work of all LPs. path_lp: LP
     * with the greatest part of the critical path. path_type: its type; "": unknown. */
    uint64_t hot_lp, path_lp;
    char path_type[WS_STUDY_NAME];
    double hot_part;
    /* hot_by_time: true if work is the time of handlers, false if it is the number of events.
     * path_lps: smallest number of LPs that together make up half of the critical path; 0: unknown,
     * or more than WS_PATH_LPS_FEW. */
    bool hot_by_time;
    uint32_t path_lps;

    /* Number of ranks, larger than that of the run, for which a placement was predicted; 0:
     * none. */
    uint32_t more_ranks;
    /* Predictions for more_ranks ranks, with placements that METIS finds: in [1], LPs between which offsets
     * are below the lookahead are on one rank, unless that holds for [0]. */
    struct ws_more more[2];
    /* Predicted time in seconds (predict/predict.h) of optimistic and of conservative runs on more_ranks
     * ranks, and of a conservative run on as many ranks as this one; 0: not predicted. */
    double more_optimistic, more_windows, windows;
    double n_windows; /* number of windows of these; 0: not predicted */
};

struct ws_evidence {
    enum ws_scheduler scheduler;
    /* Number of ranks and of processors; 0: unknown. processors is also 0 if the run had several
     * hosts. */
    uint32_t ranks, processors;
    uint64_t kps_per_pe;   /* number of KPs per PE; 0: unknown */
    uint64_t lps;          /* number of LPs of the run; 0: unknown */
    double lookahead;      /* the lookahead of the model or of its option, in virtual time */
    double planned;        /* virtual time from the begin of the run to its end by option */
    bool phases_exact;     /* true if each phase was timed (--phase-times=exact) */
    bool random_rollbacks; /* true if rollbacks were forced (--random-rollbacks) */
    bool handlers_timed;   /* true if an event trace has the times of handlers */
    double stride;         /* phases were timed in one of so many turns of the scheduler's loop */
    /* Mean time of handlers in an event trace, in seconds, but for those that may have been interrupted;
     * with the time to put events in the queue and to save states. 0: unknown. */
    double handler_seconds;
    /* Options of the run. is_..._given: true if the command line had the option. */
    double batch, gvt_interval;
    bool is_gvt_given, is_batch_given;
    double max_optimism; /* value of --max-opt-lookahead; NaN: not given */

    /* From the ends of the PEs: the time in seconds that executing the committed events and the
     * pending queues took, on all PEs together; the share of the time for which PEs were ready but
     * other threads ran, of all and of PE lost_pe, which has the largest; for which ranks shared processors
     * on purpose, so that some of those threads were ranks; number of saved states; of events that were
     * sent to other ranks with an offset of at least the lookahead. */
    double alone_seconds, lost_part, lost_most, shared_part, state_saves, lookahead_kept;
    uint32_t lost_pe;
    bool has_ends;  /* true if the ends of all PEs were taken */
    bool has_times; /* true if they have the times of phases */

    double run_seconds; /* wall-clock time that the PEs' times cover, in seconds; NaN: unknown */
    double span;        /* length of the run in virtual time */

    struct ws_reals sum; /* totals of all PEs; of GVT computations, the largest number of a PE */

    struct ws_evidence_pe *pes; /* owned; n_pes elements, in no particular order */
    size_t n_pes;

    /* The KP with the most rollbacks has number `kp` within PE kp_pe, and kp_rollbacks of the kp_all
     * rollbacks that were recorded. kps: number of KPs with records. */
    uint32_t kp_pe;
    uint64_t kp;
    double kp_rollbacks, kp_all;
    uint64_t kps;

    /* pair_all: number of rollbacks with a known source. pair_most: number of those that events
     * from PE pair_from caused on PE pair_to; no pair of PEs has a larger number. */
    double pair_all, pair_most;
    uint32_t pair_from, pair_to;
    uint32_t pairs; /* number of pairs of PEs (sender, receiver) whose events caused rollbacks */

    /* The LP with the most events. */
    uint64_t lp;
    double lp_events, lps_events;     /* number of events of that LP, and of all LPs */
    const struct fmt_desc_set *names; /* borrowed; names of LPs (data/lp_names.h); NULL: unknown */

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
    uint32_t pes_open;       /* number of PEs without an END block, but for those in pes_absent */
    uint32_t pes_absent;     /* number of PEs that recorded on disks of other hosts */
    bool is_running;         /* true if the run is still going on: what is missing is no loss */
    bool is_chosen;          /* true if PEs, KPs, LPs or types of LPs were selected */

    const struct ws_study *study; /* borrowed; NULL: this command makes no further passes */
};

/* Sets all figures to unknown. */
void ws_evidence_init(struct ws_evidence *evidence);

void ws_evidence_free(struct ws_evidence *evidence);

/* Sets those figures that a recording states as facts. May be called for each stream of a run. */
void ws_evidence_facts(struct ws_evidence *evidence, const struct fmt_superblock *sb);

/* Sets values[i] to the counter names[i] at the end of a PE in a stream, `of`. Returns false if the
 * stream has no counters there. */
typedef bool ws_end_f(void *of, uint32_t pe, const char *const names[], uint64_t values[],
                      size_t n);
/* Takes the counters at the ends of all PEs, if the stream has them; real_time: when it ended, in
 * seconds. They hold for the whole run, and stand above all samples. */
void ws_evidence_ends(struct ws_evidence *evidence, ws_end_f *end, void *of, double real_time);

/* Returns the element of a PE, which is made if there is none; NULL if memory is exhausted. */
struct ws_evidence_pe *ws_evidence_pe(struct ws_evidence *evidence, uint32_t pe);

struct ws_file;
struct ws_select;
struct ws_stats_sums;
/* Takes the facts, the ends of PEs, the losses and the totals of a stream. Where several streams state the
 * same, the first call sets it. Returns false if memory is exhausted. */
bool ws_evidence_stream(struct ws_evidence *evidence, struct ws_file *file,
                        const struct ws_stats_sums *sums, const struct ws_select *select);
/* Returns true if n streams, some of which may be unreadable, are of one run. */
bool ws_evidence_is_of_one_run(const struct ws_file *streams, size_t n);

#endif
