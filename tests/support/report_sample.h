/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_sample.h - a report with a distinct value in every member, and the memory that reports are
 * written to. For tests of the report's output.
 */
#ifndef WARPSCOPE_TESTS_REPORT_SAMPLE_H
#define WARPSCOPE_TESTS_REPORT_SAMPLE_H

#include "run/report.h"

static const struct report_phase phases[] = {
    {"priority_queue", "pending queue", 0.5},
    {"event_processing", "executing events", 1.25},
    {"cancelq", "anti-messages received", 0.0},
};

static const struct report_suspended suspended[] = {{-7, 1}, {0, 2}, {5, 3}};

static inline struct report sample_report(void)
{
    return (struct report){
        .program = "phold",
        .command_line = "phold --synch=3 \"--run=a b\"",
        .version = "Warpscope 0.1.0",
        .scheduler = "optimistic",
        .transport = "shared memory",
        .rng = "fast",
        .run_end = "reached the end time",
        .ranks = 2,
        .total_lps = 2000,
        .kps_per_pe = 16,
        .batch = 16,
        .gvt_interval = 17,
        .gvt_interval_adapts = true,
        .end_time = 100.5,
        .final_gvt = 101.25,
        .run_seconds = 2.0,
        .init_seconds = 0.125,
        .end_seconds = 0.0625,
        .clock_rate_hz = 2.5e9,
        .gvt_pending_percent = 37.5,
        .gvt_overlap_percent = 25.25,
        .counters = {.events_processed = 1100,
                     .events_rolled_back = 100,
                     .events_aborted = 7,
                     .event_ties = 3,
                     .events_past_end = 44,
                     .primary_rollbacks = 20,
                     .secondary_rollbacks = 30,
                     .fossil_collects = 55,
                     .network_sends = 560,
                     .network_recvs = 561,
                     .remote_events = 510,
                     .anti_sends = 10,
                     .events_committed = 1000,
                     .state_saves = 1,
                     .snapshots = 12,
                     .snapshot_bytes = 2049,
                     .events_suspended = 21,
                     .turns_held_back = 9,
                     .gvt_rounds = 40,
                     .all_reduces = 100},
        .memory = {4096, 1 << 20, 2049, 3072, 1ull << 40, 5121},
        .sizes = {1, 2, 64, 8, 32, 112, 128},
        .phase_times = "sampled",
        .phases = phases,
        .n_phases = 3,
        .suspended = suspended,
        .n_suspended = 3,
        .has_fingerprints = true,
        .committed_fingerprint = 0x0123456789abcdefu,
        .state_fingerprint = 0xfu,
    };
}

/* Static, because gcc 12 mistakes the pointer that open_memstream() stores for one to a local
 * variable. */
static char *memory_text;
static size_t memory_size;

#endif
