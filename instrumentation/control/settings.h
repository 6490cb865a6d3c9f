/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - the options that may change while a simulation runs, and their new values.
 */
#ifndef WARPSCOPE_CONTROL_SETTINGS_H
#define WARPSCOPE_CONTROL_SETTINGS_H

#include "base/options.h"
#include "record/options/options.h"

/* The variables of the options as they were before settings_read(). */
struct settings_before {
    struct record_options options;
    unsigned event_trace;
    unsigned model_stats;
    struct options given;
};

/*
 * Reads n words "name=value" into the variables of the options, checks them like a command line, and
 * stores what they mean for the recorder in to. Returns TW_OK, or another status with one line in
 * error; nothing has changed then. before: for settings_restore(). Not collective, the same on all
 * ranks.
 */
enum tw_status settings_read(int n, char **words, struct record_options *to,
                             struct settings_before *before, char *error, size_t size);
void settings_restore(const struct settings_before *before);

/* Writes the options that may change and are not off, with their values, to text. */
void settings_text(char *text, size_t size);

#endif
