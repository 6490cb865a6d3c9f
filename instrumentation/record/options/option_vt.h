/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_vt.h - options of sampling at virtual times.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_VT_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_VT_H

#include "record/options/options.h"

/*
 * Sets vt_stats, vt_points, vt_has_end and vt_samp_end in options. Called after
 * option_aliases_settle(). Returns TW_OK, or TW_ERR_USAGE with one line in error (error_size bytes)
 * that names the option and a remedy.
 */
enum tw_status option_vt_settle(struct record_options *options, char *error, size_t error_size);

/* Returns the name of an option that was given for samples at virtual times but has no effect; NULL
 * if there is none. */
const char *option_vt_idle(const struct record_options *options);

#endif
