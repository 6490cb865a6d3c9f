/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advise.h - finds options that would make the next run faster, by rules that are applied to the
 * figures of a recording.
 *
 * gather.c collects facts from the counters of the run. study.c adds the facts that other rooms
 * find in passes over the event trace. command.c has the table of rules, and output.c prints the
 * advice. Each subject has one rule, and a rule advises at most one value, so that no two pieces of
 * advice contradict each other.
 */
#ifndef WARPSCOPE_READER_ADVISE_ADVISE_H
#define WARPSCOPE_READER_ADVISE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "figures/evidence.h"

struct ws_figures;
struct ws_covers;
struct ws_file;
struct ws_outs;

#define ADVISE_NAME 64u /* size in bytes of a buffer for the name of an LP type */

/* Facts about the run. A number that is unknown is NaN, or 0 if 0 is not a possible value. */
struct advise_facts {
    /* The evidence that findings rest on, but with the totals at the end of the run, if END blocks state
     * them. */
    struct ws_evidence e;
    /* Options of the run. is_..._given: true if the command line had the option. */
    double batch, gvt_interval;
    bool is_gvt_given, is_batch_given;
    double max_optimism; /* value of --max-opt-lookahead; NaN: not given */
    double span;         /* length of the run in virtual time */

    /* has_bound: true if `bound` could be computed from the trace. bound: bound on optimism, as
     * virtual time beyond GVT, that would have avoided half of the events that stragglers undid; 0:
     * no such bound. */
    bool has_bound;
    double bound;

    /* has_placement: true if METIS found a placement, and its effect could be predicted; otherwise
     * placement_why is the reason. */
    bool has_placement;
    /* True if the placement map could not be written; an error message was printed. */
    bool map_failed;
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

    /* Upper bound on the speed-up over one rank, for any number of ranks. speed_up_why: the reason
     * if it is unknown. */
    double speed_up;
    const char *speed_up_why;
    /* Upper bound, with the recorded placement, of the speed-up over one rank, if each rank
     * executes its events in order. */
    double in_order;
    /* lookahead: smallest offset of an event between two LPs; window_events: mean number of events
     * in a window of that length. */
    double lookahead, window_events;

    /* slow_rank: rank whose events take longest; slow_times: time per event on this rank, as a
     * multiple of the time per event on other ranks. slow_by_types: true if events were compared
     * only with events of the same LP type. */
    uint32_t slow_rank;
    double slow_times;
    bool slow_by_types;
    /* Owned; indexed by rank. shares: share of the work that suits the speed of the rank; costs:
     * cost of an event on the rank, as a multiple of the mean. NULL: no rank is slow. */
    double *shares, *costs;

    /* hot_lp: LP with the most work; hot_part: share of this LP in the work of all LPs. path_lp: LP
     * with the greatest part of the critical path. hot_type, path_type: types of hot_lp and
     * path_lp; "": unknown. */
    uint64_t hot_lp, path_lp;
    char hot_type[ADVISE_NAME], path_type[ADVISE_NAME];
    double hot_part;
    /* hot_by_time: true if work is the time of handlers, false if it is the number of events.
     * path_lps: smallest number of LPs that together make up half of the critical path; 0: unknown,
     * or more than PATH_LPS_FEW. */
    bool hot_by_time;
    uint32_t path_lps;

    /* Number of ranks, larger than that of the run, for which a placement was predicted; 0:
     * none. */
    uint32_t more_ranks;
    /* Prediction for more_ranks ranks. more_remote: share of events that go from one rank to
     * another; more_in_order: bound on the speed-up, defined like `in_order`. */
    double more_remote, more_in_order;

    const char *map; /* borrowed; path to which a placement map is written; NULL: none */
};

/* Result of a rule. */
enum advise_verdict {
    ADVISE_CHANGE,  /* there is evidence for a change, which the advice describes */
    ADVISE_KEEP,    /* there is evidence that no change is needed */
    ADVISE_UNKNOWN, /* evidence is missing; the advice tells how to record it */
    ADVISE_VERDICTS
};

#define ADVISE_TEXT     320u
#define ADVISE_OPTIONS  512u
#define ADVISE_PATH_MAX 400u /* maximum length in bytes of the path of a placement map */

struct advise_item {
    const char *subject; /* name of the rule; a constant */
    enum advise_verdict verdict;
    char evidence[ADVISE_TEXT];    /* sentences with the figures on which the verdict rests */
    char advice[ADVISE_TEXT];      /* sentences; empty if the verdict is ADVISE_KEEP */
    char options[ADVISE_OPTIONS];  /* options to append to the command of the model; empty: none */
    char launcher[ADVISE_OPTIONS]; /* options for the launcher, such as mpirun; empty: none */
    /* True if the advice holds only under a condition, which the advice names; with --options, such
     * advice is omitted. */
    bool has_condition;
    /* measure: name of what the advice saves, a constant such as "executed events"; NULL: no gain
     * is known. least, most: smallest and largest share of it that the advice is expected to save,
     * 0 to 1. */
    const char *measure;
    double least, most;
    double weight; /* importance of the item, 0 to 1 */
};

#define ADVISE_ITEMS_MAX 10u

struct advise_list {
    struct advise_item items[ADVISE_ITEMS_MAX]; /* in descending order of weight */
    uint32_t n;
};

/* Sets the facts that follow from the gathered figures of a run; all other facts become unknown. */
void advise_gather(struct advise_facts *facts, struct ws_figures *run);

