/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact.c - solves the traffic equations, and computes the theoretical values of open networks by
 * Jackson's theorem.
 *
 * In the long run, the stations of an open network behave as if they were independent. Each is an
 * M/M/c queue whose arrival rate solves the traffic equations lambda = arrivals + lambda * routes.
 * The transit between stations is modelled as a station with infinitely many servers. A network
 * keeps its product form with such a station, for any distribution of its service times (Baskett,
 * Chandy, Muntz & Palacios, J. ACM 22(2), 1975).
 *
 * Cost: O(stations^3).
 * Source: J. R. Jackson, "Networks of waiting lines", Operations Research 5(4), 1957.
 */
#include "exact.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void rows_swap(unsigned n, double *a, double *b, unsigned i, unsigned j)
{
    assert(i < n && j < n);
    for (unsigned k = 0; k < n; k++) {
        double t = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = t;
    }
    double t = b[i];
    b[i] = b[j];
    b[j] = t;
}

bool qn_solve_linear(unsigned n, double *a, double *b, double *x)
{
    for (unsigned c = 0; c < n; c++) {
        unsigned pivot = c;
        for (unsigned r = c + 1; r < n; r++) {
            pivot = fabs(a[r * n + c]) > fabs(a[pivot * n + c]) ? r : pivot;
        }
        if (!(fabs(a[pivot * n + c]) > 1e-13)) {
            return false;
        }
        rows_swap(n, a, b, c, pivot);
        for (unsigned r = c + 1; r < n; r++) {
            double factor = a[r * n + c] / a[c * n + c];
            for (unsigned k = c; factor != 0 && k < n; k++) {
                a[r * n + k] -= factor * a[c * n + k];
            }
            b[r] -= factor * b[c];
        }
    }
    for (unsigned r = n; r-- > 0;) {
        double sum = b[r];
        for (unsigned k = r + 1; k < n; k++) {
            sum -= a[r * n + k] * x[k];
        }
        x[r] = sum / a[r * n + r];
    }
    return true;
}

/* Row j of the equations states the rate at which jobs arrive at station j. In a closed network,
 * the equations determine the rates only up to a common factor. The first equation is therefore
 * replaced by "the number of visits to the first station is 1". */
bool qn_solve_traffic(const struct qn_network *net, double *rates)
{
    assert(net->n > 0 && net->n <= QN_MAX_STATIONS);
    unsigned n = net->n;
    double *a = calloc((size_t)n * n + n, sizeof *a);
    if (a == NULL) {
        return false;
    }
    double *b = a + (size_t)n * n;
    for (unsigned j = 0; j < n; j++) {
        for (unsigned i = 0; i < n; i++) {
            a[j * n + i] = (i == j ? 1.0 : 0.0) - net->route[i * n + j];
        }
        b[j] = net->stations[j].arrivals;
    }
    if (!qn_is_open(net)) {
        memset(a, 0, n * sizeof *a);
        a[0] = 1;
        b[0] = 1;
    }
    bool ok = qn_solve_linear(n, a, b, rates);
    free(a);
    return ok;
}

/* Computes Erlang's B by its recursion, whose values stay between 0 and 1, and then Erlang's C from
 * B. */
double qn_erlang_c(unsigned servers, double load)
{
    assert(servers > 0 && load >= 0 && load < servers);
    double b = 1;
    for (unsigned k = 1; k <= servers; k++) {
        b = load * b / (k + load * b);
    }
    return servers * b / (servers - load * (1 - b));
}

static bool station_open(struct qn_exact_station *e, const struct qn_network *net, unsigned i,
                         double lambda, struct model_error *error)
{
    const struct qn_station_spec *s = &net->stations[i];
    double load = lambda / s->rate;
    e->throughput = lambda;
    if (s->servers == QN_INFINITE) {
        e->utilisation = (double)NAN;
        e->must_wait = 0;
        e->number = load;
    } else if (load >= s->servers) {
        return model_fail(
            error,
            "%s: station %s is offered %.4g times what its server%s can do, so its "
            "queue would grow without end; lower the arrivals (--load) or give it more",
            net->name, s->name, load / s->servers, s->servers == 1 ? "" : "s");
    } else {
        e->utilisation = load / s->servers;
        e->must_wait = qn_erlang_c(s->servers, load);
        e->number = load + e->must_wait * load / (s->servers - load);
    }
    e->response = e->number / lambda;
    return true;
}

static bool exact_open(struct qn_exact *exact, const struct qn_network *net, double transit,
                       struct model_error *error)
{
    double lambda[QN_MAX_STATIONS];
    memcpy(lambda, exact->visits, sizeof lambda);
    double number = 0;
    double visits = 0;
    exact->trips = 0;
    for (unsigned i = 0; i < net->n; i++) {
        exact->trips += net->stations[i].arrivals;
    }
    for (unsigned i = 0; i < net->n; i++) {
        if (!station_open(&exact->stations[i], net, i, lambda[i], error)) {
            return false;
        }
        number += exact->stations[i].number;
        exact->visits[i] = lambda[i] / exact->trips;
        visits += exact->visits[i];
    }
    exact->trip_time = number / exact->trips + transit * (visits + 1);
    return true;
}

bool qn_exact_solve(struct qn_exact *exact, const struct qn_network *net, double transit,
                    struct model_error *error)
{
    memset(exact, 0, sizeof *exact);
    if (!qn_solve_traffic(net, exact->visits)) {
        return model_fail(error, "%s: its traffic equations have no solution", net->name);
    }
    if (qn_is_open(net)) {
        return exact_open(exact, net, transit, error);
    }
    qn_exact_closed(exact, net, transit);
    return true;
}
