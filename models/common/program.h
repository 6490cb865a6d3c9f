/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - what every model does around its run: checks after tw_init(), the check of memory for
 * results, exit statuses and the end with an error message.
 *
 * All models use the exit statuses in the same way. MODEL_REFUSED: an error in options, input files
 * or paths of output files was found before the run, and no file was written. MODEL_FAILED: some
 * results could not be written after the run, but all other results have been printed. The engine
 * itself exits with 3 after a fatal error during the run, and with 128 + signal number after a
 * signal.
 *
 * The tables of options have the ranges of the models' own options, see tw_optdef. The engine checks
 * the memory for LPs and their states. A model that keeps copies of states, or tables with an entry
 * for each state, needs more memory at the end of the run; without a check before the run, all
 * results would be lost if memory ran out then.
 */
#ifndef MODELS_COMMON_PROGRAM_H
#define MODELS_COMMON_PROGRAM_H

#include <inttypes.h>
#include <stdio.h>

#include "common/error.h"
#include "ross.h"

enum model_status {
    MODEL_OK = 0,
    MODEL_FAILED = 1, /* the run has ended, but some results could not be written */
    MODEL_REFUSED = 2 /* there was no run, because of an error in the input */
};

/* Prints "model: message" on rank 0, then ends the engine by tw_end(). Returns `status`. Must be
 * called after tw_init(). Collective; `message` must be the same on all ranks. */
static inline int model_end(const char *model, const char *message, enum model_status status)
{
    if (tw_ismaster()) {
        fprintf(stderr, "%s: %s\n", model, message);
    }
    tw_end();
    return (int)status;
}

/* Checks that the command line has no arguments other than options. argc, argv: the rest of the
 * command line after tw_init() has removed the options. Returns false, with an error message in
 * *error, if an argument is left. */
static inline bool model_arguments_check(int argc, char **argv, struct model_error *error)
{
    return argc <= 1 ||
           model_fail(error, "unexpected argument \"%.200s\"; options are written --name=value",
                      argv[1]);
}

/* Like model_arguments_check(); also checks that the end time is from least to most. */
static inline bool model_setup_check(double least, double most, int argc, char **argv,
                                     struct model_error *error)
{
    return model_arguments_check(argc, argv, error) &&
           ((g_tw_ts_end >= least && g_tw_ts_end <= most) ||
            model_fail(error, "--end=%.10g: must be from %.10g to %.10g", g_tw_ts_end, least,
                       most));
}

/* Returns the total size in bytes of the states of this rank's LPs. Must be called after the types
 * of the LPs are set. */
static inline double model_states_bytes(void)
{
    double bytes = 0;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        bytes += (double)g_tw_lp[i]->type->state_sz;
    }
    return bytes;
}

/*
 * Ends the program with status 2 if memory does not suffice for the states of this rank's LPs plus
 * `bytes` bytes of results. Collective. Must be called after the types of all LPs are set and
 * before tw_run().
 */
static inline void model_ask_results(double bytes)
{
    char what[96];
    snprintf(what, sizeof what, "the states of %" PRIu64 " LPs and their results%s",
             (uint64_t)g_tw_nlp, tw_nnodes() > 1 ? " on a rank" : "");
    tw_ask_memory(what, model_states_bytes() + bytes);
}

#endif
