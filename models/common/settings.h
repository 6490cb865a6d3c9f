/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - checks of option values. Every model makes these checks after tw_init().
 *
 * The engine's option reader has already rejected text that is not a number. These functions check
 * the ranges of the numbers. Error messages name the option.
 */
#ifndef MODELS_COMMON_SETTINGS_H
#define MODELS_COMMON_SETTINGS_H

#include <stddef.h>

#include "common/error.h"

/* The value of an option and its range, both bounds inclusive. */
struct model_range {
    const char *option; /* name of the option without "--" */
    double value, low, high;
    const char *unit; /* unit of the bounds, for the error message; NULL: no unit */
    bool may_be_0;    /* true if 0 is also allowed, with a special meaning */
};

/* Returns true if r->value is in its range. Otherwise writes an error message to *error. NaN is out
 * of every range. */
static inline bool model_range_check(const struct model_range *r, struct model_error *error)
{
    return (r->value >= r->low && r->value <= r->high) || (r->may_be_0 && r->value == 0) ||
           model_fail(error, "--%s=%.10g is out of range: %s%.10g to %.10g%s%s", r->option,
                      r->value, r->may_be_0 ? "0, or " : "", r->low, r->high,
                      r->unit != NULL ? " " : "", r->unit != NULL ? r->unit : "");
}

/* Checks the values in ranges, an array of n elements. Returns false, with an error message in
 * *error, if at least one value is out of range. */
static inline bool model_ranges_check(const struct model_range *ranges, size_t n,
                                      struct model_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (!model_range_check(&ranges[i], error)) {
            return false;
        }
    }
    return true;
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

#endif
