/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - netsim's own options.
 */
#ifndef NETSIM_SETTINGS_H
#define NETSIM_SETTINGS_H

#include "traffic.h"

#define NS_PATH_SIZE 4096
#define NS_MAX_HOSTS 1000   /* most hosts per site */
#define NS_AUTO      (-1.0) /* value of a time that is to be chosen automatically */

struct ns_settings {
    /* Topology file; "": the Abilene network, which is part of netsim. */
    char topology[NS_PATH_SIZE];
    char traffic[NS_PATH_SIZE];   /* traffic matrix file; "": gravity model */
    char links_csv[NS_PATH_SIZE]; /* file for the results of links; "": none */
    char flows_csv[NS_PATH_SIZE];
    char mix_text[512];
    unsigned int hosts; /* hosts per site */
    double load; /* load of the busiest link; 0: as in the traffic file, or NS_DEFAULT_LOAD */
    double capacity_bps;
    double buffer_bytes;    /* size of a buffer in bytes; 0: unlimited */
    double access_rate_bps; /* rate of access lines in bit/s; 0: infinitely fast */
    double access_delay_s;
    /* warm-up in seconds; NS_AUTO: propagation delay of the longest path, at most half the run. */
    double warmup_s;
    unsigned int top_links;
    unsigned int top_flows;
    struct ns_mix mix; /* packet sizes, parsed from mix_text */
};

#define NS_DEFAULT_LOAD  0.3
#define NS_DEFAULT_END_S 0.06

/* Returns the settings: defaults until tw_init() reads the command line. */
struct ns_settings *ns_settings(void);

/* Returns the option table for tw_opt_add(), which stores values in ns_settings(). */
const tw_optdef *ns_settings_options(void);

/*
 * Checks all values that do not depend on the topology, including g_tw_ts_end, and parses the mix.
 * argc, argv: as tw_init() left them. The message names the option. Not collective.
 */
bool ns_settings_check(struct ns_settings *settings, int argc, char **argv,
                       struct model_error *error);

#endif
