/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - netsim's printed output: a heading before the run, and tables after the run.
 */
#ifndef NETSIM_REPORT_H
#define NETSIM_REPORT_H

#include "results.h"

/* Prints to out a heading about the network, the traffic and the simulated time. */
void ns_report_heading(FILE *out, const struct ns_model *m);

/* Prints to out the totals and the tables of links and flows, 80 columns wide. */
void ns_report_tables(FILE *out, const struct ns_model *m, const struct ns_results *r);

/* Results of a link, shown in the tables and the CSV files. */
struct ns_link_figures {
    double utilisation; /* share of the window in which the line was transmitting */
    /* Mean waiting time of accepted packets before their transmission, in seconds. */
    double wait_mean_s;
};
/* Results of a flow, shown in the tables and the CSV files. */
struct ns_flow_figures {
    /* dropped / (dropped + received); packets that are still on their way do not count. */
    double loss;
    double delay_mean_s;
};
struct ns_link_figures ns_link_figures(const struct ns_model *m, const struct ns_queue *queue);
struct ns_flow_figures ns_flow_figures(const struct ns_flow_result *flow);

#endif
