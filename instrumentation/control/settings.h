/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - reads new values of the options that may change while a simulation runs. */
#ifndef WARPSCOPE_CONTROL_SETTINGS_H
#define WARPSCOPE_CONTROL_SETTINGS_H

#include "base/status.h"
#include "record/options/options.h"

struct control_options;

/* Values of the options before settings_read(). Free them with settings_forget(). */
struct settings_before {
    struct record_options options;
    unsigned event_trace;
    unsigned model_stats;
    struct control_options *given; /* owned; copy made by control_options_copy() */
};

/*
 * Reads n words "name=value" into the variables of the options. The words replace earlier values as
 * settings.c describes, and are checked like a command line. now: the recorder's options in force.
 * *to receives the recorder's new options. *before receives the previous values, for
 * settings_restore().
 *
 * Returns TW_OK, or another status with one line in error (size bytes); the options are then
 * unchanged. The result is the same on all ranks. Not collective.
 */
enum tw_status settings_read(int n, char **words, const tw_pe *pe, const struct record_options *now,
                             struct record_options *to, struct settings_before *before, char *error,
                             size_t size);
void settings_restore(const struct settings_before *before);
void settings_forget(struct settings_before *before);

/* Writes to text (size bytes) those options that may change and were given, with their values. If
 * one of the options has no effect, adds a line that names it. now: the recorder's options in
 * force. */
void settings_text(const struct record_options *now, char *text, size_t size);

#endif
