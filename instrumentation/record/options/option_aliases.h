/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_aliases.h - settles options with two spellings: those of ROSS 7 and the later ones of ROSS
 * 8.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_ALIASES_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_ALIASES_H

#include "record/options/options.h"

/*
 * Determines sampling modes, wall-clock interval, levels (PE, KP, LP) and file prefix from the
 * values of the command line in options, and stores them there. If two options contradict each
 * other, returns TW_ERR_USAGE, with one line in error that names both.
 */
enum tw_status option_aliases_settle(struct record_options *options, char *error,
                                     size_t error_size);

/* Returns the name of an option that was given but has no effect, because the run records nothing
 * to which it applies; NULL if there is none. */
const char *option_aliases_idle(const struct record_options *options);

#endif
