/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metrics.c - the states of all runs in the text format of OpenMetrics 1.0; see serve.h. A family of metrics
 * has the samples of all runs, since those of a family must be together. A value that is unknown has no
 * sample, nor has a run whose older records are still being read: its counters would seem to restart.
 */
#include "serve/serve.h"
#include "text/utf8.h"

/* The metrics: facts and values of runs, then levels of PEs. The counts of PEs (figures/counts.h) follow. */
enum { M_FACTS, M_RUN_VALUES = 9, METRICS = 13 };
static const struct {
    const char *name, *type, *help;
} metrics[METRICS] = {
    {"run", "info", "A run, and what it does"},
    {"gvt", "gauge", "Virtual time that all ranks have passed"},
    {"end_time", "gauge", "Virtual time at which the simulation ends"},
    {"elapsed_seconds", "gauge", "Wall-clock time of the run so far"},
    {"remaining_seconds", "gauge", "Estimated time until the end"},
    {"silence_seconds", "gauge", "Time since the latest record"},
    {"stalled", "gauge", "1 if no news comes, or GVT does not advance"},
    {"efficiency_ratio", "gauge", "1 - undone / kept events, over 10 seconds"},
    {"committed_per_second", "gauge", "Events committed per second, over 10 seconds"},
    {"pending_events", "gauge", "Pending events"},
    {"ahead", "gauge", "Virtual time from GVT to the latest event"},
    {"memory_bytes", "gauge", "Memory of the process"},
    {"pe_silence_seconds", "gauge", "Time since the latest record of the PE"},
};

/* Returns a value of a run or of a PE; NaN: it is unknown. */
static double value_of(const struct top_run *run, int family, uint32_t pe)
{
    const struct top_model *m = &run->model;
    const struct top_pe *p = &m->pes[pe];
    const struct top_part *part = &m->parts[TOP_OF_PES].list[pe];
    const double now = date_clock();
    if (family >= METRICS) {
        const enum ws_count count = (enum ws_count)(family - METRICS);
        bool is_known = count == WS_COMMITTED || top_knows(m, TOP_OF_PES, count);
        return is_known ? (double)part->counts.each[count] : NAN;
    }
    struct top_rates r;
    struct top_eta eta = {.likely = NAN};
    top_rates_now(run, &r);
    top_eta_now(run, &eta);
    const double all[METRICS] = {NAN,
                                 m->gvt,
                                 run->end_time,
                                 run->elapsed,
                                 eta.likely,
                                 now - m->news,
                                 run->state == TOP_SILENT ||
                                     (run->state == TOP_RUNNING && run->stalled),
                                 ws_efficiency(r.of.processed, r.of.undone) / 100,
                                 r.of.committed,
                                 m->has_queue ? (double)p->queue : NAN,
                                 m->has_ahead ? part->ahead : NAN,
                                 p->process != 0 ? (double)p->memory : NAN,
                                 now - p->news};
    return all[family];
}

/* Writes a label, whose value is UTF-8: quotes, backslashes and line feeds are escaped, nothing else. */
static void label(FILE *out, const char *before, const char *name, const char *value)
{
    fprintf(out, "%s%s=\"", before, name);
    for (size_t n; value != NULL && *value != '\0'; value += n > 0 ? n : 1) {
        n = utf8_length(value, UTF8_MAX);
        if (n == 0) {
            fputs(u8"\ufffd", out);
        } else if (*value == '\n') {
            fputs("\\n", out);
        } else {
            fprintf(out, "%s%.*s", *value == '"' || *value == '\\' ? "\\" : "", (int)n, value);
        }
    }
    fputc('"', out);
}

/* Writes the samples of a family of a run. */
static void samples_write(FILE *out, int family, const char *name, const struct top_run *run)
{
    if (family == M_FACTS) {
        label(out, "warpscope_run_info{", "run", run->folder);
        label(out, ",", "command", top_run_fact(run, "command"));
        label(out, ",", "state", top_state_word(run));
        fputs("} 1\n", out);
        return;
    }
    for (uint32_t pe = 0; pe < (family < M_RUN_VALUES ? 1 : run->model.n_pes); pe++) {
        const double value = value_of(run, family, pe);
        if (isnan(value) || (family >= M_RUN_VALUES && run->model.pes[pe].elsewhere)) {
            continue;
        }
        fprintf(out, "warpscope_%s%s", name, family < METRICS ? "" : "_total");
        label(out, "{", "run", run->folder);
        if (family >= M_RUN_VALUES) {
            fprintf(out, ",pe=\"%u\"", (unsigned)pe);
        }
        fputs("} ", out);
        json_print_double(out, value);
        fputc('\n', out);
    }
}

void serve_metrics_write(FILE *out, const struct serve *serve)
{
    for (int i = 0; i < METRICS + WS_COUNTS; i++) {
        const struct ws_count_name *count = i < METRICS ? NULL : &ws_count_names[i - METRICS];
        const char *name = count == NULL ? metrics[i].name : count->field;
        if (name == NULL) {
            continue; /* samples do not have it */
        }
        fprintf(out, "# TYPE warpscope_%s %s\n# HELP warpscope_%s %s\n", name,
                count == NULL ? metrics[i].type : "counter", name,
                count == NULL ? metrics[i].help : count->words);
        for (uint32_t k = 0; k < serve->n_runs; k++) {
            const struct top_run *run = &serve->runs[k]->top;
            if (run->n_files > 0 && run->state != TOP_READING) {
                samples_write(out, i, name, run);
            }
        }
    }
    fputs("# EOF\n", out);
}
