/*
 * option_ross8.h - --stats-format, and what options mean where ROSS 8's files are made.
 *
 * ROSS 8's meanings hold in programs that were built as for ROSS 8 (st.h), whatever the format, and
 * in all others with --stats-format=ross8 or both:
 *
 *   --model-stats=N        1 at GVT, 2 by wall clock, 3 at virtual times, 4 all of them
 *   --rt-interval alone    starts no sampling, nor does --vt-interval
 *
 * Elsewhere 3 is GVT and wall clock, 4 virtual times, as scripts for ROSS 7 and for Warpscope say.
 */
#ifndef WARPSCOPE_RECORD_OPTION_ROSS8_H
#define WARPSCOPE_RECORD_OPTION_ROSS8_H

#include "record/options.h"

/* Settles format, has_ross8_meanings and model_stats. TW_ERR_USAGE with one line in error. */
enum tw_status option_ross8_settle(struct record_options *options, char *error, size_t error_size);

/*
 * Settles prefix and ross8_prefix, once prefix is what was given. --stats-prefix names ROSS 8's
 * files where there are any; ours are called warpscope then, or warpscope-records if ROSS 8's are
 * called warpscope.
 */
void option_ross8_settle_names(struct record_options *options);

/* Returns true if the command line asks for samples at virtual times, of the engine or the model.
 */
bool option_ross8_wants_virtual_times(const struct record_options *options, unsigned model_stats);

#endif
