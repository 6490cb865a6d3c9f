/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - netsim's output: a heading before the run, tables and CSV files after it.
 */
#ifndef NETSIM_REPORT_H
#define NETSIM_REPORT_H

#include "results.h"

/* Prints the settings of the simulation. */
void ns_report_heading(FILE *out, const struct ns_model *m);

/* Prints totals, links and flows in 80 columns. */
void ns_report_tables(FILE *out, const struct ns_model *m, const struct ns_results *r);

/* The numbers of a flow or link, as in tables and files. */
struct ns_link_figures {
    double utilisation; /* share of the window in which the line was sending */
    double wait_mean_s; /* mean wait of accepted packets before their transmission, in seconds */
};
struct ns_flow_figures {
    double loss; /* dropped / (dropped + received), for packets whose fate is known */
    double delay_mean_s;
};
struct ns_link_figures ns_link_figures(const struct ns_model *m, const struct ns_queue *queue);
struct ns_flow_figures ns_flow_figures(const struct ns_flow_result *flow);

#endif
