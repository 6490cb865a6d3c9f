/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - see report.h. The text consists of named sections. Each line of a section has a tab, a
 * label in 50 columns, and a value right-aligned in 11 columns. A longer value takes more columns:
 * 20 digits end in column 79.
 */
#include "run/report.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/efficiency.h"
#include "text/utf8.h"

#define TEXT_COLUMNS 80
#define TAB_COLUMNS  8

#define SUSPEND_ERRORS_SHOWN 8

/* ---- Derived figures ------------------------------------------------------------------------- */

static uint64_t subtract_to_zero(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

double report_percent_of(uint64_t part, uint64_t whole)
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

uint64_t report_suspended_lps(const struct report *report)
{
    assert(report->n_suspended == 0 || report->suspended != NULL);
    uint64_t lps = 0;
    for (size_t i = 0; i < report->n_suspended; i++) {
        lps += report->suspended[i].lps;
    }
    return lps;
}

uint64_t report_total_rollbacks(const struct report *report)
{
    return report->counters.primary_rollbacks + report->counters.secondary_rollbacks;
}

double report_reductions_per_gvt(const struct report *report)
{
    uint64_t rounds = report->counters.gvt_rounds;
    return rounds == 0 ? 0.0 : (double)report->counters.all_reduces / (double)rounds;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static const char *known(const char *text)
{
    return text != NULL ? text : "unknown";
}

static void print_u64(FILE *out, const char *label, uint64_t value)
{
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, value);
}

/* Prints a number with `decimals` decimal places or, if that is too long, with four significant
 * digits. */
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

/* Prints text, wrapped at spaces and indented by a tab. Question marks replace control characters
 * and bytes that are not UTF-8. */
static void print_wrapped(FILE *out, const char *whole)
{
    size_t column = 0;
    char *copy = strdup(whole);
    const char *text = copy == NULL ? "" : copy;
    if (copy != NULL) {
        utf8_drop_controls(copy);
    }
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
    free(copy);
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

/* Prints the number of suspended LPs: in total, for each of the first few values of error_num, and
 * for all other values together. */
static void print_suspended(const struct report *report, FILE *out)
{
    uint64_t others = report_suspended_lps(report);
    if (others == 0) {
        return;
    }
    print_u64(out, "LPs suspended", others);
    for (size_t i = 0; i < report->n_suspended && i < SUSPEND_ERRORS_SHOWN; i++) {
        char label[48];
        snprintf(label, sizeof label, "LPs suspended with error %d",
                 report->suspended[i].error_num);
        if (report->suspended[i].error_num != 0) {
            print_u64(out, label, report->suspended[i].lps);
        }
        assert(others >= report->suspended[i].lps);
        others -= report->suspended[i].lps;
    }
    if (others > 0) {
        print_u64(out, "LPs suspended with other errors", others);
    }
    print_u64(out, "Events for Suspended LPs", report->counters.events_suspended);
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
    print_percent(out, "Percent Remote Events",
                  report_percent_of(remote, report_net_events(report)));
    fputc('\n', out);
    print_u64(out, "Total Roll Backs", report_total_rollbacks(report));
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
    if (c->snapshots > 0) {
        print_u64(out, "Differences of LP States Kept (snapshots)", c->snapshots);
        print_kib(out, "Total Size of Differences, Compressed (KiB)", c->snapshot_bytes);
    }
    print_suspended(report, out);
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
    print_u64(out, "Remote events sent", report->counters.remote_events);
    print_u64(out, "Remote events committed", report_net_remote_events(report));
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
    print_double(out, "Ending of Threads", 4, report->end_seconds);
    print_double(out, "Total Time (Note: Using Running Time above for Speedup)", 4,
                 report->init_seconds + report->run_seconds + report->end_seconds);
}

/* Prints a time in seconds, and its share of the time `all`. */
static void print_seconds(FILE *out, const char *label, double seconds, double all)
{
    char percent[16];
    snprintf(percent, sizeof percent, " %7.2f %%", all > 0.0 ? 100.0 * seconds / all : 0.0);
    print_number(out, label, 4, seconds, percent);
}

/* Prints the phases that took time, with their shares of the total time. */
static void print_phases(const struct report *report, FILE *out)
{
    assert(report->n_phases <= TW_PHASES);
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
            print_seconds(out, phase->title, phase->seconds, sum);
        }
    }
}

/* Prints the sums over ranks, and the rank that lost most of its time to other threads. */
static void print_processors(const struct report *report, FILE *out)
{
    struct processor_time sum = {0};
    uint64_t worst = 0;
    for (uint64_t r = 0; r < report->ranks; r++) {
#define X(name, text) sum.name += report->processors[r].name;
        PROCESSOR_END_LIST(X)
#undef X
        if (report->processors[r].processor_lost_ns > report->processors[worst].processor_lost_ns) {
            worst = r;
        }
    }
    const struct processor_time *most = &report->processors[worst];
    const double all = 1e-9 * (double)sum.processor_wall_ns;
    char label[64];
    fputs("\nTW Processor Statistics (SUM over PEs in secs):\n", out);
    print_seconds(out, "Wall-clock time", all, all);
    print_seconds(out, "In the program", 1e-9 * (double)sum.processor_user_ns, all);
    print_seconds(out, "In the system", 1e-9 * (double)sum.processor_system_ns, all);
    print_seconds(out, "Ready, but other threads ran", 1e-9 * (double)sum.processor_lost_ns, all);
    if (report->ranks > 1 && most->processor_lost_ns > 0) {
        snprintf(label, sizeof label, "   most of it on rank %" PRIu64, worst);
        print_seconds(out, label, 1e-9 * (double)most->processor_lost_ns,
                      1e-9 * (double)most->processor_wall_ns);
    }
    if (sum.processor_shared_ns > 0) {
        /* The time lost includes the turns of the other ranks. */
        print_seconds(out, "Ranks shared processors (--share-cores)",
                      1e-9 * (double)sum.processor_shared_ns, all);
    }
    print_u64(out, "Times that a rank slept", sum.switches_voluntary);
    print_u64(out, "Times that a rank had to make way", sum.switches_involuntary);
    print_u64(out, "Page faults", sum.page_faults);
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
    print_double(out, "Average Reduction / GVT", 2, report_reductions_per_gvt(report));
}

void report_print(const struct report *report, FILE *out)
{
    print_run(report, out);
    print_library(report, out);
    print_memory(report, out);
    print_network(report, out);
    print_sizes(report, out);
    print_clock(report, out);
    if (report->processors != NULL) {
        print_processors(report, out);
    }
    print_phases(report, out);
    print_gvt(report, out);
    fputc('\n', out);
}
