/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - see settings.h. */
#include "control/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/control.h"
#include "engine/probe.h"
#include "st.h"
#include "text/nearest.h"
#include "text/utf8.h"

#define NAME_MAX_BYTES 64u

/* Names of the options that may change. They affect what is recorded, never the simulation
 * itself. */
static const char *const changing[] = {
    "enable-gvt-stats", "num-gvt",     "real-time-samp", "vt-interval", "vt-samp-end",
    "granularity",      "pe-data",     "kp-data",        "lp-data",     "engine-stats",
    "rt-interval",      "event-trace", "event-times",    "trace-lps",   "model-stats"};
#define N_CHANGING (sizeof changing / sizeof changing[0])

/* Reasons why other options cannot change. The first entry that matches the name applies; the last
 * matches every name. */
static const struct {
    const char *name; /* beginning of the option's name */
    const char *why;
} fixed[] = {
    {"stats-", "the files of the recording are there already"},
    {"task-trace", "tasks that have begun would be missing"},
    {"tracer", "tasks that have begun would be missing"},
    {"buffer-", "the buffers are there already"},
    {"crash-safe", "the buffers are there already"},
    {"writer-thread", "it starts with the run"},
    {"disable-output", "the files of the recording are there already"},
    {"no-control", "the run has this file for requests already"},
    {"subscribers", "subscribers follow a run from its beginning"},
    {"checkpoint-", "\"warpscope ctl DIR checkpoint\" writes one now"},
    {"report-json", "it is read when the run starts"},
    {"csv", "it is read when the run starts"},
    {"quiet", "it is read when the run starts"},
    {"stall-warning", "it is read when the run starts"},
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
        }
        snprintf(error, size, "--%s cannot change while the run goes on: %s", name, fixed[i].why);
        return TW_ERR_USAGE;
    }
    const char *near = nearest_in(name, changing, N_CHANGING);
    snprintf(error, size, "no option --%s%s%s%s", name, near != NULL ? "; did you mean --" : "",
             near != NULL ? near : "", near != NULL ? "?" : "");
    utf8_drop_controls(error);
    return TW_ERR_USAGE;
}

/* Returns TW_OK if the word is "NAME=VALUE" and NAME is an option that may change. */
static enum tw_status check_word(const char *word, char *error, size_t size)
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
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             word);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    return is_changing(name) ? TW_OK : refuse_name(name, error, size);
}

/* Reads the words as options of a command line. */
static enum tw_status read_words(int n, char **words, struct settings_before *before, char *error,
                                 size_t size)
{
    enum tw_status status = TW_OK;
    char **options = calloc((size_t)(unsigned)n + 1, sizeof *options);
    for (int i = 0; options != NULL && i < n; i++) {
        size_t length = strlen(words[i]) + 3;
        options[i] = malloc(length);
        if (options[i] != NULL) {
            snprintf(options[i], length, "--%s", words[i]);
        } else {
            status = TW_ERR_MEMORY;
        }
    }
    if (options == NULL || status != TW_OK) {
        tw_error(TW_LOC, "out of memory for a request");
    }
    status = control_read_options(n, options, &before->given, error, size);
    for (int i = 0; i < n; i++) {
        free(options[i]);
    }
    free(options);
    return status;
}

enum tw_status settings_read(int n, char **words, struct record_options *to,
                             struct settings_before *before, char *error, size_t size)
{
    for (int i = 0; i < n; i++) {
        enum tw_status status = check_word(words[i], error, size);
        if (status != TW_OK) {
            return status;
        }
    }
    *before = (struct settings_before){
        .options = g_st_options, .event_trace = g_st_ev_trace, .model_stats = g_st_model_stats};
    enum tw_status status = read_words(n, words, before, error, size);
    if (status != TW_OK) {
        return status;
    }
    if (g_st_options.vt_interval <= 0.0 && g_st_options.vt_interval >= 0.0) {
        control_forget_option("vt-interval"); /* the value 0 counts as "not given" */
    }
    status = record_options_read(to, error, size);
    if (status == TW_OK && to->format != RECORD_FORMAT_WARPSCOPE) {
        snprintf(error, size,
                 "--stats-format=%s: files of ROSS 8 have one set of records for the whole run; "
                 "start the run without it",
                 to->stats_format);
        status = TW_ERR_USAGE;
    }
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
    control_forget_options(&before->given);
}

void settings_text(char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < N_CHANGING; i++) {
        char value[256];
        size_t used = strlen(text);
        run_option_text(changing[i], value, sizeof value);
        if (run_option_was_given(changing[i])) {
            /* flags have the values "on" and "": shows them as the command line takes them */
            const char *shown = strcmp(value, "on") == 0 ? "1" : value[0] == '\0' ? "0" : value;
            snprintf(text + used, size - used, "%s%s=%s", used > 0 ? " " : "", changing[i], shown);
        }
    }
}
