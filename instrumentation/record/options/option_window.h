/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_window.h - the window of virtual time of the event trace: --trace-from, --trace-to.
 *
 * The window is half-open, [from, to): consecutive windows together contain each event exactly
 * once. It applies to receive times, in all modes of --event-trace. The window does not affect
 * samples, which have limits of their own (--vt-samp-end).
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_WINDOW_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_WINDOW_H

#include "record/options/options.h"

/*
 * Checks trace_from and trace_to. If one of them was not given, sets it to -INFINITY or INFINITY,
 * respectively. Returns TW_OK, or TW_ERR_USAGE with one line in error (error_size bytes) that names
 * the option and a remedy.
 */
enum tw_status option_window_settle(struct record_options *options, char *error, size_t error_size);

/* Returns the name of an option that limits the window; NULL if none does. options: as left by
 * option_window_settle(). */
const char *option_window_given(const struct record_options *options);

#endif
