/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advise.h - which options would make the next run faster: rules over the figures of a recording.
 *
 * gather.c collects the facts, study.c those that need a pass of another room over the trace,
 * judge.c has the table of rules, output.c prints. Each subject has one rule, and a rule advises at
 * most one value, so no two advices contradict each other.
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

/* Numbers that are not known are NaN, or 0 where 0 is not a value. */
struct advise_facts {
    bool is_optimistic, is_conservative, is_sequential;
    uint32_t ranks, processors;
    uint64_t lps, kps; /* LPs of the run; KPs per rank */
    /* Options of the run; is_..._given: the command line had them. */
    double batch, gvt_interval;
    bool is_gvt_given, is_batch_given, is_random;
    double max_optimism; /* --max-opt-lookahead; NaN: not given */

    /* Totals of all PEs at the end of the run. */
    double executed, undone, remote, rounds;
    double span; /* virtual time of the run */

    /* Executed events of the busiest LP, and of all LPs. */
    uint64_t lp;
    double lp_events, lps_events;

    const char *trace; /* path of the event trace, borrowed; NULL: none */

    /* Of the events that stragglers undid, the bound of optimism that avoids half; 0: none. */
    bool has_bound;
    double bound;

    /* Prediction for a placement of METIS. placement_why: reason for which there is none. */
    bool has_placement;
    bool map_failed; /* the map could not be written; a message was printed */
    const char *placement_why;
    bool is_by_time; /* the load of an LP is the time of its handlers, otherwise its events */
    double events, remote_now, remote_new; /* events in the trace, those between ranks */
    double balance_now, balance_new;       /* load of the busiest rank, as a multiple of the mean */

    /* Speed-up that no number of ranks can pass. speed_up_why: reason for which it is not known. */
    double speed_up;
    const char *speed_up_why;
    double in_order; /* speed-up of ranks as they were that keep to the order of events */
    /* Least offset between LPs, and mean number of events in a window of that length. */
    double lookahead, window_events;

    /* The rank whose events take longest, as a multiple of those of the other ranks. by_types: an
     * event is compared with those of the same type of LP. */
    uint32_t slow_rank;
    double slow_times;
    bool slow_by_types;
    /* Owned; of each rank, if one is slow, otherwise NULL: the part of the work that suits its speed,
     * and the cost of an event, as a multiple of the mean. */
    double *shares, *costs;

    /* The LP with the most work and its part of all work; the LP with most of the critical path, and
     * the least number of LPs that have half of it. Types are empty if unknown. */
    uint64_t hot_lp, path_lp;
    char hot_type[ADVISE_NAME], path_type[ADVISE_NAME];
    double hot_part;
    bool hot_by_time; /* work is the time of handlers, otherwise the number of events */
    uint32_t path_lps;

    /* Prediction for more ranks; more_ranks is 0 if there is none. */
    uint32_t more_ranks;
    double more_remote, more_in_order; /* part of the events; speed-up, as in_order */

    const char *map; /* borrowed; file with the placement; NULL: it is not written */
};

/* The result of a rule for its subject. */
enum advise_verdict {
    ADVISE_CHANGE,  /* evidence and advice */
    ADVISE_KEEP,    /* evidence that there is nothing to change */
    ADVISE_UNKNOWN, /* evidence is missing; advice: how to record it */
    ADVISE_VERDICTS
};

#define ADVISE_TEXT     320u
#define ADVISE_OPTIONS  512u
#define ADVISE_PATH_MAX 400u /* bytes of the path of a map */

struct advise_item {
    const char *subject; /* constant */
    enum advise_verdict verdict;
    char evidence[ADVISE_TEXT];    /* a sentence with the figures */
    char advice[ADVISE_TEXT];      /* a sentence; empty with ADVISE_KEEP */
    char options[ADVISE_OPTIONS];  /* options for the model's command; empty: none */
    char launcher[ADVISE_OPTIONS]; /* options for the launcher; empty: none */
    bool has_condition;            /* the advice names a condition: --options leaves it out */
    /* Expected gain: the part of something counted that the advice saves, from 0 to 1. */
    const char *measure; /* constant, such as "executed events"; NULL: no figure */
    double least, most;
    double weight; /* for the order, 0 to 1 */
};

#define ADVISE_ITEMS_MAX 10u

struct advise_list {
    struct advise_item items[ADVISE_ITEMS_MAX]; /* the advice with the most weight first */
    uint32_t n;
};

/* Collects what the gathered run knows. */
void advise_gather(struct advise_facts *facts, struct report_run *run);

/* Passes over the event trace. */
void advise_study_placement(struct advise_facts *facts, struct ws_file *trace,
                            struct ws_outs *outs);
void advise_study_rollbacks(struct advise_facts *facts, struct ws_file *trace);
void advise_study_model(struct advise_facts *facts, struct ws_file *trace);
/* Predicts a placement on advise_ranks_more() ranks. Call it after the others. */
void advise_study_more(struct advise_facts *facts, struct ws_file *trace);

/* Returns true if the predicted placement is much better than the recorded one. */
bool advise_placement_helps(const struct advise_facts *facts);
/* Returns the part of the executed events that was undone; 0 if that is not known. */
double advise_wasted(const struct advise_facts *facts);

/* Returns a greater number of ranks that the model may allow; 0: there is none. */
uint32_t advise_ranks_more(const struct advise_facts *facts);

/* Applies all rules. */
void advise_judge(struct advise_list *list, const struct advise_facts *facts);

/* Print the list: as text, as JSON, or only the options of the model in one line. The first two
 * return false if out of memory. */
bool advise_print_text(const struct ws_file *file, const struct advise_list *list);
bool advise_print_json(const char *path, const struct advise_list *list);
void advise_print_options(const struct advise_list *list);

#endif
