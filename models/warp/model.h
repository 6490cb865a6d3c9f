/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the parameters of the simulated run: PHOLD, its scheduler and the machine; and the
 * options that set them.
 *
 * Time in ns on the clock of the simulated machine is also the virtual time of the engine that
 * executes this model. "Phold time" is the virtual time of the simulated run, in units of PHOLD's
 * mean offset.
 */
#ifndef WARP_MODEL_H
#define WARP_MODEL_H

#include "chain.h"
#include "common/error.h"
#include "machine/processor.h"
#include "ross.h"

/* Returns the parameters of the scheduler and the machine. They are equal on all ranks and constant
 * during the run. */
const struct wp_model *wp_model(void);
/* Returns the parameters of PHOLD. */
const struct chains *wp_chains(void);

/* ---- Options ---------------------------------------------------------------------------------- */

/* By default, there is no end time: the run ends when the simulated run has ended. */
#define WP_DEFAULT_END DBL_MAX

/* Maximum number of slots that --slots=0 chooses for a rank, unless the start events need more. */
#define WP_SLOTS_AUTO_MAX 16384u

/* Options of this process: default values, replaced by those from the command line. */
struct wp_settings {
    unsigned ranks;
    unsigned cores; /* number of cores; 0: one for each rank */
    unsigned events;
    unsigned kps;
    unsigned slots; /* number of slots; 0: the model chooses */
    unsigned batch;
    unsigned interval; /* number of batches between two GVT rounds; 0: adaptive */
    unsigned fanout;
    unsigned prepare; /* 1: `prepares` of wp_model is true */
    double remote;
    double lookahead;
    double span;
    double bound;
    double bytes;     /* size of a message in bytes */
    double bandwidth; /* bandwidth of a processor's link in GB/s, which equals bytes per ns */
    struct wp_machine machine;
};

/* Returns the options of this process. Tests may change them. */
struct wp_settings *wp_settings(void);
extern const tw_optdef wp_options[]; /* for tw_opt_add() */
/* Checks the options and computes the model's parameters. Returns false, with an error message in
 * *error, if an option is invalid. Not collective: all ranks have the same command line. */
bool wp_settings_check(int argc, char **argv, struct model_error *error);

#endif
