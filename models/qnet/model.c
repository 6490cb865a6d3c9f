/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - builds the simulated networks and provides their parts to the LPs.
 *
 * The parts are built in this order: text of the network; stations and routes; changes of these
 * that options request; exact values; window, running sums, LP types. The result of every step
 * depends only on the text, the settings and the number of ranks. Therefore all ranks reach the
 * same result, errors included.
 *
 * The gids of the LPs are assigned copy by copy. Within a copy, the stations come first, then the
 * outside if the network is open. Each rank has a block of about the same number of LPs. If there
 * are at least as many copies as ranks, a block consists of whole copies.
 *
 * qn_model_init() writes the_model, which is read-only during the run, except for the names of
 * places.
 */
#include "model.h"

#include "common/collective.h"
#include "results.h"

#define FILE_BYTES_MAX ((size_t)4 << 20)

static struct qn_model the_model;
const struct qn_model *const qn_the_model = &the_model;

static bool network_read(struct qn_model *m, MPI_Comm comm, struct model_error *error)
{
    const struct qn_settings *s = m->settings;
    if (s->file[0] == '\0') {
        const char *text = qn_builtin_text(s->network);
        if (text == NULL) {
            return model_fail(error, "--network=%s: there is %s; others with --network-file=FILE",
                              s->network, qn_builtin_names());
        }
        return qn_network_parse(&m->network, s->network, text, error);
    }
    size_t size = 0;
    char *text = model_file_share(comm, s->file, FILE_BYTES_MAX, &size, error);
    if (text == NULL) {
        return false;
    }
    const char *name = model_base_name(s->file);
    bool ok = strlen(text) == size
                  ? qn_network_parse(&m->network, name, text, error)
                  : model_fail(error, "%s: is no text: it has zero bytes", s->file);
    free(text);
    return ok;
}

/* Multiplies all arrival rates by a common factor so that the busiest station has the load `load`.
 * The load of a station is proportional to the arrival rates. */
static bool load_apply(struct qn_network *net, double load, struct model_error *error)
{
    double rates[QN_MAX_STATIONS];
    double busiest = 0;
    if (!qn_solve_traffic(net, rates)) {
        return model_fail(error, "%s: its traffic equations have no solution", net->name);
    }
    for (unsigned i = 0; i < net->n; i++) {
        const struct qn_station_spec *s = &net->stations[i];
        if (s->servers != QN_INFINITE) {
            busiest = ROSS_MAX(busiest, rates[i] / (s->rate * s->servers));
        }
    }
    if (busiest == 0) {
        return model_fail(error, "--load: no station of %s has a finite number of servers",
                          net->name);
    }
    for (unsigned i = 0; i < net->n; i++) {
        net->stations[i].arrivals *= load / busiest;
    }
    return true;
}

static bool options_apply(struct qn_model *m, struct model_error *error)
{
    const struct qn_settings *s = m->settings;
    struct qn_network *net = &m->network;
    if (s->jobs > 0 && qn_is_open(net)) {
        return model_fail(error, "--jobs=%u: %s is an open network, without a number of jobs",
                          s->jobs, net->name);
    }
    if (s->jobs > QN_MAX_JOBS) {
        return model_fail(error, "--jobs=%u is out of range: 1 to %d", s->jobs, QN_MAX_JOBS);
    }
    if (s->load > 0 && !qn_is_open(net)) {
        return model_fail(error, "--load: %s is a closed network, without arrivals to scale",
                          net->name);
    }
    if (s->cross > 0 && !qn_is_open(net)) {
        return model_fail(error,
                          "--cross needs an open network, and %s is closed: jobs would mix between "
                          "its copies, which would no longer have %u each",
                          net->name, net->n_jobs);
    }
    net->n_jobs = s->jobs > 0 ? s->jobs : net->n_jobs;
    if (g_tw_synchronization_protocol == CONSERVATIVE && s->transit == 0) {
        return model_fail(error,
                          "--synch=2 needs time between stations, and --transit=0 leaves none; "
                          "give a transit or use --synch=3");
    }
    if (g_tw_synchronization_protocol == CONSERVATIVE && g_tw_ts_end + s->transit == g_tw_ts_end &&
        g_tw_ts_end <= DBL_MAX) {
        return model_fail(error,
                          "--synch=2 needs time between stations, and --transit=%g is lost in "
                          "rounding before --end=%g; give at least %.1g or use --synch=3",
                          s->transit, g_tw_ts_end, nextafter(g_tw_ts_end, INFINITY) - g_tw_ts_end);
    }
    return s->load == 0 || load_apply(net, s->load, error);
}

