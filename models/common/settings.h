/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - checks that every model makes after tw_init(). The tables of options have the ranges
 * of the models' own options, see tw_optdef.
 */
#ifndef MODELS_COMMON_SETTINGS_H
#define MODELS_COMMON_SETTINGS_H

#include "common/error.h"
#include "ross.h"

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

#endif
