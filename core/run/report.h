/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the end-of-run report, as text (in the wording of ROSS, for which scripts search) and
 * as JSON.
 *
 * The report is plain data that the engine fills on rank 0 after its reductions; these functions do
 * not communicate. Every figure is defined for every run, including one without events:
 *
 *   net events    executed forwards minus undone
 *   event rate    net events / run_seconds; 0 if no time passed
 *   efficiency    100 * (1 - undone / net events), as in ROSS: 100 if no event was undone, negative
 *                 if more events were undone than kept, 0 if all were undone
 *   remote events sent to other ranks minus cancelled by anti-messages: equal under every
 *                 scheduler at the end of the run; their percentage refers to the net events
 *
 * Keys of the JSON object, stable, unique in the whole document:
 *
 *   report_version (1); the figures of report_fields.h (final_gvt: null past all events;
 *   fingerprints: 16 hexadecimal digits, or null if not requested); remote_events_percent,
 *   reductions_per_gvt, gvt_pending_percent, gvt_overlap_percent, clock_rate_hz, suspend_errors {error_num: LPs}, counters {the names of
 *   TW_COUNTER_LIST}, memory {...}, sizeof {...}, phase_times, phase_seconds {the names of
 *   TW_PHASE_LIST; none if phase_times is "off"}, then members of the extra function.
 */
#ifndef WARPSCOPE_RUN_REPORT_H
#define WARPSCOPE_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "engine/counters.h"

struct json_writer;

/* Time of a phase in seconds, summed over all ranks. */
struct report_phase {
    const char *key;   /* key in JSON: "gvt" */
    const char *title; /* label in the text: "computing GVT", at most 50 columns */
    double seconds;
};

struct report_memory {
    uint64_t events_allocated; /* capacity of the event memory in events, all ranks, peak */
    uint64_t event_bytes_peak; /* bytes of event memory, notes and payloads, all ranks, peak */
    uint64_t lp_state_bytes;   /* bytes of LPs with their states and random streams, all ranks */
    uint64_t pending_bytes;    /* bytes of pending queues without events, all ranks, peak */
    uint64_t max_rss_bytes;    /* bytes of the resident set of the largest rank, peak */
    uint64_t transport_bytes;  /* bytes of message buffers and rings, all ranks, peak */
};

struct report_sizes {
    size_t pe;
    size_t kp;
    size_t lp;
    size_t lp_model; /* bytes of the largest state of any LP type */
    size_t lp_rngs;  /* bytes of the random streams of one LP */
    size_t event;
    size_t event_with_model; /* bytes of an event with its payload, as allocated */
};

/* LPs suspended at the end of the run, over all ranks, by error_num of tw_lp_suspend(). */
struct report_suspended {
    int error_num;
    uint64_t lps;
};

/* Data of a report. The strings belong to the caller; NULL: unknown. */
struct report {
    const char *program;
    const char *command_line;
    const char *version;   /* version of the engine: "Warpscope 0.1.0" */
    const char *scheduler; /* name of the scheduler: "optimistic", ... */
    const char *transport; /* name of the transport between ranks: transport_name() */
    const char *rng;       /* name of the random generator: run_rng_name() */
    const char *run_end;   /* reason for the end of the run: run_end_text() */
    uint64_t ranks;
    uint64_t total_lps;
    uint64_t kps_per_pe;   /* number of KPs per PE, maximum over PEs */
    uint64_t batch;        /* size of a batch in events */
    uint64_t gvt_interval; /* batches between GVTs; if adaptive, the last value of rank 0 */
    bool gvt_interval_adapts;
    double end_time;    /* end time in virtual time */
    double final_gvt;   /* last GVT in virtual time */
    double run_seconds; /* wall-clock time, maximum over ranks */
    double init_seconds;
    double clock_rate_hz; /* rate of tw_clock_read() */
    /* Share of the time of the run in which a rank had voted on GVT and waited for the result, mean
     * over ranks; and share of the executed events that were executed meanwhile. Without overlap of
     * GVT computations and work, the second would be 0. */
    double gvt_pending_percent;
    double gvt_overlap_percent;
    struct tw_counters counters; /* totals over all ranks */
    struct report_memory memory;
    struct report_sizes sizes;
    const char *phase_times; /* how phases were timed: phase_times_name() */
    const struct report_phase *phases;
    size_t n_phases;
    /* Owned by the caller; in ascending order of error_num. */
    const struct report_suspended *suspended;
    size_t n_suspended;
    bool has_fingerprints;
    uint64_t committed_fingerprint; /* hash of the committed events */
    uint64_t state_fingerprint;     /* hash of the final LP states */
};

/* The functions below return derived figures, which the head of this file defines. */
uint64_t report_net_events(const struct report *report);
double report_event_rate(const struct report *report);
uint64_t report_net_remote_events(const struct report *report);
uint64_t report_suspended_lps(const struct report *report);
uint64_t report_total_rollbacks(const struct report *report);
double report_reductions_per_gvt(const struct report *report);
double report_percent_of(uint64_t part, uint64_t whole); /* returns 0 if whole is 0 */

/* Prints the report, at most 80 columns wide except for longer command line arguments. */
void report_print(const struct report *report, FILE *out);

/* Writes the report as one JSON object. extra: writes more members, each as `, "key": value`; may
 * be NULL. Flushes out. Returns TW_ERR_IO on write errors. */
enum tw_status report_write_json(const struct report *report, FILE *out,
                                 void (*extra)(struct json_writer *json));

#endif
