/*
 * settings.h - the checks that every model makes of its options, once tw_init() has read them.
 *
 * The engine's option reader has already seen to it that numbers are numbers; here is checked what
 * they may be. Messages name the option.
 */
#ifndef MODELS_COMMON_SETTINGS_H
#define MODELS_COMMON_SETTINGS_H

#include <stddef.h>

#include "common/error.h"

/* The value of an option and what it may be, both bounds included. */
struct model_range {
    const char *option; /* without "--" */
    double value, low, high;
    const char *unit; /* of the bounds, for the message; NULL: none */
    bool may_be_0;    /* 0 has a meaning of its own */
};

/* NaN fails every comparison, hence the form. */
static inline bool model_range_check(const struct model_range *r, struct model_error *error)
{
    return (r->value >= r->low && r->value <= r->high) || (r->may_be_0 && r->value == 0) ||
           model_fail(error, "--%s=%.10g is out of range: %s%.10g to %.10g%s%s", r->option,
                      r->value, r->may_be_0 ? "0, or " : "", r->low, r->high,
                      r->unit != NULL ? " " : "", r->unit != NULL ? r->unit : "");
}

/* False at the first that is out of range. */
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

/* Models take options and nothing else. argc, argv: what tw_init() left. */
static inline bool model_arguments_check(int argc, char **argv, struct model_error *error)
{
    return argc <= 1 ||
           model_fail(error, "unexpected argument \"%.200s\"; options are written --name=value",
                      argv[1]);
}

#endif
