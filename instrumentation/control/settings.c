/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - see settings.h. */
#include "control/settings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "control/replace.h"
#include "engine/control.h"
#include "engine/probe.h"
#include "record/options/options.h"
#include "st.h"
#include "text/nearest.h"
#include "text/utf8.h"

#define NAME_MAX_BYTES 64u

/* Names of the options that a request may change. None of these options changes the simulation
 * itself. */
static const char *const changing[] = {
    "enable-gvt-stats", "num-gvt",     "real-time-samp",   "vt-interval",  "vt-samp-end",
    "granularity",      "pe-data",     "kp-data",          "lp-data",      "engine-stats",
    "rt-interval",      "event-trace", "event-times",      "trace-lps",    "trace-from",
    "trace-to",         "model-stats", "checkpoint-every", "stall-warning"};
#define N_CHANGING (sizeof changing / sizeof changing[0])

/* Reasons why other options cannot change. The first entry that matches the option's name applies;
 * the last entry matches every name. */
static const struct {
    /* Beginning of the names that the entry matches. */
    const char *name;
    const char *why;
} fixed[] = {
    {"stats-", "the files of the recording are there already"},
    {"task-trace", "tasks that have begun would be missing"},
    {"tracer", "tasks that have begun would be missing"},
    {"buffer-", "the buffers are there already"},
    {"flight-trigger", "the buffers are there already"},
    {"crash-safe", "the buffers are there already"},
    {"writer-thread", "it starts with the run"},
    {"disable-output", "the files of the recording are there already"},
    {"no-control", "the run has this file for requests already"},
    {"subscribers", "subscribers follow a run from its beginning"},
    {"checkpoint-path", "the directory for checkpoints is chosen when the run starts"},
    {"checkpoint-", "it is read when the run starts"},
    {"report-json", "it is read when the run starts"},
    {"csv", "it is read when the run starts"},
    {"quiet", "it is read when the run starts"},
    {"report-interval", "it is read when the run starts"},
    {"", "it belongs to the simulation, not to what is recorded of it"},
};

