/*
 * option_vt.h - what is sampled at virtual times, and how often.
 */
#ifndef WARPSCOPE_RECORD_OPTION_VT_H
#define WARPSCOPE_RECORD_OPTION_VT_H

#include "record/options.h"

/*
 * Settles vt_stats, vt_points, vt_has_end and vt_samp_end in options; --engine-stats has been
 * looked at before. TW_ERR_USAGE with one line in error that names the option and what to do.
 */
enum tw_status option_vt_settle(struct record_options *options, char *error, size_t error_size);

/* Was an option of virtual times given that has no effect? Its name, or NULL. */
const char *option_vt_idle(const struct record_options *options);

#endif
