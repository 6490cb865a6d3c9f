/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact.h - theoretical results for a queueing network in the long run, by product-form theory.
 */
#ifndef QNET_EXACT_H
#define QNET_EXACT_H

#include "network.h"

/* Theoretical values of a station, for a single copy of the network, in the order of enum
 * qn_quantity. NAN: undefined. */
struct qn_exact_station {
    double throughput;  /* jobs per unit of virtual time */
    double utilisation; /* share of the servers that are busy; NAN if servers is QN_INFINITE */
    double number;      /* mean number of jobs, including those in service */
    double response;    /* mean virtual time from arrival to departure */
    double must_wait;   /* probability that an arriving job finds all servers busy */
};

struct qn_exact {
    struct qn_exact_station stations[QN_MAX_STATIONS];
    /* [i]: mean number of visits to station i per trip. In an open network, a trip lasts from the
     * job's arrival from outside until the job leaves. In a closed network, a trip lasts from one
     * arrival at the first station to the next. */
    double visits[QN_MAX_STATIONS];
    double trips;     /* number of trips per unit of virtual time */
    double trip_time; /* mean duration of a trip, including transits */
};

/*
 * Solves a * x = b by Gaussian elimination with partial pivoting. a: n * n numbers, row by row.
 * Overwrites a and b. Returns false if a is singular.
 */
bool qn_solve_linear(unsigned n, double *a, double *b, double *x);

/* Computes, for each station, the arrival rate (open network) or the visits per trip (closed
 * network). Returns false if there is no unique solution. */
bool qn_solve_traffic(const struct qn_network *net, double *rates);

/*
 * Computes the theoretical values: by Jackson's theorem for an open network, by Buzen's algorithm
 * for a closed one. transit: constant time between two stations, which preserves the product form.
 * net must have passed qn_network_check().
 *
 * Returns false, with an error message in *error, if the offered load of a station in an open
 * network reaches the station's capacity. For a closed network that is too large, all values except
 * visits are NAN.
 */
bool qn_exact_solve(struct qn_exact *exact, const struct qn_network *net, double transit,
                    struct model_error *error);

/* Returns the probability that a job must wait, by Erlang's C formula. load: arrival rate divided
 * by the rate of a server; must be less than `servers`. */
double qn_erlang_c(unsigned servers, double load);

/* Computes the theoretical values for a closed network by Buzen's algorithm. exact->visits must be
 * set. Called by qn_exact_solve(). */
void qn_exact_closed(struct qn_exact *exact, const struct qn_network *net, double transit);

#endif
