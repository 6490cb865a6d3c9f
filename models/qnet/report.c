/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the printed report: a heading before the run, and a table after the run. Also the JSON
 * file of results, in which unknown values are null.
 *
 * The output depends only on the model and the gathered results, not on the number of ranks or the
 * scheduler.
 */
#include "common/collective.h"
#include "results.h"
#include "text/json.h"

#define NAME_COLUMNS 16

/* Prints to out a blank and then `value`, right-aligned in `width` columns. NAN is printed as
 * "-". */
static void cell_real(FILE *out, int width, const char *format, double value)
{
    char text[64] = "-";
    if (!isnan(value)) {
        snprintf(text, sizeof text, format, value);
    }
    fprintf(out, " %*s", width, text);
}

static void figure_print(FILE *out, const struct qn_figure *figure)
{
    cell_real(out, 13, "%.6g", figure->estimate.mean);
    cell_real(out, 13, "%.3g", figure->estimate.half_width);
    cell_real(out, 13, "%.6g", figure->exact);
    cell_real(out, 6, "%.2f", figure->off);
    fputc('\n', out);
}

void qn_report_heading(FILE *out, const struct qn_model *m)
{
    const struct qn_network *net = &m->network;
    char copies[32] = "";
    if (m->settings->copies > 1) {
        snprintf(copies, sizeof copies, ", %u copies", m->settings->copies);
    }
    if (qn_is_open(net)) {
        fprintf(out, "qnet: network  %s: open, %u station%s, %.6g jobs per time unit%s\n",
                net->name, net->n, net->n == 1 ? "" : "s", m->arrival_rate, copies);
    } else {
        fprintf(out, "qnet: network  %s: closed, %u station%s, %u job%s%s\n", net->name, net->n,
                net->n == 1 ? "" : "s", net->n_jobs, net->n_jobs == 1 ? "" : "s", copies);
    }
    fprintf(out, "qnet: time     %g, statistics from %g on in %u batches\n", m->window.to,
            m->window.from, m->window.n);
    fflush(out);
}

/* Numbers of results. all: results that have an exact value; missed: results that differ from their
 * exact value by more than a half-width; linked: results whose batches are correlated. */
struct misses {
    unsigned all;
    unsigned missed;
    unsigned linked;
};

static void misses_add(struct misses *misses, const struct qn_figure *figure, unsigned batches)
{
    misses->all += isnan(figure->off) ? 0 : 1;
    misses->missed += fabs(figure->off) > 1;
    misses->linked += qn_estimate_is_linked(&figure->estimate, batches);
}

static void station_print(FILE *out, const struct qn_model *m, const struct qn_results *r,
                          unsigned station, struct misses *misses, bool show)
{
    const struct qn_station_spec *spec = &m->network.stations[station];
    char name[QN_NAME_SIZE + 32];
    if (spec->servers == QN_INFINITE) {
        snprintf(name, sizeof name, "%.*s (inf)", NAME_COLUMNS - 7, spec->name);
    } else {
        snprintf(name, sizeof name, "%.*s (%u)", NAME_COLUMNS - 7, spec->name, spec->servers);
    }
    const char *label = name;
    for (unsigned q = 0; q < QN_STATION_QUANTITIES; q++) {
        if (!qn_figure_exists(m, station, q)) {
            continue;
        }
        struct qn_figure figure = qn_figure(m, r, station, q);
        misses_add(misses, &figure, m->window.n);
        if (show) {
            fprintf(out, "%-*s %-11s", NAME_COLUMNS, label, qn_quantity_name(q));
            figure_print(out, &figure);
        }
        label = "";
    }
}

