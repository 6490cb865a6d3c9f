/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advise.h - advice on options that would make the next run faster: rules over the figures of a
 * recording.
 *
 * gather.c collects the facts. study.c adds those that need a pass over the trace by another room.
 * judge.c has the table of rules, output.c prints. Each subject has one rule, and a rule advises at
 * most one value, so that no two pieces of advice contradict each other.
 */
#ifndef WARPSCOPE_READER_ADVISE_ADVISE_H
#define WARPSCOPE_READER_ADVISE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report_run;
struct ws_file;
struct ws_outs;

#define ADVISE_NAME 64u /* bytes of the name of a type */

/* Facts about the run. Unknown numbers are NaN, or 0 where 0 is not a possible value. */
struct advise_facts {
    bool is_optimistic, is_conservative, is_sequential;
    uint32_t ranks, processors;
    uint64_t lps, kps; /* LPs of the run; KPs per rank */
    /* Options of the run. is_..._given: true if the command line had the option. */
    double batch, gvt_interval;
    bool is_gvt_given, is_batch_given, is_random;
    double max_optimism; /* --max-opt-lookahead; NaN: not given */

    /* Totals of all PEs at the end of the run. rounds: GVT computations. */
    double executed, undone, remote, rounds;
    double span; /* virtual time of the run */

    /* Executed events of the busiest LP, and of all LPs. */
    uint64_t lp;
    double lp_events, lps_events;

    const char *trace; /* path of the event trace, borrowed; NULL: none */

    /* Bound of optimism that would have avoided half of the events that stragglers undid; 0:
     * none. */
    bool has_bound;
    double bound;

    /* Prediction for a placement by METIS. placement_why: the reason if there is none. */
    bool has_placement;
    bool map_failed; /* the map could not be written; a message was printed */
    const char *placement_why;
    /* True if the load of an LP is the time of its handlers, false if it is their number. */
    bool is_by_time;
    /* Events in the trace; events between ranks, recorded and predicted. */
    double events, remote_now, remote_new;
    /* Load of the busiest rank as a multiple of the mean, recorded and predicted. */
    double balance_now, balance_new;

    /* Bound of the speed-up with any number of ranks. speed_up_why: the reason if it is unknown. */
    double speed_up;
    const char *speed_up_why;
    /* Bound of the speed-up with the recorded placement if each rank executes its events in
     * order. */
    double in_order;
    /* Least offset between LPs, and mean number of events in a window of that length. */
    double lookahead, window_events;

    /* The rank whose events take longest, and by what factor they exceed those of other ranks.
     * by_types: true if events were compared with those of the same type of LP. */
    uint32_t slow_rank;
    double slow_times;
    bool slow_by_types;
    /* Owned; for each rank, its share of the work according to its speed, and the cost of an event
     * as a multiple of the mean. NULL: no rank is slow. */
    double *shares, *costs;

    /* The LP with the most work, and its share of all work. The LP with the greatest part of the
     * critical path, and the least number of LPs that have half of the path. Types are empty if
     * unknown. */
    uint64_t hot_lp, path_lp;
    char hot_type[ADVISE_NAME], path_type[ADVISE_NAME];
    double hot_part;
    /* True if work is the time of handlers, false if it is the number of events. */
    bool hot_by_time;
    uint32_t path_lps;

    /* Prediction for more ranks; more_ranks is 0 if there is none. */
    uint32_t more_ranks;
    /* Share of remote events; bound of the speed-up as in in_order. */
    double more_remote, more_in_order;

    const char *map; /* borrowed; file for the placement; NULL: it is not written */
};

/* Result of a rule. */
enum advise_verdict {
    ADVISE_CHANGE,  /* there is evidence for a change, and advice */
    ADVISE_KEEP,    /* there is evidence that no change is needed */
    ADVISE_UNKNOWN, /* evidence is missing; the advice states how to record it */
    ADVISE_VERDICTS
};

#define ADVISE_TEXT     320u
#define ADVISE_OPTIONS  512u
#define ADVISE_PATH_MAX 400u /* greatest length of the path of a map */

struct advise_item {
    const char *subject; /* constant */
    enum advise_verdict verdict;
    char evidence[ADVISE_TEXT];    /* a sentence with the figures */
    char advice[ADVISE_TEXT];      /* a sentence; empty with ADVISE_KEEP */
    char options[ADVISE_OPTIONS];  /* options for the model's command; empty: none */
    char launcher[ADVISE_OPTIONS]; /* options for the launcher; empty: none */
    /* True if the advice depends on a condition that it names; --options omits it. */
    bool has_condition;
    /* Expected gain: the share of counted events or other items that the advice saves, 0 to 1. */
    /* Name of the counted items; a constant such as "executed events"; NULL: there is no figure. */
    const char *measure;
    double least, most;
    double weight; /* importance, 0 to 1 */
};

#define ADVISE_ITEMS_MAX 10u

struct advise_list {
    struct advise_item items[ADVISE_ITEMS_MAX]; /* in descending order of weight */
    uint32_t n;
};

/* Sets the facts that follow from the gathered figures of a run. */
void advise_gather(struct advise_facts *facts, struct report_run *run);

/* Set the facts that require a pass over the event trace. */
void advise_study_placement(struct advise_facts *facts, struct ws_file *trace,
                            struct ws_outs *outs);
void advise_study_rollbacks(struct advise_facts *facts, struct ws_file *trace);
void advise_study_model(struct advise_facts *facts, struct ws_file *trace);
/* Predicts a placement on advise_ranks_more() ranks. Must be called after the other studies. */
void advise_study_more(struct advise_facts *facts, struct ws_file *trace);

/* Returns true if the predicted placement is much better than the recorded one. */
bool advise_placement_helps(const struct advise_facts *facts);
/* Returns the share of executed events that were undone; 0 if it is unknown. */
double advise_wasted(const struct advise_facts *facts);

/* Returns a number of ranks, greater than that of the run, that the model may allow; 0: none. */
uint32_t advise_ranks_more(const struct advise_facts *facts);

/* Applies all rules. */
void advise_judge(struct advise_list *list, const struct advise_facts *facts);

/* Print the list: as text, as JSON, or only the options for the model, in one line. The first two
 * return false if memory is exhausted. */
bool advise_print_text(const struct ws_file *file, const struct advise_list *list);
bool advise_print_json(const char *path, const struct advise_list *list);
void advise_print_options(const struct advise_list *list);

#endif
