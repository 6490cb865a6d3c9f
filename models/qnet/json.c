/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - writes the results of all stations to a JSON file. Unknown values are null. */
#include "report.h"

#include "common/results_file.h"
#include "text/json.h"

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
