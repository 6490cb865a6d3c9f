/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_aliases.h - settles options with two spellings: those of ROSS 7 and the later ones of ROSS
 * 8.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_ALIASES_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_ALIASES_H

#include "record/options/options.h"

/*
 * Settles sampling modes, wall-clock interval, levels (PE, KP, LP) and file prefix in options,
 * which holds the values of the command line. If two options contradict each other, returns
 * TW_ERR_USAGE, with one line in error that names both.
 */
enum tw_status option_aliases_settle(struct record_options *options, char *error,
                                     size_t error_size);

/* Returns the name of a given option without effect, because the run does not record its subject;
 * NULL if there is none. */
const char *option_aliases_idle(const struct record_options *options);

#endif
