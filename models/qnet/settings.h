/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - qnet's own options.
 */
#ifndef QNET_SETTINGS_H
#define QNET_SETTINGS_H

#include "common/error.h"
#include "ross.h"

#define QN_PATH_SIZE      4096
#define QN_MAX_COPIES     10000000
#define QN_MAX_BATCHES    1000
#define QN_AUTO           (-1.0) /* value of a time that is to be chosen automatically */
#define QN_DEFAULT_END    20000.0
#define QN_WARMUP_DEFAULT 0.1 /* default of the warm-up, as a share of the run */

struct qn_settings {
    char network[64];           /* name of a built-in network */
    char file[QN_PATH_SIZE];    /* name of a network file; "": the built-in network is used */
    char results[QN_PATH_SIZE]; /* name of the JSON file for results; "": none */
    unsigned int jobs;          /* number of jobs of a closed network; 0: as the network states */
    double load;                /* load of the busiest station of an open network; 0: unchanged */
    unsigned int copies;
    double cross;   /* probability that a job changes to a random copy */
    double transit; /* virtual time that a job takes between two LPs */
    double warmup;  /* warm-up in virtual time; QN_AUTO: QN_WARMUP_DEFAULT of the run */
    unsigned int batches;
    unsigned int rows; /* most stations in the printed table */
};

/* Returns the settings: defaults until tw_init() reads the command line. */
struct qn_settings *qn_settings(void);

/* Returns the option table for tw_opt_add(), which stores values in qn_settings(). */
const tw_optdef *qn_settings_options(void);

/* Checks all values that do not depend on the network, including g_tw_ts_end. argc, argv: as
 * tw_init() left them. The message names the option. Not collective. */
bool qn_settings_check(const struct qn_settings *settings, int argc, char **argv,
                       struct model_error *error);

#endif
