/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metrics.c - the states of all runs in the text format of OpenMetrics 1.0; see serve.h. A family of metrics
 * has the samples of all runs, since those of a family must be together. A value that is unknown has no
 * sample, nor has a run whose older records are still being read: its counters would seem to restart.
 */
#include <string.h>
#include <time.h>

#include "figures/values.h"
#include "serve/serve.h"
#include "text/utf8.h"

/* ---- Text ------------------------------------------------------------------------------------ */

/* Begins a family. unit NULL: none; the name then ends otherwise. */
static void family(FILE *out, const char *name, const char *type, const char *unit,
                   const char *help)
{
    fprintf(out, "# TYPE warpscope_%s %s\n", name, type);
    if (unit != NULL) {
        fprintf(out, "# UNIT warpscope_%s %s\n", name, unit);
    }
    fprintf(out, "# HELP warpscope_%s %s\n", name, help);
}

/* Writes a label. first: true for the first one of its sample. */
static void label(FILE *out, bool first, const char *name, const char *value)
{
    char part[UTF8_MAX * 3 + 1];
    fprintf(out, "%s%s=\"", first ? "{" : ",", name);
    for (size_t length; *value != '\0'; value += length) {
        length = utf8_length(value, UTF8_MAX);
        length = length == 0 ? 1 : length;
        char *end = utf8_repair(part, value, length);
        if (*value == '\n') {
            fputs("\\n", out);
        } else {
            fprintf(out, "%s%.*s", *value == '"' || *value == '\\' ? "\\" : "", (int)(end - part),
                    part);
        }
    }
    fputc('"', out);
}

/* Begins a sample: its name with the labels of the run and, unless it is negative, of the PE. */
static void sample(FILE *out, const char *name, const char *ending, const struct top_run *run,
                   int64_t pe)
{
    fprintf(out, "warpscope_%s%s", name, ending);
    label(out, true, "run", run->folder);
    if (pe >= 0) {
        fprintf(out, ",pe=\"%d\"", (int)pe);
    }
}

static void value(FILE *out, double number)
{
    fputs("} ", out);
    json_print_double(out, number);
    fputc('\n', out);
}

/* ---- Metrics --------------------------------------------------------------------------------- */

/* The metrics without further labels: of runs, then of their PEs, for which the counters are first. */
enum metric {
    M_GVT,
    M_END_TIME,
    M_ELAPSED,
    M_REMAINING,
    M_SILENCE,
    M_STALLED,
    M_EFFICIENCY,
    M_RATE,
    M_COUNTERS,
    M_QUEUE = M_COUNTERS + 9,
    M_AHEAD,
    M_MEMORY,
    M_PE_SILENCE,
    METRICS
};
static const struct {
    const char *name, *unit, *help;
    enum ws_count count; /* of a counter; in ns if the unit is seconds */
} metrics[METRICS] = {
    [M_GVT] = {"gvt", NULL, "Virtual time that all ranks have passed"},
    [M_END_TIME] = {"end_time", NULL, "Virtual time at which the simulation ends"},
    [M_ELAPSED] = {"elapsed_seconds", "seconds", "Wall-clock time of the run so far"},
    [M_REMAINING] = {"remaining_seconds", "seconds", "Estimated time until the end"},
    [M_SILENCE] = {"silence_seconds", "seconds", "Time since the latest record"},
    [M_STALLED] = {"stalled", NULL, "1 if no news comes, or GVT does not advance"},
    [M_EFFICIENCY] = {"efficiency_ratio", "ratio", "1 - undone / kept events, over 10 seconds"},
    [M_RATE] = {"committed_per_second", NULL, "Events committed per second, over 10 seconds"},
    [M_COUNTERS] = {"events_committed", NULL, "Events committed", WS_COMMITTED},
    {"events_executed", NULL, "Events executed", WS_PROCESSED},
    {"events_undone", NULL, "Events undone", WS_UNDONE},
    {"rollbacks", NULL, "Rollbacks", WS_ROLLBACKS},
    {"secondary_rollbacks", NULL, "Rollbacks caused by cancelled events", WS_SECONDARY},
    {"gvt_computations", NULL, "GVT computations", WS_GVTS},
    {"remote_events", NULL, "Events sent to other ranks", WS_REMOTE},
    {"processor_seconds", "seconds", "Time in which the thread ran or was ready", WS_COVERED},
    {"processor_lost_seconds", "seconds", "Time in which others ran instead", WS_LOST},
    [M_QUEUE] = {"pending_events", NULL, "Pending events"},
    [M_AHEAD] = {"ahead", NULL, "Virtual time from GVT to the latest event"},
    [M_MEMORY] = {"memory_bytes", "bytes", "Memory of the process"},
    [M_PE_SILENCE] = {"pe_silence_seconds", "seconds", "Time since the latest record of the PE"},
};

