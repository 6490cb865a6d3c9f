/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - netsim's own options.
 */
#ifndef NETSIM_SETTINGS_H
#define NETSIM_SETTINGS_H

#include "traffic.h"

#define NS_PATH_SIZE 4096
#define NS_AUTO      (-1.0) /* value of a time option: the model chooses the time */

struct ns_settings {
    /* Path of the topology file; "": the Abilene network, which is part of netsim. */
    char topology[NS_PATH_SIZE];
    char traffic[NS_PATH_SIZE];   /* path of the traffic matrix; "": gravity model */
    char links_csv[NS_PATH_SIZE]; /* path of the file for the results of links; "": no file */
    char flows_csv[NS_PATH_SIZE];
    char mix_text[512];
    unsigned int hosts; /* number of hosts per site */
    /* Offered load of the busiest link; 0: the load that results from the traffic file, or
     * NS_DEFAULT_LOAD if there is no traffic file. */
    double load;
    double capacity_bps;
    double
        delay_s; /* of links for which the file gives neither a delay nor the places of both ends */
    double buffer_bytes;    /* size of a buffer in bytes; 0: unlimited */
    double access_rate_bps; /* rate of access lines in bit/s; 0: infinitely fast */
    double access_delay_s;
    /* Duration of the warm-up in seconds; NS_AUTO: the longest propagation delay between hosts, but
     * at most half the run. */
    double warmup_s;
    unsigned int top_links;
    unsigned int top_flows;
    struct ns_mix mix; /* packet sizes, parsed from mix_text */
};

#define NS_DEFAULT_LOAD  0.3
#define NS_DEFAULT_END_S 0.06

/* Returns the settings. They have their default values until tw_init() reads the command line. */
struct ns_settings *ns_settings(void);

extern const tw_optdef ns_options[]; /* for tw_opt_add() */

/*
 * Checks all values that do not depend on the topology, including g_tw_ts_end. Parses mix_text.
 * argc, argv: the rest of the command line after tw_init(). Returns false after an error, with an
 * error message in *error that names the option. Not collective.
 */
bool ns_settings_check(struct ns_settings *settings, int argc, char **argv,
                       struct model_error *error);

#endif
