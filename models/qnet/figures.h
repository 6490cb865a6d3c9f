/*
 * figures.h - what the results say about each station, beside what theory says.
 */
#ifndef QNET_FIGURES_H
#define QNET_FIGURES_H

#include "estimate.h"
#include "results.h"

enum qn_quantity {
    QN_THROUGHPUT,
    QN_UTILISATION,
    QN_NUMBER,
    QN_RESPONSE,
    QN_MUST_WAIT,
    QN_STATION_QUANTITIES, /* of stations, so far */
    QN_TRIPS = QN_STATION_QUANTITIES,
    QN_TRIP_TIME,
    QN_QUANTITIES
};

struct qn_figure {
    struct qn_estimate estimate; /* of one copy, averaged over the copies */
    double exact;                /* NAN: not known */
    double off; /* distance from the exact value in half-widths; NAN: there is none */
};

const char *qn_quantity_name(enum qn_quantity quantity);

/* Of a station (0 .. network.n - 1); for trips the station does not matter. */
struct qn_figure qn_figure(const struct qn_model *m, const struct qn_results *r, unsigned station,
                           enum qn_quantity quantity);

/* Does this station have this quantity? No utilisation and no waiting where nobody waits. */
bool qn_figure_exists(const struct qn_model *m, unsigned station, enum qn_quantity quantity);

#endif
