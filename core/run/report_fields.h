/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_fields.h - lists of figures from which the JSON object and the CSV row of the report are
 * made: X(type, name, value). The types are string, u64, flag, double and hash; a hash has a value
 * only if the run computes fingerprints. The name is the key in JSON and the name of the column in
 * CSV, which has no sizes of data structures.
 */
#ifndef WARPSCOPE_RUN_REPORT_FIELDS_H
#define WARPSCOPE_RUN_REPORT_FIELDS_H

#include "base/efficiency.h"
#include "run/report.h"

/* Figures of the run. r: pointer to a struct report. */
#define REPORT_RUN_FIELDS(X, r)                                                                    \
    X(string, program, (r)->program)                                                               \
    X(string, version, (r)->version)                                                               \
    X(string, command_line, (r)->command_line)                                                     \
    X(string, run_end, (r)->run_end)                                                               \
    X(string, scheduler, (r)->scheduler)                                                           \
    X(string, transport, (r)->transport)                                                           \
    X(string, rng, (r)->rng)                                                                       \
    X(u64, ranks, (r)->ranks)                                                                      \
    X(u64, total_lps, (r)->total_lps)                                                              \
    X(u64, kps_per_pe, (r)->kps_per_pe)                                                            \
    X(u64, batch, (r)->batch)                                                                      \
    X(u64, gvt_interval, (r)->gvt_interval)                                                        \
    X(flag, gvt_interval_adapts, (r)->gvt_interval_adapts)                                         \
    X(double, end_time, (r)->end_time)                                                             \
    X(double, final_gvt, (r)->final_gvt)                                                           \
    X(double, run_seconds, (r)->run_seconds)                                                       \
    X(double, init_seconds, (r)->init_seconds)                                                     \
    X(double, end_seconds, (r)->end_seconds)

/* Figures computed from the counters. r: pointer to a struct report. */
#define REPORT_DERIVED_FIELDS(X, r)                                                                \
    X(u64, net_events, report_net_events(r))                                                       \
    X(double, event_rate, report_event_rate(r))                                                    \
    X(double, efficiency_percent,                                                                  \
      efficiency_percent((r)->counters.events_processed, (r)->counters.events_rolled_back))        \
    X(u64, total_rollbacks, report_total_rollbacks(r))                                             \
    X(u64, net_remote_events, report_net_remote_events(r))                                         \
    X(u64, lps_suspended, report_suspended_lps(r))                                                 \
    X(hash, committed_fingerprint, (r)->committed_fingerprint)                                     \
    X(hash, state_fingerprint, (r)->state_fingerprint)

/* Memory of the run. m: pointer to a struct report_memory. */
#define REPORT_MEMORY_FIELDS(X, m)                                                                 \
    X(u64, events_allocated, (m)->events_allocated)                                                \
    X(u64, event_bytes_peak, (m)->event_bytes_peak)                                                \
    X(u64, lp_state_bytes, (m)->lp_state_bytes)                                                    \
    X(u64, pending_bytes, (m)->pending_bytes)                                                      \
    X(u64, max_rss_bytes, (m)->max_rss_bytes)                                                      \
    X(u64, transport_bytes, (m)->transport_bytes)

/* Sizes of data structures. s: pointer to a struct report_sizes. */
#define REPORT_SIZE_FIELDS(X, s)                                                                   \
    X(u64, pe, (s)->pe)                                                                            \
    X(u64, kp, (s)->kp)                                                                            \
    X(u64, lp, (s)->lp)                                                                            \
    X(u64, lp_model, (s)->lp_model)                                                                \
    X(u64, lp_rngs, (s)->lp_rngs)                                                                  \
    X(u64, event, (s)->event)                                                                      \
    X(u64, event_with_model, (s)->event_with_model)

#endif
