/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * figures.h - results for each station, with their theoretical values.
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
    /* Number of quantities of stations; their enumerators precede this one. */
    QN_STATION_QUANTITIES,
    QN_TRIPS = QN_STATION_QUANTITIES,
    QN_TRIP_TIME,
    QN_QUANTITIES
};

struct qn_figure {
    struct qn_estimate estimate; /* estimate for one copy, averaged over the copies */
    double exact;                /* theoretical value; NAN: unknown */
    double off; /* distance of the mean from the theoretical value in half-widths; NAN: undefined */
};

const char *qn_quantity_name(enum qn_quantity quantity);

/* Returns a quantity of a station (0 .. network.n - 1). For quantities of trips, the station is
 * ignored. */
struct qn_figure qn_figure(const struct qn_model *m, const struct qn_results *r, unsigned station,
                           enum qn_quantity quantity);

/* Returns true if the station has this quantity. An infinite server has no utilisation and no
 * waiting. */
bool qn_figure_exists(const struct qn_model *m, unsigned station, enum qn_quantity quantity);

#endif
