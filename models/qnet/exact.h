/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact.h - results of product-form theory for a queueing network in the long run.
 */
#ifndef QNET_EXACT_H
#define QNET_EXACT_H

#include "network.h"

/* Theoretical values for one station of one copy. NAN: undefined. */
struct qn_exact_station {
    double throughput;  /* jobs per unit of virtual time */
    double utilisation; /* share of the servers that are busy; NAN with infinitely many servers */
    double number;      /* mean number of jobs, including those in service */
    double response;    /* mean virtual time from arrival to departure */
    double must_wait;   /* probability that a job finds all servers busy */
};

struct qn_exact {
    struct qn_exact_station stations[QN_MAX_STATIONS];
    /* Visits to each station per trip. A trip lasts from outside until the job leaves or, in a
     * closed network, between two arrivals at the first station. */
    double visits[QN_MAX_STATIONS];
    double trips;     /* trips per unit of virtual time */
    double trip_time; /* mean duration of a trip, including transits */
};

/*
 * Solves a * x = b by Gaussian elimination with partial pivoting. a: n * n numbers by rows. The
 * function overwrites a and b. Returns false if a is singular.
 */
bool qn_solve_linear(unsigned n, double *a, double *b, double *x);

/* Computes arrival rates of an open network, or visits per trip of a closed one. Returns false if
 * there is no such solution. */
bool qn_solve_traffic(const struct qn_network *net, double *rates);

/*
 * Applies Jackson's theorem (open) or Buzen's algorithm (closed). transit: the constant time
 * between two stations, which preserves the product form. It is an error if the offered load of a
 * station of an open network reaches its capacity. A closed network that is too large yields NAN
 * for all values but visits. net must have passed qn_network_check().
 */
bool qn_exact_solve(struct qn_exact *exact, const struct qn_network *net, double transit,
                    struct model_error *error);

/* Erlang's C formula: returns the probability of waiting. load: arrivals / rate, less than
 * servers. */
double qn_erlang_c(unsigned servers, double load);

/* The part of qn_exact_solve() for closed networks: Buzen's algorithm. exact->visits must be
 * set. */
void qn_exact_closed(struct qn_exact *exact, const struct qn_network *net, double transit);

#endif
