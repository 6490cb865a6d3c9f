/* SPDX-License-Identifier: BSD-3-Clause */
/* report_json.c - the report as JSON: see report.h. */
#include <inttypes.h>

#include "base/efficiency.h"
#include "base/json.h"
#include "run/report.h"

static void put_fingerprint(struct json_writer *json, const char *key, bool known_value,
                            uint64_t value)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_put_string(json, key, known_value ? text : NULL);
}

static void put_run(struct json_writer *json, const struct report *report)
{
    json_put_u64(json, "report_version", 1);
    json_put_string(json, "program", report->program);
    json_put_string(json, "command_line", report->command_line);
    json_put_string(json, "version", report->version);
    json_put_string(json, "scheduler", report->scheduler);
    json_put_string(json, "transport", report->transport);
    json_put_string(json, "rng", report->rng);
    json_put_u64(json, "ranks", report->ranks);
    json_put_u64(json, "total_lps", report->total_lps);
    json_put_u64(json, "kps_per_pe", report->kps_per_pe);
    json_put_u64(json, "batch", report->batch);
    json_put_u64(json, "gvt_interval", report->gvt_interval);
    json_put_bool(json, "gvt_interval_adapts", report->gvt_interval_adapts);
    json_put_double(json, "end_time", report->end_time);
    json_put_double(json, "final_gvt", report->final_gvt);
    json_put_string(json, "run_end", report->run_end);
    json_put_double(json, "run_seconds", report->run_seconds);
    json_put_double(json, "init_seconds", report->init_seconds);
}

static void put_derived(struct json_writer *json, const struct report *report)
{
    const struct tw_counters *c = &report->counters;
    uint64_t remote = report_net_remote_events(report);
    uint64_t net = report_net_events(report);
    json_put_u64(json, "net_events", net);
    json_put_double(json, "event_rate", report_event_rate(report));
    json_put_double(json, "efficiency_percent",
                    efficiency_percent(c->events_processed, c->events_rolled_back));
    json_put_u64(json, "total_rollbacks", report_total_rollbacks(report));
    json_put_u64(json, "net_remote_events", remote);
    json_put_double(json, "remote_events_percent", report_percent_of(remote, net));
    json_put_double(json, "reductions_per_gvt", report_reductions_per_gvt(report));
    put_fingerprint(json, "committed_fingerprint", report->has_fingerprints,
                    report->committed_fingerprint);
    put_fingerprint(json, "state_fingerprint", report->has_fingerprints, report->state_fingerprint);
    json_put_double(json, "clock_rate_hz", report->clock_rate_hz);
}

static void put_suspended(struct json_writer *json, const struct report *report)
{
    json_put_u64(json, "lps_suspended", report_suspended_lps(report));
    json_object_open(json, "suspend_errors");
    for (size_t i = 0; i < report->n_suspended; i++) {
        char key[16];
        snprintf(key, sizeof key, "%d", report->suspended[i].error_num);
        json_put_u64(json, key, report->suspended[i].lps);
    }
    json_object_close(json);
}

static void put_counters(struct json_writer *json, const struct tw_counters *counters)
{
    json_object_open(json, "counters");
#define X(name, text) json_put_u64(json, #name, counters->name);
    TW_COUNTER_LIST(X)
#undef X
    json_object_close(json);
}

static void put_memory(struct json_writer *json, const struct report_memory *memory)
{
    json_object_open(json, "memory");
    json_put_u64(json, "events_allocated", memory->events_allocated);
    json_put_u64(json, "event_bytes_peak", memory->event_bytes_peak);
    json_put_u64(json, "lp_state_bytes", memory->lp_state_bytes);
    json_put_u64(json, "pending_bytes", memory->pending_bytes);
    json_put_u64(json, "max_rss_bytes", memory->max_rss_bytes);
    json_put_u64(json, "transport_bytes", memory->transport_bytes);
    json_object_close(json);
}

static void put_sizes(struct json_writer *json, const struct report_sizes *sizes)
{
    json_object_open(json, "sizeof");
    json_put_u64(json, "pe", sizes->pe);
    json_put_u64(json, "kp", sizes->kp);
    json_put_u64(json, "lp", sizes->lp);
    json_put_u64(json, "lp_model", sizes->lp_model);
    json_put_u64(json, "lp_rngs", sizes->lp_rngs);
    json_put_u64(json, "event", sizes->event);
    json_put_u64(json, "event_with_model", sizes->event_with_model);
    json_object_close(json);
}

static void put_phases(struct json_writer *json, const struct report *report)
{
    json_put_string(json, "phase_times", report->phase_times);
    json_object_open(json, "phase_seconds");
    for (size_t i = 0; i < report->n_phases; i++) {
        json_put_double(json, report->phases[i].key, report->phases[i].seconds);
    }
    json_object_close(json);
}

enum tw_status report_write_json(const struct report *report, FILE *out, void (*extra)(FILE *out))
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_object_open(&json, NULL);
    put_run(&json, report);
    put_derived(&json, report);
    put_suspended(&json, report);
    put_counters(&json, &report->counters);
    put_memory(&json, &report->memory);
    put_sizes(&json, &report->sizes);
    put_phases(&json, report);
    if (extra != NULL) {
        extra(out);
    }
    json_object_close(&json);
    return fflush(out) == 0 && ferror(out) == 0 ? TW_OK : TW_ERR_IO;
}
