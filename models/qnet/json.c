/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - the results of all stations as a JSON file (RFC 8259).
 *
 * Numbers have 17 digits, so that they read back as the same doubles. Unknown values are null.
 * Names of stations are plain letters. Only the network's name, which comes from a file, needs
 * escapes.
 */
#include "report.h"

#include <errno.h>

#include "common/results_file.h"

bool qn_json_open(FILE **file, const struct qn_settings *settings, MPI_Comm comm,
                  struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    *file = NULL;
    int ok = 1;
    if (rank == 0 && settings->results[0] != '\0') {
        *file = fopen(settings->results, "w");
        ok = *file != NULL || model_fail(error, "--results=%.500s: cannot be written: %s",
                                         settings->results, strerror(errno));
    }
    MPI_Bcast(&ok, 1, MPI_INT, 0, comm);
    if (!ok) {
        MPI_Bcast(error->text, (int)sizeof error->text, MPI_CHAR, 0, comm);
    }
    return ok != 0;
}

static void text_write(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fputc('\\', out);
        }
        if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}

static void number_write(FILE *out, const char *name, double value)
{
    if (isfinite(value)) {
        fprintf(out, "\"%s\": %.17g", name, value);
    } else {
        fprintf(out, "\"%s\": null", name);
    }
}

static void figure_write(FILE *out, const struct qn_model *m, const struct qn_results *r,
                         unsigned station, enum qn_quantity quantity)
{
    struct qn_figure figure = qn_figure(m, r, station, quantity);
    fprintf(out, ",\n      \"%s\": {", qn_quantity_name(quantity));
    number_write(out, "mean", figure.estimate.mean);
    fputs(", ", out);
    number_write(out, "half_width", figure.estimate.half_width);
    fputs(", ", out);
    number_write(out, "exact", figure.exact);
    fputs(", ", out);
    number_write(out, "off", figure.off);
    fputs(", ", out);
    number_write(out, "correlation", figure.estimate.correlation);
    fputc('}', out);
}

static void station_write(FILE *out, const struct qn_model *m, const struct qn_results *r,
                          unsigned station)
{
    const struct qn_station_spec *spec = &m->network.stations[station];
    fprintf(out, "%s    {\n      \"name\": \"%s\",\n      ", station == 0 ? "" : ",\n", spec->name);
    number_write(out, "servers", spec->servers == QN_INFINITE ? (double)INFINITY : spec->servers);
    fputs(",\n      ", out);
    number_write(out, "rate", spec->rate);
    fputs(",\n      ", out);
    number_write(out, "visits", m->exact.visits[station]);
    for (unsigned q = 0; q < QN_STATION_QUANTITIES; q++) {
        if (qn_figure_exists(m, station, q)) {
            figure_write(out, m, r, station, q);
        }
    }
    fputs("\n    }", out);
}

static void results_write(FILE *out, const struct qn_model *m, const struct qn_results *r)
{
    fputs("{\n  \"network\": {\n      \"name\": ", out);
    text_write(out, m->network.name);
    fprintf(out, ",\n      \"open\": %s", qn_is_open(&m->network) ? "true" : "false");
    fprintf(out, ",\n      \"jobs\": %u", m->network.n_jobs);
    fprintf(out, ",\n      \"copies\": %u,\n      ", m->settings->copies);
    number_write(out, "transit", m->settings->transit);
    fputs(",\n      ", out);
    number_write(out, "from", m->window.from);
    fputs(",\n      ", out);
    number_write(out, "to", m->window.to);
    fprintf(out, ",\n      \"batches\": %u", m->window.n);
    figure_write(out, m, r, 0, QN_TRIPS);
    figure_write(out, m, r, 0, QN_TRIP_TIME);
    fputs("\n  },\n  \"stations\": [\n", out);
    for (unsigned i = 0; i < m->network.n; i++) {
        station_write(out, m, r, i);
    }
    fputs("\n  ]\n}\n", out);
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
