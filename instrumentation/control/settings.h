/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - options that may change while a simulation runs: reads their new values. */
#ifndef WARPSCOPE_CONTROL_SETTINGS_H
#define WARPSCOPE_CONTROL_SETTINGS_H

#include "base/options.h"
#include "record/options/options.h"

/* Values that settings_read() has replaced, for settings_restore(). */
struct settings_before {
    struct record_options options;
    unsigned event_trace;
    unsigned model_stats;
    struct options given;
};

/*
 * Reads n words "name=value" into the variables of the options, checking them like a command line,
 * and stores the resulting options of the recorder in to. Stores the previous values in before, for
 * settings_restore(). On failure returns another status than TW_OK, with one line in error, and
 * changes nothing. Gives the same result on all ranks. Not collective.
 */
enum tw_status settings_read(int n, char **words, struct record_options *to,
                             struct settings_before *before, char *error, size_t size);
void settings_restore(const struct settings_before *before);

/* Writes the changeable options that were given, with their values, to text: "num-gvt=10
 * lp-data=1". */
void settings_text(char *text, size_t size);

#endif
