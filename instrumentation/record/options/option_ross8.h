/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_ross8.h - --stats-format, and the meanings of options for ROSS 8.
 *
 * ROSS 8 meanings hold in programs built as for ROSS 8 (st.h), with any format, and in all other
 * programs with --stats-format=ross8 or --stats-format=both:
 *
 *   --model-stats=N        1 at GVT, 2 by wall clock, 3 at virtual times, 4 all of them
 *   --rt-interval alone    starts no sampling, nor does --vt-interval
 *
 * In all other cases, 3 selects GVT and wall clock, and 4 virtual times, as in ROSS 7 and
 * Warpscope.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_ROSS8_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_ROSS8_H

#include "record/options/options.h"

/* Sets format, has_ross8_meanings and model_stats in options. Returns TW_OK, or TW_ERR_USAGE with
 * one line in error (error_size bytes). */
enum tw_status option_ross8_settle(struct record_options *options, char *error, size_t error_size);

/*
 * Sets prefix and ross8_prefix in options, after prefix has got its value from the command line. If
 * files of ROSS 8 are written, --stats-prefix names those, and record files are called warpscope,
 * or warpscope-records if the files of ROSS 8 are called warpscope.
 */
void option_ross8_settle_names(struct record_options *options);

/* Returns the prefix of the files of ROSS 8 according to the command line. */
const char *option_ross8_prefix(const struct record_options *options);

/* Returns true if the command line requests samples of the engine or the model at virtual times.
 * model_stats: value of --model-stats. */
bool option_ross8_wants_virtual_times(const struct record_options *options, unsigned model_stats);

#endif
