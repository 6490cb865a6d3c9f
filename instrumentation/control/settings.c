/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - see settings.h. */
#include "control/settings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/control.h"
#include "engine/probe.h"
#include "record/options/options.h"
#include "st.h"
#include "text/decimal.h"
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

/*
 * Rules for options of recording that overlap: in a running simulation, the latest request has
 * precedence.
 *
 * The command line of a run refuses options that contradict each other. A request instead replaces
 * overlapping options of the command line and of earlier requests:
 *
 *  real-time-samp, rt-interval    replace each other. rt-interval=MS means real-time-samp=MS,
 *                                 except where it is only the interval of the model's samples
 *  engine-stats                   replaces enable-gvt-stats and real-time-samp; the interval of
 *                                 real-time-samp stays
 *  enable-gvt-stats, real-time-samp, rt-interval, vt-interval
 *                                 change one part of engine-stats; its other parts stay
 *  granularity                    replaces kp-data and lp-data
 *  kp-data, lp-data               change one part of granularity; its other part stays
 *  vt-interval=0                  withdraws vt-interval and vt-samp-end
 *  trace-lps=                     withdraws trace-lps
 *  trace-from=, trace-to=         withdraw these limits of the window
 *
 * Contradictions within one request are refused.
 */

#define REPLACE_WORDS_MAX 96u

/* A request in the form of command-line options. */
struct replace_words {
    char *options[REPLACE_WORDS_MAX]; /* owned; each has the form "--name=value" */
    int n;
};

/* The words of a request, and the options that are composed from them. */
struct replacing {
    int n;
    char *const *words;
    const struct record_options *now;
    struct replace_words *to;
};

/* Returns true if `word`, which has the form "name=value", has this name. */
static bool is_named(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=';
}

/* Returns true if the request gives a value to the option of this name. */
static bool has(const struct replacing *r, const char *name)
{
    bool any = false;
    for (int i = 0; i < r->n; i++) {
        any |= is_named(r->words[i], name);
    }
    return any;
}

static __attribute__((format(printf, 2, 3))) void add(struct replacing *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0);
    size_t size = (size_t)(unsigned)length + 1;
    char *text = tw_calloc(TW_LOC, "request", 1, size);
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
    assert((unsigned)r->to->n < REPLACE_WORDS_MAX);
    r->to->options[r->to->n++] = text;
}

static void withdraw(unsigned *variable, const char *name)
{
    *variable = 0;
    control_forget_option(name);
}

/* Withdraws --enable-gvt-stats and --real-time-samp, which the new --engine-stats in the request
 * replaces. Exception: an option to which the request itself gives a value stays. */
static void replace_parts(struct replacing *r)
{
    struct record_options *o = &g_st_options;
    if (!has(r, "enable-gvt-stats")) {
        withdraw(&o->gvt_stats, "enable-gvt-stats");
    }
    if (!has(r, "real-time-samp")) {
        if (o->real_time_samp != 0 && !has(r, "rt-interval")) {
            add(r, "--rt-interval=%u", o->real_time_samp);
        }
        withdraw(&o->real_time_samp, "real-time-samp");
    }
}

/* Replaces the --engine-stats in force by separate options that select the same samples, because
 * the request changes some of these. Exception: if the engine and the model are both sampled at
 * virtual times, --engine-stats stays, because no other option selects such samples of the
 * engine. */
static void divide_engine_stats(struct replacing *r)
{
    struct record_options *o = &g_st_options;
    const struct record_options *now = r->now;
    char interval[DECIMAL_MAX];
    bool has_interval = run_option_was_given("vt-interval");
    if (now->vt_stats != 0 && record_options_model_at_vt(now)) {
        return;
    }
    withdraw(&o->engine_stats, "engine-stats");
    add(r, "--enable-gvt-stats=%u", now->gvt_stats != 0);
    if (now->rt_stats != 0) {
        add(r, "--real-time-samp=%u", now->rt_interval_ms);
    }
    if (now->rt_stats != 0 || !record_options_model_at_rt(now)) {
        withdraw(&o->rt_interval, "rt-interval");
    }
    if (now->vt_stats != 0 && !has_interval) {
        decimal_f64(interval, now->vt_interval);
        add(r, "--vt-interval=%s", interval);
    } else if (now->vt_stats == 0 && has_interval && !record_options_model_at_vt(now)) {
        control_forget_option("vt-interval");
    }
}

