/* SPDX-License-Identifier: BSD-3-Clause */
/* replace.c - see replace.h. */
#include "control/replace.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/control.h"
#include "engine/probe.h"
#include "text/decimal.h"

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

/* ---- Rules ----------------------------------------------------------------------------------- */

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

void replace_older(int n, char *const *words, const struct record_options *now,
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

void replace_words_free(struct replace_words *words)
{
    for (int i = 0; i < words->n; i++) {
        free(words->options[i]);
    }
    words->n = 0;
}
