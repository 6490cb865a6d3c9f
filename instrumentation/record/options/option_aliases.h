/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_aliases.h - determines the values of options that have two spellings: one of ROSS 7 and a
 * later one of ROSS 8.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_ALIASES_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_ALIASES_H

#include "record/options/options.h"

/*
 * Determines the sampling modes, the wall-clock interval, the levels (PE, KP, LP) and the file
 * prefix from the command line's values in options, and stores the results in options. Returns
 * TW_OK, or TW_ERR_USAGE with one line in error (error_size bytes). If two options contradict each
 * other, the line names both.
 */
enum tw_status option_aliases_settle(struct record_options *options, char *error,
                                     size_t error_size);

/* Returns the name of an option that was given but has no effect, because the run records nothing
 * to which it applies; NULL if there is none. */
const char *option_aliases_idle(const struct record_options *options);

#endif
