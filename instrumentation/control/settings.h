/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - options that may change while a simulation runs: reads their new values. */
#ifndef WARPSCOPE_CONTROL_SETTINGS_H
#define WARPSCOPE_CONTROL_SETTINGS_H

#include "base/status.h"
#include "record/options/options.h"

struct control_options;

/* Options before settings_read(). Free it with settings_forget(). */
struct settings_before {
    struct record_options options;
    unsigned event_trace;
    unsigned model_stats;
    struct control_options *given; /* owned */
};

/*
 * Reads n words "name=value" into the variables of the options. The words replace earlier values as
 * replace.h describes, and are checked like a command line. Stores the resulting options of the
 * recorder in *to. now: the options in force. Returns TW_OK, or another status with one line in
 * error; the options are then unchanged. before: for settings_restore(). Not collective, the same
 * on all ranks.
 */
enum tw_status settings_read(int n, char **words, const tw_pe *pe, const struct record_options *now,
                             struct record_options *to, struct settings_before *before, char *error,
                             size_t size);
void settings_restore(const struct settings_before *before);
void settings_forget(struct settings_before *before);

/* Writes the options that may change and are not off, with their values, to text; then a line about
 * an option without effect, if there is one. now: the options in force. */
void settings_text(const struct record_options *now, char *text, size_t size);

#endif
