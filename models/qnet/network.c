/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.c - checks a queueing network: sums of probabilities, reachability of stations.
 *
 * Cost: O(stations^3) in the worst case, for a search along the routes with a positive probability.
 */
#include "network.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tolerance for a sum of probabilities. A file contains decimal numbers, so three rounded thirds
 * must be accepted as 1. */
#define ROW_TOLERANCE 1e-9

/* Returns the sum of the routing probabilities from a station, which is the probability that a job
 * stays in the network. */
static double row_sum(const struct qn_network *net, unsigned station)
{
    assert(station < net->n);
    double sum = 0;
    for (unsigned j = 0; j < net->n; j++) {
        sum += net->route[station * net->n + j];
    }
    return sum;
}

void qn_network_fini(struct qn_network *net)
{
    free(net->route);
    net->route = NULL;
}

static bool leaves(const struct qn_network *net, unsigned station)
{
    return row_sum(net, station) < 1 - ROW_TOLERANCE;
}

/*
 * Marks all stations that can be reached from the marked stations along the routes; if `backwards`
 * is true, against the direction of the routes. Each round except the last marks at least one more
 * station.
 */
static void reach(const struct qn_network *net, bool backwards, bool *marked)
{
    bool more = true;
    while (more) {
        more = false;
        for (unsigned i = 0; i < net->n; i++) {
            for (unsigned j = 0; j < net->n; j++) {
                unsigned from = backwards ? j : i;
                unsigned to = backwards ? i : j;
                if (net->route[i * net->n + j] > 0 && marked[from] && !marked[to]) {
                    marked[to] = true;
                    more = true;
                }
            }
        }
    }
}

static bool rows_check(const struct qn_network *net, struct model_error *error)
{
    for (unsigned i = 0; i < net->n; i++) {
        double sum = row_sum(net, i);
        if (sum > 1 + ROW_TOLERANCE) {
            return model_fail(error, "%s: the routes of station %s sum to %.9g, more than 1",
                              net->name, net->stations[i].name, sum);
        }
        if (!qn_is_open(net) && sum < 1 - ROW_TOLERANCE) {
            return model_fail(error,
                              "%s: the routes of station %s sum to %.9g; in a closed network (one "
                              "with jobs) no job leaves, so they must sum to 1",
                              net->name, net->stations[i].name, sum);
        }
    }
    return true;
}

static bool open_check(const struct qn_network *net, struct model_error *error)
{
    bool entered[QN_MAX_STATIONS] = {false};
    bool left[QN_MAX_STATIONS] = {false};
    bool any = false;
    for (unsigned i = 0; i < net->n; i++) {
        entered[i] = net->stations[i].arrivals > 0;
        left[i] = leaves(net, i);
        any |= entered[i];
    }
    if (!any) {
        return model_fail(error,
                          "%s: this network has no jobs; give stations arrivals=RATE (open) or a "
                          "line \"jobs N\" (closed)",
                          net->name);
    }
    reach(net, false, entered);
    reach(net, true, left);
    for (unsigned i = 0; i < net->n; i++) {
        if (!entered[i]) {
            return model_fail(error,
                              "%s: no job ever comes to station %s; remove it or route to it",
                              net->name, net->stations[i].name);
        }
        if (!left[i]) {
            return model_fail(
                error,
                "%s: jobs never leave the network from station %s on; let its routes, "
                "or those behind it, sum to less than 1",
                net->name, net->stations[i].name);
        }
    }
    return true;
}

static bool closed_check(const struct qn_network *net, struct model_error *error)
{
    bool forth[QN_MAX_STATIONS] = {true};
    bool back[QN_MAX_STATIONS] = {true};
    reach(net, false, forth);
    reach(net, true, back);
    for (unsigned i = 0; i < net->n; i++) {
        if (net->stations[i].arrivals > 0) {
            return model_fail(
                error,
                "%s: station %s has arrivals in a closed network (one with jobs); give "
                "one or the other",
                net->name, net->stations[i].name);
        }
        if (!forth[i] || !back[i]) {
            return model_fail(
                error,
                "%s: jobs cannot go from station %s to station %s; in a closed network "
                "every station must be reached from the first and lead back to it",
                net->name, net->stations[forth[i] ? i : 0].name,
                net->stations[forth[i] ? 0 : i].name);
        }
    }
    return true;
}

bool qn_network_check(const struct qn_network *net, struct model_error *error)
{
    if (net->n == 0) {
        return model_fail(error, "%s: there are no stations", net->name);
    }
    return rows_check(net, error) &&
           (qn_is_open(net) ? open_check(net, error) : closed_check(net, error));
}
