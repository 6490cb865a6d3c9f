/*
 * report.h - the end-of-run report: what a run did, for people (in the wording of ROSS, because
 * scripts search for those lines) and as JSON.
 *
 * The report is plain data that the engine fills on rank 0 after its reductions; nothing here
 * communicates. Every figure is defined for every run, also for one that executed nothing:
 *
 *   net events    executed forwards minus undone
 *   event rate    net events / run_seconds; 0 when no time passed
 *   efficiency    100 * (1 - undone / net events), as ROSS: 100 when nothing was undone,
 *                 negative when more was undone than kept, and 0 when events were undone and none
 *                 is left
 *   remote events sent to other ranks minus taken back by anti-messages: the same under every
 *                 scheduler once the run is over; their percentage is of the net events
 *
 * The keys of the JSON object, stable, unique in the whole document:
 *
 *   report_version (1), program, command_line, version, scheduler, transport, rng, ranks,
 *   total_lps, kps_per_pe, batch, gvt_interval, gvt_interval_adapts, end_time,
 *   final_gvt (null: past all events), run_end, run_seconds, init_seconds, net_events, event_rate,
 *   efficiency_percent, total_rollbacks, net_remote_events, remote_events_percent,
 * reductions_per_gvt, committed_fingerprint, state_fingerprint (16 hexadecimal digits, or null when
 * not asked for), clock_rate_hz, lps_suspended, suspend_errors {error_num: LPs}, counters {the
 * names of TW_COUNTER_LIST}, memory {events_allocated, event_bytes_peak, lp_state_bytes,
 * pending_bytes, max_rss_bytes, transport_bytes}, sizeof {pe, kp, lp, lp_model, lp_rngs, event,
 * event_with_model}, phase_times, phase_seconds {the names of TW_PHASE_LIST; none when phase_times
 * is "off"}, then whatever the extra function adds.
 */
#ifndef WARPSCOPE_REPORT_H
#define WARPSCOPE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "engine/counters.h"

/* Time that went into one kind of work, sum of all ranks. */
struct report_phase {
    const char *key;   /* "gvt": in JSON, snake_case */
    const char *title; /* "computing GVT": in the text, at most 50 columns */
    double seconds;
};

struct report_memory {
    uint64_t events_allocated; /* events there is room for, all ranks, at the peak */
    uint64_t event_bytes_peak; /* memory of these events and what hangs on them, all ranks */
    uint64_t lp_state_bytes;   /* LPs, their states and random streams, all ranks */
    uint64_t pending_bytes;    /* pending queues without the events, all ranks, at the peak */
    uint64_t max_rss_bytes;    /* resident set of the largest rank, at the peak */
    uint64_t transport_bytes;  /* message buffers and rings, all ranks, at the peak */
};

struct report_sizes {
    size_t pe;
    size_t kp;
    size_t lp;
    size_t lp_model; /* largest state of any LP type */
    size_t lp_rngs;  /* random streams of one LP */
    size_t event;
    size_t event_with_model; /* with the payload, as allocated */
};

/* LPs that were suspended when the run ended, all ranks, by tw_lp_suspend()'s error_num. */
struct report_suspended {
    int error_num;
    uint64_t lps;
};

/* Strings are the caller's and may be NULL where unknown. */
struct report {
    const char *program;
    const char *command_line;
    const char *version;   /* "Warpscope 0.1.0" */
    const char *scheduler; /* "optimistic", ... */
    const char *transport; /* how events travelled between ranks: transport_name() */
    const char *rng;       /* the random generator, as --rng names it */
    const char *run_end;   /* why the run ended: run_end_text() */
    uint64_t ranks;
    uint64_t total_lps;
    uint64_t kps_per_pe;   /* the most that a PE has */
    uint64_t batch;        /* events */
    uint64_t gvt_interval; /* batches; when it adapts, the last one of rank 0 */
    bool gvt_interval_adapts;
    double end_time;    /* virtual time */
    double final_gvt;   /* virtual time */
    double run_seconds; /* wall clock, longest rank */
    double init_seconds;
    double clock_rate_hz;        /* of tw_clock_read() */
    struct tw_counters counters; /* totals over ranks */
    struct report_memory memory;
    struct report_sizes sizes;
    const char *phase_times; /* how they were measured: phase_times_name() */
    const struct report_phase *phases;
    size_t n_phases;
    const struct report_suspended *suspended; /* ascending error_num */
    size_t n_suspended;
    bool has_fingerprints;
    uint64_t committed_fingerprint; /* of the committed events */
    uint64_t state_fingerprint;     /* of the final LP states */
};

/* The derived figures, as defined above. */
uint64_t report_net_events(const struct report *report);
double report_event_rate(const struct report *report);
uint64_t report_net_remote_events(const struct report *report);
uint64_t report_suspended_lps(const struct report *report);
uint64_t report_total_rollbacks(const struct report *report);
double report_reductions_per_gvt(const struct report *report);
double report_percent_of(uint64_t part, uint64_t whole); /* 0 of nothing */

/* Prints the report, at most 80 columns wide but for an argument on the command line that is
 * longer. */
void report_print(const struct report *report, FILE *out);

/*
 * Writes the report as one JSON object. extra, if not NULL, may write further members, each as
 * `, "key": value`. Flushes out; TW_ERR_IO when something could not be written.
 */
enum tw_status report_write_json(const struct report *report, FILE *out, void (*extra)(FILE *out));

#endif
