/* SPDX-License-Identifier: BSD-3-Clause */
/* report_json.c - the report as JSON: see report.h. */
#include <assert.h>
#include <inttypes.h>

#include "run/report_fields.h"
#include "text/json.h"

static void put_hash(struct json_writer *json, const struct report *report, const char *key,
                     uint64_t value)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_put_string(json, key, report->has_fingerprints ? text : NULL);
}

/* Each macro PUT_type writes a member for a figure of that type in report_fields.h. */
#define PUT_string(name, value) json_put_string(json, name, value)
#define PUT_u64(name, value)    json_put_u64(json, name, value)
#define PUT_flag(name, value)   json_put_bool(json, name, value)
#define PUT_double(name, value) json_put_double(json, name, value)
#define PUT_hash(name, value)   put_hash(json, report, name, value)
#define PUT(type, name, value)  PUT_##type(#name, value);

static void put_json_figures(struct json_writer *json, const struct report *report)
{
    json_put_u64(json, "report_version", 1);
    REPORT_RUN_FIELDS(PUT, report)
    REPORT_DERIVED_FIELDS(PUT, report)
    json_put_double(json, "remote_events_percent",
                    report_percent_of(report_net_remote_events(report), report_net_events(report)));
    json_put_double(json, "reductions_per_gvt", report_reductions_per_gvt(report));
    json_put_double(json, "gvt_pending_percent", report->gvt_pending_percent);
    json_put_double(json, "gvt_overlap_percent", report->gvt_overlap_percent);
    json_put_double(json, "clock_rate_hz", report->clock_rate_hz);
}

static void put_suspend_errors(struct json_writer *json, const struct report *report)
{
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
    REPORT_MEMORY_FIELDS(PUT, memory)
    json_object_close(json);
}

static void put_sizes(struct json_writer *json, const struct report_sizes *sizes)
{
    json_object_open(json, "sizeof");
    REPORT_SIZE_FIELDS(PUT, sizes)
    json_object_close(json);
}

static void put_processors(struct json_writer *json, const struct report *report)
{
    json_object_open(json, "processor");
#define X(name, text)                                                                              \
    json_array_open(json, #name);                                                                  \
    for (uint64_t r = 0; r < report->ranks; r++) {                                                 \
        json_put_u64(json, NULL, report->processors[r].name);                                      \
    }                                                                                              \
    json_array_close(json);
    PROCESSOR_END_LIST(X)
#undef X
    json_object_close(json);
}

static void put_json_phases(struct json_writer *json, const struct report *report)
{
    assert(report->n_phases <= TW_PHASES);
    json_put_string(json, "phase_times", report->phase_times);
    json_object_open(json, "phase_seconds");
    for (size_t i = 0; i < report->n_phases; i++) {
        json_put_double(json, report->phases[i].key, report->phases[i].seconds);
    }
    json_object_close(json);
}

enum tw_status report_write_json(const struct report *report, FILE *out,
                                 void (*extra)(struct json_writer *json))
{
    struct json_writer json = {.out = out};
    json_object_open(&json, NULL);
    put_json_figures(&json, report);
    put_suspend_errors(&json, report);
    put_counters(&json, &report->counters);
    put_memory(&json, &report->memory);
    put_sizes(&json, &report->sizes);
    if (report->processors != NULL) {
        put_processors(&json, report);
    }
    put_json_phases(&json, report);
    if (extra != NULL) {
        extra(&json);
    }
    json_object_close(&json);
    return fflush(out) == 0 && ferror(out) == 0 ? TW_OK : TW_ERR_IO;
}