static void sums_build(struct qn_model *m)
{
    const struct qn_network *net = &m->network;
    m->ways = tw_calloc(TW_LOC, "routes", sizeof *m->ways, (size_t)net->n * net->n);
    m->arrival_rate = 0;
    for (unsigned i = 0; i < net->n; i++) {
        double sum = 0;
        for (unsigned j = 0; j < net->n; j++) {
            sum += net->route[i * net->n + j];
            m->ways[i * net->n + j] = sum;
        }
        /* If the probabilities in the row add up to 1 except for rounding, sets the last sums in
         * the row to a value above 1, so that no job leaves by mistake. */
        for (unsigned j = net->n; sum > 1 - 1e-9 && j-- > 0 && m->ways[i * net->n + j] == sum;) {
            m->ways[i * net->n + j] = 2;
        }
        m->arrival_rate += net->stations[i].arrivals;
        m->arrival_sums[i] = m->arrival_rate;
    }
}

static void types_build(struct qn_model *m)
{
    size_t batches = (m->window.n + 1) * sizeof(struct qn_batch);
    for (unsigned i = 0; i < m->network.n; i++) {
        m->station_types[i] = (tw_lptype){
            .init = qn_station_init,
            .event = qn_station_event,
            .revent = qn_station_revent,
            .final = qn_results_keep,
            .state_sz = sizeof(struct qn_station) + batches +
                        m->network.stations[i].servers * sizeof(double),
        };
    }
    m->outside_type = (tw_lptype){
        .init = qn_outside_init,
        .event = qn_outside_event,
        .revent = qn_outside_revent,
        .final = qn_results_keep,
        .state_sz = sizeof(struct qn_outside) + batches,
    };
}

bool qn_model_init(const struct qn_settings *settings, MPI_Comm comm, struct model_error *error)
{
    struct qn_model *m = &the_model;
    *m = (struct qn_model){.settings = settings};
    if (!network_read(m, comm, error) || !qn_network_check(&m->network, error) ||
        !options_apply(m, error) ||
        !qn_exact_solve(&m->exact, &m->network, settings->transit, error)) {
        return false;
    }
    double end = g_tw_ts_end;
    double from = settings->warmup == QN_AUTO ? QN_WARMUP_DEFAULT * end : settings->warmup;
    m->window = (struct qn_window){from, end, settings->batches};
    m->lps_per_copy = m->network.n + (qn_is_open(&m->network) ? 1 : 0);
    m->n_lps = (tw_lpid)settings->copies * m->lps_per_copy;
    sums_build(m);
    types_build(m);
    return true;
}

void qn_model_fini(void)
{
    qn_network_fini(&the_model.network);
    free(the_model.ways);
    free(the_model.place_names);
    the_model = (struct qn_model){.settings = NULL};
}

void qn_model_settypes(void)
{
    struct qn_model *m = &the_model;
    free(m->place_names); /* not NULL if LPs have moved between ranks */
    if (m->settings->copies > 1) {
        m->place_names = tw_calloc(TW_LOC, "names of places", QN_PLACE_SIZE, g_tw_nlp + 1);
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        unsigned place = qn_place(m, g_tw_lp[i]->gid);
        bool is_station = place < m->network.n;
        tw_lp_settype(i, is_station ? &m->station_types[place] : &m->outside_type);
        st_model_settype(i, is_station ? &qn_station_observers.types : &qn_outside_observers.types);
    }
    for (unsigned i = 0; i < m->network.n; i++) {
        st_lptype_name(&m->station_types[i], "station");
    }
    st_lptype_name(&m->outside_type, "outside");
    model_observers_describe(&qn_station_observers);
    model_observers_describe(&qn_outside_observers);
}
