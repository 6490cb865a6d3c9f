/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the report at the end of a run, as text (with the labels of ROSS, for which scripts
 * search) and as JSON.
 *
 * The report is plain data, which the engine fills on rank 0 after reductions over the ranks; the
 * functions of this file do not communicate. Every figure is defined for every run, even for a run
 * without events:
 *
 *   net events    number of forward executions minus number of undone events
 *   event rate    net events / run_seconds; 0 if no time passed
 *   efficiency    100 * (1 - undone / net events), as in ROSS: 100 if no event was undone, negative
 *                 if more events were undone than kept, 0 if all were undone
 *   remote events committed (net_remote_events): number of events sent to other ranks (remote_events)
 *                 minus number of anti-messages: equal under every scheduler at the end of the run;
 *                 remote_events_percent is relative to net events
 *
 * Keys of the JSON object, stable, each unique in the whole document:
 *
 *   report_version   1
 *   figures of the run, and derived figures: named in report_fields.h; final_gvt is null if no
 *                    event is left; a fingerprint is 16 hexadecimal digits, or null if not computed
 *   remote_events_percent, reductions_per_gvt, gvt_pending_percent, gvt_overlap_percent,
 *   clock_rate_hz
 *   suspend_errors   object; key: an error_num; value: number of LPs suspended with this error_num
 *   counters         object; keys: the names in TW_COUNTER_LIST
 *   memory, sizeof   objects; keys: the names of these figures in report_fields.h
 *   processor        object; keys: the names in PROCESSOR_END_LIST; values: arrays with an element
 *                    per rank
 *   phase_times      method by which phases were timed
 *   phase_seconds    object; keys: the names in TW_PHASE_LIST; empty if phases were not timed
 *   further members: written by the argument `extra` of report_write_json()
 */
#ifndef WARPSCOPE_RUN_REPORT_H
#define WARPSCOPE_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/processor_time.h"
#include "base/status.h"
#include "engine/counters.h"

struct json_writer;

/* Time of a phase in seconds, summed over all ranks. */
struct report_phase {
    const char *key;   /* key in JSON, such as "gvt" */
    const char *title; /* label in the text, such as "computing GVT", at most 50 columns */
    double seconds;
};

/* Memory of the run. Except for max_rss_bytes, each figure is a sum over all ranks. */
struct report_memory {
    uint64_t events_allocated; /* peak number of events for which memory was allocated */
    uint64_t event_bytes_peak; /* peak size in bytes of all events, including notes and payloads */
    uint64_t lp_state_bytes;   /* size in bytes of all LPs, including states and random streams */
    uint64_t pending_bytes;    /* peak size in bytes of pending queues, excluding the events */
    uint64_t max_rss_bytes;    /* peak resident memory in bytes of the largest rank */
    uint64_t transport_bytes;  /* peak size in bytes of message buffers and rings */
};

/* Sizes of data structures in bytes. */
struct report_sizes {
    size_t pe;
    size_t kp;
    size_t lp;
    size_t lp_model; /* largest state of all LP types */
    size_t lp_rngs;  /* all random streams of one LP */
    size_t event;
    size_t event_with_model; /* event with its payload and padding */
};

/* LPs of all ranks that are suspended with the same error_num at the end of the run. */
struct report_suspended {
    int error_num; /* argument of tw_lp_suspend() */
    uint64_t lps;  /* number of LPs suspended with this error_num */
};

/* Data of a report. The caller owns the strings; a string that is NULL is unknown. */
struct report {
    const char *program;
    const char *command_line;
    const char *version;   /* version of the engine, such as "Warpscope 0.1.0" */
    const char *scheduler; /* name of the scheduler, such as "optimistic" */
    const char *transport; /* name of the transport between ranks, from transport_name() */
    const char *rng;       /* name of the random generator, from run_rng_name() */
    const char *run_end;   /* reason for the end of the run, from run_end_text() */
    uint64_t ranks;        /* number of ranks */
    uint64_t total_lps;    /* number of LPs on all ranks */
    uint64_t kps_per_pe;   /* number of KPs per PE, maximum over PEs */
    uint64_t batch;        /* maximum number of events in a batch */
    /* Number of batches between GVTs; if adaptive, the last value on rank 0. */
    uint64_t gvt_interval;
    bool gvt_interval_adapts;
    double end_time;      /* end time in virtual time */
    double final_gvt;     /* last GVT in virtual time */
    double run_seconds;   /* wall-clock time of the run, maximum over ranks */
    double init_seconds;  /* wall-clock time of the initialisation, maximum over ranks */
    double end_seconds;   /* time after the run until its threads have ended, maximum over ranks */
    double clock_rate_hz; /* rate of tw_clock_read() in ticks per second */
    /* Percentage of the run during which a rank had voted on GVT but had no result yet, mean over
     * ranks. */
    double gvt_pending_percent;
    /* Percentage of executed events that were executed between a vote on GVT and its result; 0: GVT
     * computations and work did not overlap. */
    double gvt_overlap_percent;
    struct tw_counters counters; /* totals over all ranks */
    struct report_memory memory;
    struct report_sizes sizes;
    const struct processor_time *processors; /* owned by the caller; one element per rank; NULL:
                                              * not known */
    const char *phase_times; /* method by which phases were timed, from run_phase_times() */
    const struct report_phase *phases;
    size_t n_phases; /* number of elements of phases; 0: phases were not timed */
    /* Owned by the caller; array in ascending order of error_num. */
    const struct report_suspended *suspended;
    size_t n_suspended; /* number of elements of suspended */
    bool has_fingerprints;
    uint64_t committed_fingerprint; /* hash of the committed events */
    uint64_t state_fingerprint;     /* hash of the final LP states */
};

/* The next functions return derived figures; the top of this file defines most of them. */
uint64_t report_net_events(const struct report *report);
double report_event_rate(const struct report *report);
uint64_t report_net_remote_events(const struct report *report);
uint64_t report_suspended_lps(const struct report *report);
uint64_t report_total_rollbacks(const struct report *report);
double report_reductions_per_gvt(const struct report *report);
double report_percent_of(uint64_t part, uint64_t whole); /* returns 0 if whole is 0 */

/* Prints the report to out as text, at most 80 columns wide except for longer command line
 * arguments. */
void report_print(const struct report *report, FILE *out);

/* Writes the report to out as one JSON object, and flushes out. extra: function that adds members
 * to this object; NULL: none. Returns TW_ERR_IO after a write error. */
enum tw_status report_write_json(const struct report *report, FILE *out,
                                 void (*extra)(struct json_writer *json));

#endif
