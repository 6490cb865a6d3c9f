/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - warp's own options.
 */
#ifndef WARP_SETTINGS_H
#define WARP_SETTINGS_H

#include "model.h"

/* Greatest number of slots of a rank that --slots=0 chooses, unless the start events need more. */
#define WP_SLOTS_AUTO_MAX 16384u

/* The options of this process: defaults, replaced by values from the command line. */
struct wp_settings {
    unsigned ranks;
    unsigned cores; /* 0: one for each rank */
    unsigned events;
    unsigned kps;
    unsigned slots; /* 0: automatic */
    unsigned batch;
    unsigned interval; /* batches between GVT rounds; 0: adaptive */
    unsigned fanout;
    unsigned prepare; /* 1: see `prepares` in model.h */
    double remote;
    double lookahead;
    double span;
    double bound;
    double bytes;     /* size of a message in bytes */
    double bandwidth; /* in GB/s (bytes per ns) */
    struct wp_machine machine;
};

/* Returns the options of this process, which tests may change. */
struct wp_settings *wp_settings(void);
/* Returns the option table for tw_opt_add(). */
const tw_optdef *wp_settings_options(void);
/* Checks the options and computes the model's parameters. Not collective: all ranks have the same
 * command line. */
bool wp_settings_check(int argc, char **argv, struct model_error *error);

#endif
