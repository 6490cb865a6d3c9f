/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * figures.h - the results for each station, with their theoretical values.
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
    /* Number of quantities of a single station, whose enumerators precede this one. */
    QN_STATION_QUANTITIES,
    QN_TRIPS = QN_STATION_QUANTITIES,
    QN_TRIP_TIME,
    QN_QUANTITIES
};

struct qn_figure {
    struct qn_estimate estimate; /* estimate for a copy of the network: mean over all copies */
    double exact;                /* theoretical value; NAN: unknown */
    /* Distance of the estimated mean from the theoretical value, in half-widths; NAN: undefined. */
    double off;
};

const char *qn_quantity_name(enum qn_quantity quantity);

/* Returns the estimate and the theoretical value of a quantity. station: index of the station, from
 * 0 to network.n - 1; ignored if the quantity concerns trips. */
struct qn_figure qn_figure(const struct qn_model *m, const struct qn_results *r, unsigned station,
                           enum qn_quantity quantity);

/* Returns true if the quantity exists for the station. A station with infinitely many servers has
 * no utilisation, and no job waits there. */
bool qn_figure_exists(const struct qn_model *m, unsigned station, enum qn_quantity quantity);

#endif
