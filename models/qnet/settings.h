/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - qnet's own options.
 */
#ifndef QNET_SETTINGS_H
#define QNET_SETTINGS_H

#include "common/error.h"
#include "ross.h"

#define QN_PATH_SIZE      4096
#define QN_MAX_BATCHES    1000
#define QN_AUTO           (-1.0) /* value of a time option: the model chooses the time */
#define QN_DEFAULT_END    20000.0
#define QN_WARMUP_DEFAULT 0.1 /* default warm-up, as a share of the run */

struct qn_settings {
    char network[64];           /* name of a built-in network */
    char file[QN_PATH_SIZE];    /* path of a network file; "": `network` is used instead */
    char results[QN_PATH_SIZE]; /* path of the JSON file for results; "": no file */
    unsigned int jobs;          /* number of jobs in a closed network; 0: the network's own value */
    double load;                /* load of the busiest station in an open network; 0: no change */
    unsigned int copies;
    double cross;   /* probability that a job continues in a random copy */
    double transit; /* virtual time that a job takes between two LPs */
    /* Duration of the warm-up in virtual time; QN_AUTO: QN_WARMUP_DEFAULT times the length of the
     * run. */
    double warmup;
    unsigned int batches;
    unsigned int rows; /* maximum number of stations in the printed table */
};

/* Returns the settings. They have their default values until tw_init() reads the command line. */
struct qn_settings *qn_settings(void);

extern const tw_optdef qn_options[]; /* for tw_opt_add() */

/* Checks all values that do not depend on the network, including g_tw_ts_end. argc, argv: the rest
 * of the command line after tw_init(). Returns false after an error, with an error message in
 * *error that names the option. Not collective. */
bool qn_settings_check(const struct qn_settings *settings, int argc, char **argv,
                       struct model_error *error);

#endif
