/*
 * option_aliases.h - what options mean together that say the same in two ways: those of ROSS 7 and
 * the later ones of ROSS 8.
 */
#ifndef WARPSCOPE_RECORD_OPTION_ALIASES_H
#define WARPSCOPE_RECORD_OPTION_ALIASES_H

#include "record/options.h"

/*
 * Settles the modes of sampling, the interval of wall clock, the levels (PE, KP, LP) and the prefix
 * of the files in options, where the command line put its values. Two options that contradict each
 * other are refused: TW_ERR_USAGE with one line in error that names both.
 */
enum tw_status option_aliases_settle(struct record_options *options, char *error,
                                     size_t error_size);

/* Was any option given that has no effect, since what it is about is not recorded? Its name. */
const char *option_aliases_idle(const struct record_options *options);

#endif
