/*
 * exact.h - what product-form theory says about a queueing network in the long run.
 */
#ifndef QNET_EXACT_H
#define QNET_EXACT_H

#include "network.h"

/* Of one station of one copy. NAN: there is no such figure. */
struct qn_exact_station {
    double throughput;  /* jobs per time unit */
    double utilisation; /* share of its servers that is busy; NAN with infinitely many */
    double number;      /* mean jobs there, those in service included */
    double response;    /* mean time from arrival to departure */
    double must_wait;   /* probability that a job finds all servers busy */
};

struct qn_exact {
    struct qn_exact_station stations[QN_MAX_STATIONS];
    double visits[QN_MAX_STATIONS]; /* per trip: from outside until it leaves, or (closed) from one
                                       arrival at the first station to the next */
    double trips;                   /* per time unit */
    double trip_time;               /* mean, the transits included */
};

/*
 * Solves a (n * n, by rows; destroyed) times x = b (destroyed), by Gaussian elimination with
 * partial pivoting. False: a is singular.
 */
bool qn_solve_linear(unsigned n, double *a, double *b, double *x);

/* Arrival rates of an open network, or visits per trip of a closed one. False: no such solution. */
bool qn_solve_traffic(const struct qn_network *net, double *rates);

/*
 * Jackson's theorem (open) or Buzen's algorithm (closed). transit: the constant time from one
 * station to the next, which does not disturb the product form. An error: a station of an open
 * network is offered as much as it can do, or more. A closed network that is too large for the
 * calculation yields NAN for all but visits. net must have passed qn_network_check().
 */
bool qn_exact_solve(struct qn_exact *exact, const struct qn_network *net, double transit,
                    struct model_error *error);

/* Erlang's C formula: the probability of waiting with offered load (arrivals / rate) < servers. */
double qn_erlang_c(unsigned servers, double load);

/* The closed case of qn_exact_solve(), of which exact->visits is there already. */
void qn_exact_closed(struct qn_exact *exact, const struct qn_network *net, double transit);

#endif