/* Returns true if --rt-interval in the request sets only the interval of the model's samples. */
static bool is_of_model(const struct replacing *r)
{
    return r->now->rt_stats == 0 && (record_options_model_at_rt(r->now) || has(r, "model-stats"));
}

static void replace_clock(struct replacing *r, bool *as_samp)
{
    struct record_options *o = &g_st_options;
    if (has(r, "real-time-samp") && !has(r, "rt-interval")) {
        withdraw(&o->rt_interval, "rt-interval");
    } else if (has(r, "rt-interval") && !has(r, "real-time-samp") && is_of_model(r)) {
        withdraw(&o->real_time_samp, "real-time-samp");
    } else if (has(r, "rt-interval") && !has(r, "real-time-samp")) {
        withdraw(&o->rt_interval, "rt-interval");
        *as_samp = true;
    }
}

static void replace_levels(struct replacing *r)
{
    struct record_options *o = &g_st_options;
    bool part = has(r, "kp-data") || has(r, "lp-data");
    if (has(r, "granularity") && !part) {
        withdraw(&o->kp_data, "kp-data");
        withdraw(&o->lp_data, "lp-data");
    } else if (part && !has(r, "granularity") && run_option_was_given("granularity")) {
        withdraw(&o->granularity, "granularity");
        add(r, "--kp-data=%u", r->now->kp_data);
        add(r, "--lp-data=%u", r->now->lp_data);
    }
}

/* Composes the option for a word of the request. If the word withdraws its option, as in
 * "trace-lps=", withdraws the option instead. rt_as_samp: true if rt-interval stands for
 * real-time-samp. */
static void add_word(struct replacing *r, const char *word, bool rt_as_samp)
{
    assert(strchr(word, '=') != NULL);
    const char *value = strchr(word, '=') + 1;
    if (is_named(word, "trace-lps") && value[0] == '\0') {
        g_st_options.trace_lps[0] = '\0';
        control_forget_option("trace-lps");
    } else if (is_named(word, "trace-from") && value[0] == '\0') {
        control_forget_option("trace-from");
    } else if (is_named(word, "trace-to") && value[0] == '\0') {
        control_forget_option("trace-to");
    } else if (is_named(word, "rt-interval") && rt_as_samp) {
        add(r, "--real-time-samp=%s", value);
    } else {
        add(r, "--%s", word);
    }
}

/* Composes in *to the command-line options that have the effect of a request, and withdraws from
 * g_st_options the options that the request replaces. The request has n words "name=value"; each
 * name must be that of an option. now: the options in force. Free *to with replace_words_free(). */
static void replace_older(int n, char *const *words, const struct record_options *now,
                          struct replace_words *to)
{
    struct replacing r = {.n = n, .words = words, .now = now, .to = to};
    bool rt_as_samp = false;
    *to = (struct replace_words){.n = 0};
    if (has(&r, "engine-stats")) {
        replace_parts(&r);
    } else {
        bool part = has(&r, "enable-gvt-stats") || has(&r, "real-time-samp") ||
                    has(&r, "rt-interval") || has(&r, "vt-interval");
        if (part && run_option_was_given("engine-stats")) {
            divide_engine_stats(&r);
        }
        replace_clock(&r, &rt_as_samp);
    }
    replace_levels(&r);
    for (int i = 0; i < n; i++) {
        add_word(&r, words[i], rt_as_samp);
    }
}

static void replace_words_free(struct replace_words *words)
{
    for (int i = 0; i < words->n; i++) {
        free(words->options[i]);
    }
    words->n = 0;
}
/* ---- Reading ---------------------------------------------------------------------------------- */

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
