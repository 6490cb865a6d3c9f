/*
 * report.c - see report.h. The text is a list of "label value" lines in named sections: a tab, the
 * label in 50 columns, the value right-aligned in 11 (more if it must be: 20 digits still end in
 * column 79).
 */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/efficiency.h"
#include "base/json.h"

#define TEXT_COLUMNS 80
#define TAB_COLUMNS  8

/* ---- Derived figures ---------------------------------------------------------------------------
 */

static uint64_t subtract_to_zero(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static double percent_of(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

uint64_t report_net_events(const struct report *report)
{
    return subtract_to_zero(report->counters.events_processed, report->counters.events_rolled_back);
}

double report_event_rate(const struct report *report)
{
    double rate = (double)report_net_events(report) / report->run_seconds;
    return report->run_seconds > 0.0 && isfinite(rate) ? rate : 0.0;
}

uint64_t report_net_remote_events(const struct report *report)
{
    return subtract_to_zero(report->counters.remote_events, report->counters.anti_sends);
}

static uint64_t total_rollbacks(const struct report *report)
{
    return report->counters.primary_rollbacks + report->counters.secondary_rollbacks;
}

static double reductions_per_gvt(const struct report *report)
{
    uint64_t rounds = report->counters.gvt_rounds;
    return rounds == 0 ? 0.0 : (double)report->counters.all_reduces / (double)rounds;
}

/* ---- Text --------------------------------------------------------------------------------------
 */

static const char *known(const char *text)
{
    return text != NULL ? text : "unknown";
}

static void print_u64(FILE *out, const char *label, uint64_t value)
{
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, value);
}

/* decimals places, or four significant digits where that would take too much room. */
static void print_number(FILE *out, const char *label, int decimals, double value, const char *unit)
{
    if (fabs(value) < 1e12) {
        fprintf(out, "\t%-50s %11.*f%s\n", label, decimals, value, unit);
    } else {
        fprintf(out, "\t%-50s %11.4g%s\n", label, value, unit);
    }
}

static void print_double(FILE *out, const char *label, int decimals, double value)
{
    print_number(out, label, decimals, value, "");
}

static void print_percent(FILE *out, const char *label, double value)
{
    print_number(out, label, 2, value, " %");
}

static void print_kib(FILE *out, const char *label, uint64_t bytes)
{
    print_u64(out, label, bytes / 1024 + (bytes % 1024 != 0));
}

/* Prints text broken at blanks, indented by a tab. */
static void print_wrapped(FILE *out, const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t blanks = strspn(text, " ");
        size_t word = strcspn(text + blanks, " ");
        if (word == 0) {
            break;
        }
        if (column == 0 || column + blanks + word > TEXT_COLUMNS) {
            fputs(column == 0 ? "\t" : "\n\t", out);
            column = TAB_COLUMNS;
            text += blanks;
            blanks = 0;
        }
        fprintf(out, "%.*s", (int)(blanks + word), text);
        column += blanks + word;
        text += blanks + word;
    }
    fputs(column == 0 ? "" : "\n", out);
}

static void print_run(const struct report *report, FILE *out)
{
    fprintf(out, "\n%s: %s, %s\n", known(report->version), known(report->program),
            known(report->scheduler));
    if (report->command_line != NULL) {
        print_wrapped(out, report->command_line);
    }
    print_u64(out, "Total PEs", report->ranks);
    print_u64(out, "KPs per PE", report->kps_per_pe);
    print_u64(out, "Total LPs", report->total_lps);
    print_double(out, "Simulation End Time", 2, report->end_time);
    print_double(out, "Final GVT", 2, report->final_gvt);
    fprintf(out, "\tRun Ended: %s\n", known(report->run_end));
    fprintf(out, "\tRandom Generator: %s\n", known(report->rng));
    if (report->has_fingerprints) {
        fprintf(out, "\t%-45s %016" PRIx64 "\n", "Committed Events Fingerprint",
                report->committed_fingerprint);
        fprintf(out, "\t%-45s %016" PRIx64 "\n", "Final States Fingerprint",
                report->state_fingerprint);
    }
    fprintf(out, "\n\t: Running Time = %.4f seconds\n", report->run_seconds);
}

static void print_library(const struct report *report, FILE *out)
{
    const struct tw_counters *c = &report->counters;
    uint64_t remote = report_net_remote_events(report);
    fputs("\nTW Library Statistics:\n", out);
    print_u64(out, "Total Events Processed", c->events_processed);
    print_u64(out, "Events Aborted (part of RBs)", c->events_aborted);
    print_u64(out, "Events Rolled Back", c->events_rolled_back);
    print_u64(out, "Event Ties Detected in PE Queues", c->event_ties);
    print_percent(out, "Efficiency",
                  efficiency_percent(c->events_processed, c->events_rolled_back));
    print_u64(out, "Total Remote (network) Events Processed", remote);
    print_percent(out, "Percent Remote Events", percent_of(remote, report_net_events(report)));
    fputc('\n', out);
    print_u64(out, "Total Roll Backs", total_rollbacks(report));
    print_u64(out, "Primary Roll Backs", c->primary_rollbacks);
    print_u64(out, "Secondary Roll Backs", c->secondary_rollbacks);
    print_u64(out, "Fossil Collect Attempts", c->fossil_collects);
    print_u64(out, "Total GVT Computations", c->gvt_rounds);
    fputc('\n', out);
    print_u64(out, "Net Events Processed", report_net_events(report));
    print_double(out, "Event Rate (events/sec)", 1, report_event_rate(report));
    print_u64(out, "Total Events Scheduled Past End Time", c->events_past_end);
    print_u64(out, "Total Events Committed", c->events_committed);
    print_u64(out, "LP States Saved", c->state_saves);
    if (c->turns_held_back > 0) {
        print_u64(out, "Turns Held Back by Limits of Memory", c->turns_held_back);
    }
}

