/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_aliases.c - determines the values of options that have two spellings.
 *
 *   --engine-stats=N      sets --enable-gvt-stats, --real-time-samp and samples at virtual times
 *   --rt-interval=MS      the interval of --real-time-samp=MS. Alone it starts that sampling, but
 *                         not if --engine-stats or --model-stats select what is sampled, nor with
 *                         ROSS 8 meanings (option_ross8.h)
 *   --granularity=1       is --kp-data=1 --lp-data=1
 *   --stats-prefix=TEXT   is --stats-filename=TEXT
 *
 * An option that was not given never contradicts another one, even if their defaults differ.
 */
#include "record/options/option_aliases.h"

#include <string.h>

#include "engine/probe.h"
#include "record/options/option_vt.h"
#include "record/options/option_window.h"

/* Values of --engine-stats. */
enum engine_stats {
    ENGINE_STATS_NONE = 0,
    ENGINE_STATS_GVT = 1,
    ENGINE_STATS_RT = 2,
    ENGINE_STATS_VT = 3,
    ENGINE_STATS_ALL = 4
};

static enum tw_status contradiction(char *error, size_t size, const char *a, unsigned a_value,
                                    const char *b, unsigned b_value, const char *advice)
{
    snprintf(error, size, "--%s=%u and --%s=%u contradict each other: %s", a, a_value, b, b_value,
             advice);
    return TW_ERR_USAGE;
}

/* Sets the sampling modes of the engine according to --engine-stats, which was given and overrides
 * the older options. Returns TW_ERR_USAGE if one of the older options contradicts
 * --engine-stats. */
static enum tw_status settle_engine_stats(struct record_options *o, char *error, size_t size)
{
    unsigned mode = o->engine_stats;
    unsigned gvt = mode == ENGINE_STATS_GVT || mode == ENGINE_STATS_ALL;
    unsigned rt = mode == ENGINE_STATS_RT || mode == ENGINE_STATS_ALL;
    if (run_option_was_given("enable-gvt-stats") && o->gvt_stats != gvt) {
        return contradiction(error, size, "engine-stats", mode, "enable-gvt-stats", o->gvt_stats,
                             "give one of them");
    }
    if (run_option_was_given("real-time-samp") && (o->real_time_samp != 0) != rt) {
        return contradiction(error, size, "engine-stats", mode, "real-time-samp", o->real_time_samp,
                             "give one of them; --rt-interval is the interval alone");
    }
    o->gvt_stats = gvt;
    o->rt_stats = rt;
    o->vt_stats = mode == ENGINE_STATS_VT || mode == ENGINE_STATS_ALL;
    return TW_OK;
}

static enum tw_status settle_modes(struct record_options *o, char *error, size_t size)
{
    if (o->engine_stats > ENGINE_STATS_ALL) {
        snprintf(error, size,
                 "--engine-stats=%u: give 0 (none), 1 (at GVT), 2 (by wall clock), 3 (by virtual "
                 "time) or 4 (all)",
                 o->engine_stats);
        return TW_ERR_USAGE;
    }
    if (run_option_was_given("real-time-samp") && run_option_was_given("rt-interval") &&
        o->real_time_samp != o->rt_interval) {
        return contradiction(error, size, "real-time-samp", o->real_time_samp, "rt-interval",
                             o->rt_interval, "give one of them");
    }
    o->gvt_stats = o->gvt_stats != 0;
    bool starts = !record_options_model_at_rt(o) && !o->has_ross8_meanings;
    o->rt_stats = o->real_time_samp != 0 || (o->rt_interval != 0 && starts);
    if (o->engine_stats != ENGINE_STATS_NONE || run_option_was_given("engine-stats")) {
        enum tw_status status = settle_engine_stats(o, error, size);
        if (status != TW_OK) {
            return status;
        }
    }
    o->rt_interval_ms = o->real_time_samp != 0 ? o->real_time_samp : o->rt_interval;
    if (o->rt_interval_ms == 0) {
        o->rt_interval_ms = RECORD_RT_INTERVAL_DEFAULT_MS;
    }
    return TW_OK;
}

static enum tw_status settle_level(unsigned *data, const char *name, unsigned granularity,
                                   char *error, size_t size)
{
    *data = *data != 0;
    if (run_option_was_given("granularity") && run_option_was_given(name) && *data != granularity) {
        return contradiction(error, size, "granularity", granularity, name, *data,
                             "--granularity=1 records KPs and LPs, 0 neither; leave it out to "
                             "choose by --kp-data and --lp-data");
    }
    *data = *data != 0 || granularity != 0;
    return TW_OK;
}

static enum tw_status settle_levels(struct record_options *o, char *error, size_t size)
{
    o->granularity = o->granularity != 0;
    o->pe_data = o->pe_data != 0;
    enum tw_status status = settle_level(&o->kp_data, "kp-data", o->granularity, error, size);
    if (status == TW_OK) {
        status = settle_level(&o->lp_data, "lp-data", o->granularity, error, size);
    }
    if (status == TW_OK && (o->gvt_stats != 0 || o->vt_stats != 0) && o->pe_data == 0 &&
        o->kp_data == 0 && o->lp_data == 0) {
        snprintf(error, size,
                 "--pe-data=0: nothing is left to record of the engine; add --kp-data=1 or "
                 "--lp-data=1");
        status = TW_ERR_USAGE;
    }
    return status;
}

static enum tw_status settle_prefix(struct record_options *o, char *error, size_t size)
{
    if (o->prefix_alias[0] == '\0') {
        return TW_OK;
    }
    if (run_option_was_given("stats-filename") && strcmp(o->prefix, o->prefix_alias) != 0) {
        snprintf(error, size,
                 "--stats-filename=%s and --stats-prefix=%s contradict each other: give one of "
                 "them",
                 o->prefix, o->prefix_alias);
        return TW_ERR_USAGE;
    }
    memcpy(o->prefix, o->prefix_alias, sizeof(o->prefix));
    return TW_OK;
}

enum tw_status option_aliases_settle(struct record_options *options, char *error, size_t error_size)
{
    enum tw_status status = settle_modes(options, error, error_size);
    if (status == TW_OK) {
        status = option_vt_settle(options, error, error_size);
    }
    if (status == TW_OK) {
        status = settle_levels(options, error, error_size);
    }
    return status == TW_OK ? settle_prefix(options, error, error_size) : status;
}

const char *option_aliases_idle(const struct record_options *options)
{
    static const char *const of_engine[] = {"granularity", "pe-data", "kp-data", "lp-data"};
    bool engine = options->gvt_stats != 0 || options->rt_stats != 0 || options->vt_stats != 0;
    for (size_t i = 0; !engine && i < sizeof(of_engine) / sizeof(of_engine[0]); i++) {
        if (run_option_was_given(of_engine[i])) {
            return of_engine[i];
        }
    }
    bool at_gvt = options->gvt_stats != 0 || record_options_model_at_gvt(options);
    if (!at_gvt && run_option_was_given("num-gvt")) {
        return "num-gvt";
    }
    bool at_rt = options->rt_stats != 0 || record_options_model_at_rt(options);
    if (!at_rt && options->rt_interval != 0) {
        return "rt-interval";
    }
    if (options->event_trace == RECORD_TRACE_OFF && options->trace_lps[0] != '\0') {
        return "trace-lps";
    }
    if (options->event_trace == RECORD_TRACE_OFF && options->event_times != 0) {
        return "event-times";
    }
    const char *window = option_window_given(options);
    if (options->event_trace == RECORD_TRACE_OFF && window != NULL) {
        return window;
    }
    return option_vt_idle(options);
}