static double run_value(const struct top_run *run, enum metric which)
{
    struct top_rates r;
    struct top_eta eta = {.likely = (double)NAN};
    top_rates_now(run, &r);
    top_eta_now(run, &eta);
    const double all[M_COUNTERS] = {
        [M_GVT] = run->model.gvt,
        [M_END_TIME] = run->end_time,
        [M_ELAPSED] = run->elapsed,
        [M_REMAINING] = eta.likely,
        [M_SILENCE] = date_clock() - run->model.news,
        [M_STALLED] = run->state == TOP_SILENT || (run->state == TOP_RUNNING && run->stalled),
        [M_EFFICIENCY] = ws_efficiency(r.of.processed, r.of.undone) / 100,
        [M_RATE] = r.of.committed};
    return all[which];
}

static double pe_value(const struct top_model *m, uint32_t pe, enum metric which)
{
    const struct top_pe *p = &m->pes[pe];
    const struct top_part *part = &m->parts[TOP_OF_PES].list[pe];
    if (which < M_QUEUE) {
        enum ws_count count = metrics[which].count;
        return count != WS_COMMITTED && !top_knows(m, TOP_OF_PES, count) ? (double)NAN
               : metrics[which].unit != NULL ? (double)part->counts.each[count] / 1e9
                                             : (double)part->counts.each[count];
    }
    const double all[] = {
        m->has_queue ? (double)p->queue : (double)NAN, m->has_ahead ? part->ahead : (double)NAN,
        p->process != 0 ? (double)p->memory : (double)NAN, date_clock() - p->news};
    return all[which - M_QUEUE];
}

/* Writes the samples of a metric of a run: one, or one for each PE. */
static void metric_write(FILE *out, const struct top_run *run, enum metric which)
{
    const char *ending = which >= M_COUNTERS && which < M_QUEUE ? "_total" : "";
    for (uint32_t i = 0; i < (which < M_COUNTERS ? 1 : run->model.n_pes); i++) {
        double number = which < M_COUNTERS            ? run_value(run, which)
                        : run->model.pes[i].elsewhere ? (double)NAN
                                                      : pe_value(&run->model, i, which);
        if (!isnan(number)) {
            sample(out, metrics[which].name, ending, run, which < M_COUNTERS ? -1 : (int64_t)i);
            value(out, number);
        }
    }
}

static void info_write(FILE *out, const struct top_run *run)
{
    const char *command = top_run_fact(run, "command");
    sample(out, "run", "_info", run, -1);
    label(out, false, "command", command == NULL ? "" : command);
    value(out, 1);
}

static void states_write(FILE *out, const struct top_run *run)
{
    static const char *const states[] = {"waiting", "reading", "running",
                                         "silent",  "killed",  "ended"};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        sample(out, "state", "", run, -1);
        label(out, false, "warpscope_state", states[i]);
        value(out, (size_t)run->state == i);
    }
}

static void phases_write(FILE *out, const struct top_run *run)
{
    double ticks = run->model.has_phases ? ws_stats_ticks_per_second(run->files[0].live->sb) : 0;
    for (uint32_t pe = 0; ticks > 0 && pe < run->model.n_pes; pe++) {
        for (int i = 0; i < WS_PHASE_COUNT && !run->model.pes[pe].elsewhere; i++) {
            sample(out, "phase_seconds", "_total", run, pe);
            label(out, false, "phase", ws_phase_names[i].json);
            value(out, run->model.pes[pe].times[i] / ticks);
        }
    }
}

void serve_metrics_write(FILE *out, const struct serve *serve)
{
    static const struct {
        const char *name, *type, *unit, *help;
        void (*write)(FILE *out, const struct top_run *run);
    } others[] = {
        {"run", "info", NULL, "A run, and the command that started it", info_write},
        {"state", "stateset", NULL, "What the run is doing", states_write},
        {"phase_seconds", "counter", "seconds", "Time of a PE in each phase", phases_write}};
    const unsigned n_others = sizeof others / sizeof others[0];
    for (unsigned i = 0; i < n_others + METRICS; i++) {
        enum metric which = (enum metric)(i < n_others ? 0 : i - n_others);
        if (i < n_others) {
            family(out, others[i].name, others[i].type, others[i].unit, others[i].help);
        } else {
            family(out, metrics[which].name,
                   which >= M_COUNTERS && which < M_QUEUE ? "counter" : "gauge",
                   metrics[which].unit, metrics[which].help);
        }
        for (uint32_t k = 0; k < serve->n_runs; k++) {
            const struct top_run *run = &serve->runs[k]->top;
            if (run->n_files == 0 || run->state == TOP_READING) {
                continue;
            }
            if (i < n_others) {
                others[i].write(out, run);
            } else {
                metric_write(out, run, which);
            }
        }
    }
    fputs("# EOF\n", out);
}