static bool is_changing(const char *name)
{
    for (size_t i = 0; i < N_CHANGING; i++) {
        if (strcmp(changing[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static enum tw_status refuse_name(const char *name, char *error, size_t size)
{
    if (control_has_option(name)) {
        size_t i = 0;
        while (strncmp(fixed[i].name, name, strlen(fixed[i].name)) != 0) {
            i++;
            assert(i < sizeof fixed / sizeof fixed[0]);
        }
        return REFUSE(error, size, "--%s cannot change while the run goes on: %s", name,
                      fixed[i].why);
    }
    const char *near = nearest_in(name, changing, N_CHANGING);
    snprintf(error, size, "no option --%s%s%s%s", name, near != NULL ? "; did you mean --" : "",
             near != NULL ? near : "", near != NULL ? "?" : "");
    utf8_drop_controls(error);
    return TW_ERR_USAGE;
}

/* Checks the name in a word "name=value" of a request, and turns underscores in the name into
 * hyphens. Returns TW_OK, or another status with one line in error. */
static enum tw_status check_word(char *word, char *error, size_t size)
{
    char name[NAME_MAX_BYTES];
    size_t length = strcspn(word, "=");
    if (length == 0 || word[length] != '=') {
        char echo[OPTIONS_ECHO_MAX + 1];
        snprintf(error, size, "\"%s\" is no setting: give NAME=VALUE, such as real-time-samp=10",
                 options_echo(word, echo));
        utf8_drop_controls(error);
        return TW_ERR_USAGE;
    }
    for (size_t i = 0; i < length; i++) {
        word[i] = word[i] == '_' ? '-' : word[i];
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             word);
    return is_changing(name) ? TW_OK : refuse_name(name, error, size);
}

/* Returns true if the request stops the sampling at virtual times, with vt-interval=0. In that case
 * withdraws --vt-interval, and also --vt-samp-end unless the request sets it. */
static bool ends_virtual_times(int n, char **words)
{
    bool has_end = false, ends = false;
    for (int i = 0; i < n; i++) {
        has_end |= strncmp(words[i], "vt-samp-end=", 12) == 0;
        ends |= strncmp(words[i], "vt-interval=", 12) == 0;
    }
    ends = ends && g_st_options.vt_interval <= 0.0 && g_st_options.vt_interval >= 0.0;
    if (ends) {
        control_forget_option("vt-interval");
    }
    if (ends && !has_end) {
        control_forget_option("vt-samp-end");
    }
    return ends;
}

/* Called if a request stops the sampling at virtual times. Checks that no option requires such
 * samples. Returns TW_OK, or another status with one line in error. */
static enum tw_status check_end(const struct record_options *to, char *error, size_t size)
{
    bool engine = to->vt_stats != 0;
    if (!record_options_at_vt(to)) {
        return TW_OK;
    }
    return REFUSE(
        error, size,
        "--vt-interval=0: --%s=%u samples at virtual times; change it in the same request",
        engine ? "engine-stats" : "model-stats", engine ? to->engine_stats : to->model_stats_given);
}

/* Collects in *to the values of the recorder's options from their variables, and checks them.
 * Returns TW_OK, or another status with one line in error. */
static enum tw_status take(const tw_pe *pe, struct record_options *to, char *error, size_t size)
{
    enum tw_status status = record_options_read(to, error, size);
    if (status == TW_OK && to->format != RECORD_FORMAT_WARPSCOPE) {
        status = REFUSE(error, size,
                        "--stats-format=%s: files of ROSS 8 have one set of records for the whole "
                        "run; start the run without it",
                        to->format == RECORD_FORMAT_ROSS8 ? "ross8" : "both");
    }
    return status == TW_OK ? control_settings_check(pe, error, size) : status;
}

enum tw_status settings_read(int n, char **words, const tw_pe *pe, const struct record_options *now,
                             struct record_options *to, struct settings_before *before, char *error,
                             size_t size)
{
    assert(n > 0);
    struct replace_words options;
    for (int i = 0; i < n; i++) {
        enum tw_status status = check_word(words[i], error, size);
        if (status != TW_OK) {
            return status;
        }
    }
    *before = (struct settings_before){.options = g_st_options,
                                       .event_trace = g_st_ev_trace,
                                       .model_stats = g_st_model_stats,
                                       .given = control_options_copy()};
    replace_older(n, words, now, &options);
    enum tw_status status = control_read_options(options.n, options.options, error, size);
    bool ends_vt = status == TW_OK && ends_virtual_times(n, words);
    if (status == TW_OK) {
        status = take(pe, to, error, size);
    }
    if (status == TW_OK && ends_vt) {
        status = check_end(to, error, size);
    }
    replace_words_free(&options);
    if (status != TW_OK) {
        settings_restore(before);
    }
    return status;
}

void settings_restore(const struct settings_before *before)
{
    g_st_options = before->options;
    g_st_ev_trace = before->event_trace;
    g_st_model_stats = before->model_stats;
    control_options_restore(before->given);
}

void settings_forget(struct settings_before *before)
{
    control_options_free(before->given);
    before->given = NULL;
}

void settings_text(const struct record_options *now, char *text, size_t size)
{
    assert(size > 0);
    const char *idle = record_options_idle(now);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < N_CHANGING; i++) {
        char value[256];
        run_option_text(changing[i], value, sizeof value);
        if (run_option_was_given(changing[i])) {
            /* Flags have the values "on" and "". They are shown as 1 and 0, which the command line
             * accepts. */
            const char *shown = strcmp(value, "on") == 0 ? "1" : value[0] == '\0' ? "0" : value;
            snprintf(text + used, size - used, "%s%s=%s", used > 0 ? " " : "", changing[i], shown);
            used = strlen(text);
        }
    }
    if (idle != NULL) {
        snprintf(text + used, size - used,
                 "%s--%s has no effect: the run records nothing that it "
                 "applies to",
                 used > 0 ? "\n" : "", idle);
    }
}