static void print_memory(const struct report *report, FILE *out)
{
    const struct report_memory *m = &report->memory;
    fputs("\nTW Memory Statistics:\n", out);
    print_u64(out, "Events Allocated", m->events_allocated);
    print_kib(out, "Memory Allocated for Events (KiB)", m->event_bytes_peak);
    print_kib(out, "Memory of LPs (KiB)", m->lp_state_bytes);
    print_kib(out, "Memory of Pending Queues (KiB)", m->pending_bytes);
    print_kib(out, "Memory of Message Buffers (KiB)", m->transport_bytes);
    print_kib(out, "Largest Resident Set of a Rank (KiB)", m->max_rss_bytes);
}

static void print_network(const struct report *report, FILE *out)
{
    fputs("\nTW Network Statistics:\n", out);
    print_u64(out, "Remote sends", report->counters.network_sends);
    print_u64(out, "Remote recvs", report->counters.network_recvs);
    print_u64(out, "Anti-messages sent", report->counters.anti_sends);
    fprintf(out, "\tTransport: %s\n", known(report->transport));
}

static void print_sizes(const struct report *report, FILE *out)
{
    const struct report_sizes *s = &report->sizes;
    fputs("\nTW Data Structure sizes in bytes (sizeof):\n", out);
    print_u64(out, "PE struct", s->pe);
    print_u64(out, "KP struct", s->kp);
    print_u64(out, "LP struct", s->lp);
    print_u64(out, "LP Model struct", s->lp_model);
    print_u64(out, "LP RNGs", s->lp_rngs);
    print_u64(out, "Total LP", s->lp + s->lp_model + s->lp_rngs);
    print_u64(out, "Event struct", s->event);
    print_u64(out, "Event struct with Model", s->event_with_model);
}

static void print_clock(const struct report *report, FILE *out)
{
    fprintf(out, "\nTW Clock Cycle Statistics (MAX values in secs at %.4f GHz):\n",
            report->clock_rate_hz / 1e9);
    print_double(out, "Initialization", 4, report->init_seconds);
    print_double(out, "Total Time (Note: Using Running Time above for Speedup)", 4,
                 report->init_seconds + report->run_seconds);
}

/* Those that took any time, with their parts of the whole. */
static void print_phases(const struct report *report, FILE *out)
{
    double sum = 0.0;
    for (size_t i = 0; i < report->n_phases; i++) {
        sum += report->phases[i].seconds;
    }
    if (!(sum > 0.0)) {
        return;
    }
    fprintf(out, "\nTW Phase Statistics (SUM over PEs in secs, %s):\n", known(report->phase_times));
    for (size_t i = 0; i < report->n_phases; i++) {
        const struct report_phase *phase = &report->phases[i];
        if (phase->seconds > 0.0) {
            char percent[16];
            snprintf(percent, sizeof percent, " %7.2f %%", 100.0 * phase->seconds / sum);
            print_number(out, phase->title, 4, phase->seconds, percent);
        }
    }
}

static void print_gvt(const struct report *report, FILE *out)
{
    fputs("\nTW GVT Statistics: MPI AllReduce\n", out);
    print_u64(out, report->gvt_interval_adapts ? "GVT Interval (adapts; last)" : "GVT Interval",
              report->gvt_interval);
    print_u64(out, "Batch Size", report->batch);
    fputc('\n', out);
    print_u64(out, "Total GVT Computations", report->counters.gvt_rounds);
    print_u64(out, "Total All Reduce Calls", report->counters.all_reduces);
    print_double(out, "Average Reduction / GVT", 2, reductions_per_gvt(report));
}

void report_print(const struct report *report, FILE *out)
{
    print_run(report, out);
    print_library(report, out);
    print_memory(report, out);
    print_network(report, out);
    print_sizes(report, out);
    print_clock(report, out);
    print_phases(report, out);
    print_gvt(report, out);
    fputc('\n', out);
}

/* ---- JSON --------------------------------------------------------------------------------------
 */

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
    json_put_u64(json, "total_rollbacks", total_rollbacks(report));
    json_put_u64(json, "net_remote_events", remote);
    json_put_double(json, "remote_events_percent", percent_of(remote, net));
    json_put_double(json, "reductions_per_gvt", reductions_per_gvt(report));
    put_fingerprint(json, "committed_fingerprint", report->has_fingerprints,
                    report->committed_fingerprint);
    put_fingerprint(json, "state_fingerprint", report->has_fingerprints, report->state_fingerprint);
    json_put_double(json, "clock_rate_hz", report->clock_rate_hz);
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