/* This function and the next two set the facts that require a pass over the event trace. This one
 * also writes the placement map through `outs` if the placement helps and facts->map is set. */
void advise_study_placement(struct advise_facts *facts, struct ws_file *trace,
                            struct ws_outs *outs);
void advise_study_rollbacks(struct advise_facts *facts, struct ws_file *trace);
void advise_study_model(struct advise_facts *facts, struct ws_file *trace);
/* Predicts a placement on advise_ranks_more() ranks. Must be called after the other studies, which
 * set facts that it needs. */
void advise_study_more(struct advise_facts *facts, struct ws_file *trace);

/* Returns true if the predicted placement is much better than the recorded one. */
bool advise_placement_helps(const struct advise_facts *facts);
/* Returns the share of executed events that were undone; 0 if the share is unknown. */
double advise_wasted(const struct advise_facts *facts);

/* Returns a number of ranks, larger than that of the run, on which the model may run faster; 0:
 * none. */
uint32_t advise_ranks_more(const struct advise_facts *facts);

/* Applies all rules to facts, and fills list with one item per rule. */
void advise_judge(struct advise_list *list, const struct advise_facts *facts);

/* The following functions print the list: as text, as JSON, or only the options for the model, in
 * one line. The second one returns false if memory is exhausted. */
void advise_print_text(const struct ws_file *file, const struct advise_list *list);
bool advise_print_json(const char *path, const struct ws_covers *covers,
                       const struct advise_list *list);
void advise_print_options(const struct advise_list *list);

/* ---- Rules ----------------------------------------------------------------------------------- */

/* A rule sets the verdict of an item and the evidence for it. The gain that it claims is never
 * larger than the number of events, GVT computations or turns that the change can save at most. */

#define EXECUTED_LEAST 1000.0 /* smallest number of executed events for which rules apply */
/* If at least this share of the executed events was undone, rules look for a remedy. */
#define UNDONE_SOME 0.1
/* If at least this share of the executed events was undone, a bound on optimism may help. */
#define UNDONE_MANY    0.2
#define KPS_GOOD       16u  /* default number of KPs per rank */
#define LPS_PER_KP_FEW 8u   /* fewer LPs than this may share one KP without harm */
#define BATCH_GOOD     16.0 /* default number of events per batch */
/* With fewer events per batch than this, the loop of the scheduler costs much time. */
#define BATCH_SMALL 4.0
#define BATCH_LARGE 1024.0 /* with this many events per batch or more, stragglers wait long */
/* Good number of events that a rank executes between two GVT computations. */
#define ROUND_GOOD 1024.0
/* If a rank executes fewer events than this between two GVT computations, the computations cost
 * much time. */
#define ROUND_SMALL 64.0
/* In adaptive runs, a rank never executes more events than this between two GVT computations. */
#define ROUND_LARGE  4096.0
#define WINDOW_SMALL 8.0 /* a conservative window with fewer events per rank is too short */
/* Largest factor by which a bound on optimism may increase the number of GVT computations. */
#define ROUNDS_MORE 4.0
#define ENGINE_NS   500.0 /* approximate time in ns that the engine spends on an event */
/* On a slow rank, handlers take at least this many times as long as on the other ranks. */
#define SLOW_TIMES 1.5
/* Like SLOW_TIMES, but for ranks that are compared by the times of phases, regardless of LP
 * types. */
#define SLOW_PHASES 2.0
/* Smallest load of a hot LP, as a multiple of the mean load of a rank. */
#define HOT_LOAD 1.1
/* The advice names the LPs that make up half of the critical path if there are at most this
 * many. */
#define PATH_LPS_FEW 4u
/* A window is worth a barrier if it has at least this many events per rank. */
#define WINDOW_WIDE 64.0
#define MORE_REMOTE 0.1 /* more ranks are advised only if this share of events or less is remote */
#define MORE_LPS    8u  /* more ranks are advised only if each has at least this number of LPs */

/* advise_say() writes a sentence to `to`, the evidence or advice of an item; advise_say_more()
 * appends one. Text that does not fit is cut. */
void advise_say(char to[ADVISE_TEXT], const char *words, ...) __attribute__((format(printf, 2, 3)));
void advise_say_more(char to[ADVISE_TEXT], const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Says that there is evidence for a change. */
static inline void advise_change(struct advise_item *item, double weight)
{
    item->verdict = ADVISE_CHANGE;
    item->weight = weight;
}
/* Says that evidence is missing, and how to record it. */
void advise_unknown(struct advise_item *item, const char *evidence, const char *advice);
/* Sets the expected gain of an item. */
void advise_gain(struct advise_item *item, const char *measure, double least, double most);

/* Returns true if the totals of the run are known, and it executed enough events for the rules. */
bool advise_is_known(const struct advise_facts *f);
/* Returns the mean number of events that a rank executed between two GVT computations. */
double advise_per_round(const struct advise_facts *f);

/* The rules, each for the subject of its name: in rules.c, for options of the optimistic scheduler and for
 * the choice of the scheduler; in places.c, for ranks and LPs. */
typedef void advise_rule(struct advise_item *item, const struct advise_facts *f);
advise_rule advise_judge_random, advise_judge_kps, advise_judge_optimism, advise_judge_batch,
    advise_judge_gvt, advise_judge_placement, advise_judge_slow, advise_judge_hot,
    advise_judge_ranks, advise_judge_synch;

#endif