void qn_report_table(FILE *out, const struct qn_model *m, const struct qn_results *r)
{
    unsigned rows = ROSS_MIN(m->network.n, m->settings->rows);
    struct misses misses = {0, 0, 0};
    fprintf(out, "\nqnet: stations (%u of %u), 95 %% confidence; off: in half-widths\n", rows,
            m->network.n);
    fprintf(out, "%-*s %-11s %13s %13s %13s %6s\n", NAME_COLUMNS, "name (servers)", "quantity",
            "simulated", "half-width", "exact", "off");
    for (unsigned i = 0; i < m->network.n; i++) {
        station_print(out, m, r, i, &misses, i < rows);
    }
    for (unsigned q = QN_STATION_QUANTITIES; q < QN_QUANTITIES; q++) {
        struct qn_figure figure = qn_figure(m, r, 0, q);
        misses_add(&misses, &figure, m->window.n);
        fprintf(out, "%-*s %-11s", NAME_COLUMNS, q == QN_STATION_QUANTITIES ? "the network" : "",
                qn_quantity_name(q));
        figure_print(out, &figure);
    }
    fprintf(out,
            "qnet: %u of %u figures are farther from the exact value than a half-width; one in\n"
            "qnet: 20 is to be expected\n",
            misses.missed, misses.all);
    if (misses.linked > 1 + misses.all / 20) {
        fprintf(
            out,
            "qnet: batches are correlated in %u of %u figures, so the intervals are too narrow:\n"
            "qnet: give a longer --end or fewer --batches\n",
            misses.linked, misses.all);
    }
    fflush(out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void figure_write(struct json_writer *json, const struct qn_model *m,
                         const struct qn_results *r, unsigned station, enum qn_quantity quantity)
{
    struct qn_figure figure = qn_figure(m, r, station, quantity);
    json_object_open(json, qn_quantity_name(quantity));
    json_put_double(json, "mean", figure.estimate.mean);
    json_put_double(json, "half_width", figure.estimate.half_width);
    json_put_double(json, "exact", figure.exact);
    json_put_double(json, "off", figure.off);
    json_put_double(json, "correlation", figure.estimate.correlation);
    json_object_close(json);
}

static void station_write(struct json_writer *json, const struct qn_model *m,
                          const struct qn_results *r, unsigned station)
{
    const struct qn_station_spec *spec = &m->network.stations[station];
    json_object_open(json, NULL);
    json_put_string(json, "name", spec->name);
    json_put_double(json, "servers",
                    spec->servers == QN_INFINITE ? (double)INFINITY : spec->servers);
    json_put_double(json, "rate", spec->rate);
    json_put_double(json, "visits", m->exact.visits[station]);
    for (unsigned q = 0; q < QN_STATION_QUANTITIES; q++) {
        if (qn_figure_exists(m, station, q)) {
            figure_write(json, m, r, station, q);
        }
    }
    json_object_close(json);
}

static void results_write(FILE *out, const struct qn_model *m, const struct qn_results *r)
{
    struct json_writer json = {.out = out};
    json_object_open(&json, NULL);
    json_object_open(&json, "network");
    json_put_string(&json, "name", m->network.name);
    json_put_bool(&json, "open", qn_is_open(&m->network));
    json_put_u64(&json, "jobs", m->network.n_jobs);
    json_put_u64(&json, "copies", m->settings->copies);
    json_put_double(&json, "transit", m->settings->transit);
    json_put_double(&json, "from", m->window.from);
    json_put_double(&json, "to", m->window.to);
    json_put_u64(&json, "batches", m->window.n);
    figure_write(&json, m, r, 0, QN_TRIPS);
    figure_write(&json, m, r, 0, QN_TRIP_TIME);
    json_object_close(&json);
    json_array_open(&json, "stations");
    for (unsigned i = 0; i < m->network.n; i++) {
        station_write(&json, m, r, i);
    }
    json_array_close(&json);
    json_object_close(&json);
}

bool qn_json_write(FILE *file, const struct qn_model *m, const struct qn_results *r,
                   struct model_error *error)
{
    if (file == NULL) {
        return true;
    }
    results_write(file, m, r);
    return model_results_close(file, m->settings->results, error);
}
