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

/* Begins a sample: its name with the label of the run. */
static void sample(FILE *out, const char *name, const char *ending, const struct top_run *run)
{
    fprintf(out, "warpscope_%s%s", name, ending);
    label(out, true, "run", run->folder);
}

static void value(FILE *out, double number)
{
    fputs("} ", out);
    json_print_double(out, number);
    fputc('\n', out);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

enum number {
    GVT,
    END_TIME,
    ELAPSED,
    SILENCE,
    STALLED,
    EFFICIENCY,
    RATE,
    EARLY,
    LIKELY,
    LATE,
    NUMBERS
};

static const struct {
    const char *name, *unit, *help;
    const char *label, *label_value; /* NULL: none */
} numbers[NUMBERS] = {
    {"gvt", NULL, "Virtual time that all ranks have passed", NULL, NULL},
    {"end_time", NULL, "Virtual time at which the simulation ends", NULL, NULL},
    {"elapsed_seconds", "seconds", "Wall-clock time of the run so far", NULL, NULL},
    {"silence_seconds", "seconds", "Time since the latest record", NULL, NULL},
    {"stalled", NULL, "1 if no news comes, or GVT does not advance", NULL, NULL},
    {"efficiency_ratio", "ratio", "1 - undone / kept events, over the latest 10 seconds", NULL,
     NULL},
    {"committed_per_second", NULL, "Events committed per second, over the latest 10 seconds", NULL,
     NULL},
    {"remaining_seconds", "seconds", "Estimated time until the end", "estimate", "early"},
    {"remaining_seconds", "seconds", NULL, "estimate", "likely"},
    {"remaining_seconds", "seconds", NULL, "estimate", "late"},
};

static double number_of(const struct top_run *run, enum number which)
{
    struct top_rates r;
    struct top_eta eta = {(double)NAN, (double)NAN, (double)NAN};
    top_rates_now(run, &r);
    top_eta_now(run, &eta);
    const double all[NUMBERS] = {[GVT] = run->model.gvt,
                                 [END_TIME] = run->end_time,
                                 [ELAPSED] = run->elapsed,
                                 [SILENCE] = date_clock() - run->model.news,
                                 [STALLED] = run->state == TOP_SILENT ||
                                             (run->state == TOP_RUNNING && run->stalled),
                                 [EFFICIENCY] = ws_efficiency(r.of.processed, r.of.undone) / 100,
                                 [RATE] = r.of.committed,
                                 [EARLY] = eta.early,
                                 [LIKELY] = eta.likely,
                                 [LATE] = eta.late};
    return all[which];
}

static void states_write(FILE *out, const struct top_run *run)
{
    static const char *const states[] = {"waiting", "reading", "running",
                                         "silent",  "killed",  "ended"};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        sample(out, "state", "", run);
        label(out, false, "warpscope_state", states[i]);
        value(out, (size_t)run->state == i);
    }
}

/* ---- PEs ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum ws_count count;
    double unit; /* divisor of the count; if it is not 1, the metric is in seconds */
} counters[] = {
    {"events_committed", WS_COMMITTED, 1},    {"events_executed", WS_PROCESSED, 1},
    {"events_undone", WS_UNDONE, 1},          {"rollbacks", WS_ROLLBACKS, 1},
    {"secondary_rollbacks", WS_SECONDARY, 1}, {"gvt_computations", WS_GVTS, 1},
    {"remote_events", WS_REMOTE, 1},          {"processor_seconds", WS_COVERED, 1e9},
    {"processor_lost_seconds", WS_LOST, 1e9},
};

enum level { QUEUE, AHEAD, MEMORY, PE_SILENCE, LEVELS };
static const struct {
    const char *name, *unit, *help;
} levels[LEVELS] = {
    {"pending_events", NULL, "Pending events of a PE"},
    {"ahead", NULL, "Virtual time from GVT to the latest event of the KP farthest ahead"},
    {"memory_bytes", "bytes", "Memory of the process of a PE"},
    {"pe_silence_seconds", "seconds", "Time since the latest record of a PE"},
};

static double level_of(const struct top_model *m, uint32_t pe, enum level which)
{
    const struct top_pe *p = &m->pes[pe];
    const double all[LEVELS] = {[QUEUE] = m->has_queue ? (double)p->queue : (double)NAN,
                                [AHEAD] = m->has_ahead ? m->parts[TOP_OF_PES].list[pe].ahead
                                                       : (double)NAN,
                                [MEMORY] = p->process != 0 ? (double)p->memory : (double)NAN,
                                [PE_SILENCE] = date_clock() - p->news};
    return all[which];
}

