/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_window.h - the window of virtual time of the event trace: --trace-from, --trace-to.
 *
 * The window is half-open, [from, to): windows that follow one another have each event once. It
 * applies to receive times, in all modes of --event-trace. Samples have points of time of their own
 * (--vt-samp-end) and are not affected.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_WINDOW_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_WINDOW_H

#include "record/options/options.h"

/*
 * Checks trace_from and trace_to, and sets those that were not given to -INFINITY and INFINITY.
 * Returns TW_OK, or TW_ERR_USAGE with one line in error that names the option and a remedy.
 */
enum tw_status option_window_settle(struct record_options *options, char *error, size_t error_size);

/* Returns the name of an option that limits the window of settled options; NULL if none does. */
const char *option_window_given(const struct record_options *options);

#endif