/* Writes a sample of a PE, unless its number is unknown. phase NULL: it has no such label. */
static void pe_write(FILE *out, const char *name, const char *ending, const struct top_run *run,
                     uint32_t pe, const char *phase, double number)
{
    char text[16];
    if (isnan(number) || run->model.pes[pe].elsewhere) {
        return;
    }
    snprintf(text, sizeof text, "%u", (unsigned)pe);
    sample(out, name, ending, run);
    label(out, false, "pe", text);
    if (phase != NULL) {
        label(out, false, "phase", phase);
    }
    value(out, number);
}

static void phases_write(FILE *out, const struct top_run *run)
{
    double ticks = run->model.has_phases ? ws_stats_ticks_per_second(run->files[0].live->sb) : 0;
    for (uint32_t pe = 0; ticks > 0 && pe < run->model.n_pes; pe++) {
        for (int i = 0; i < WS_PHASE_COUNT; i++) {
            pe_write(out, "phase_seconds", "_total", run, pe, ws_phase_names[i].json,
                     run->model.pes[pe].times[i] / ticks);
        }
    }
}

static void findings_write(FILE *out, const struct top_run *run)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, WS_FINDINGS_MAX);
    for (size_t i = 0; i < n; i++) {
        sample(out, "finding_ratio", "", run);
        label(out, false, "rule", list[i].rule);
        value(out, list[i].weight);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Calls a function, or the statement in its place, for each run whose records were read. */
#define EACH_RUN(serve, run)                                                                       \
    for (uint32_t at_ = 0; at_ < (serve)->n_runs; at_++)                                           \
        for (const struct top_run *run = &(serve)->runs[at_]->top; run != NULL; run = NULL)        \
            if (run->n_files > 0 && run->state != TOP_READING)

static void counters_write(FILE *out, const struct serve *serve)
{
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        family(out, counters[i].name, "counter", counters[i].unit > 1 ? "seconds" : NULL,
               ws_count_names[counters[i].count].words);
        EACH_RUN(serve, run)
        {
            const struct top_model *m = &run->model;
            for (uint32_t pe = 0; pe < m->n_pes; pe++) {
                const struct ws_counts *counts = &m->parts[TOP_OF_PES].list[pe].counts;
                bool known = top_knows(m, TOP_OF_PES, counters[i].count) ||
                             counters[i].count == WS_COMMITTED;
                pe_write(out, counters[i].name, "_total", run, pe, NULL,
                         known ? (double)counts->each[counters[i].count] / counters[i].unit
                               : (double)NAN);
            }
        }
    }
}

void serve_metrics_write(FILE *out, const struct serve *serve)
{
    family(out, "run", "info", NULL, "A run, and the command that started it");
    EACH_RUN(serve, run)
    {
        const char *command = top_run_fact(run, "command");
        sample(out, "run", "_info", run);
        label(out, false, "command", command == NULL ? "" : command);
        value(out, 1);
    }
    family(out, "state", "stateset", NULL, "What the run is doing");
    EACH_RUN(serve, run)
    {
        states_write(out, run);
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (numbers[i].help != NULL) {
            family(out, numbers[i].name, "gauge", numbers[i].unit, numbers[i].help);
        }
        EACH_RUN(serve, run)
        {
            double number = number_of(run, (enum number)i);
            if (!isnan(number)) {
                sample(out, numbers[i].name, "", run);
                if (numbers[i].label != NULL) {
                    label(out, false, numbers[i].label, numbers[i].label_value);
                }
                value(out, number);
            }
        }
    }
    counters_write(out, serve);
    for (int i = 0; i < LEVELS; i++) {
        family(out, levels[i].name, "gauge", levels[i].unit, levels[i].help);
        EACH_RUN(serve, run)
        {
            for (uint32_t pe = 0; pe < run->model.n_pes; pe++) {
                pe_write(out, levels[i].name, "", run, pe, NULL,
                         level_of(&run->model, pe, (enum level)i));
            }
        }
    }
    family(out, "phase_seconds", "counter", "seconds", "Time of a PE in each phase");
    EACH_RUN(serve, run)
    {
        phases_write(out, run);
    }
    family(out, "finding_ratio", "gauge", "ratio", "Share of the time that a cost takes");
    EACH_RUN(serve, run)
    {
        findings_write(out, run);
    }
    fputs("# EOF\n", out);
}
