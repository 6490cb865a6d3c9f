/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settle.c - determines the meanings of options that depend on each other.
 *
 * ROSS 8 meanings hold in programs built as for ROSS 8 (st.h), with any format, and in all other
 * programs with --stats-format=ross8 or --stats-format=both:
 *
 *   --model-stats=N        1 at GVT, 2 by wall clock, 3 at virtual times, 4 all of them
 *   --rt-interval alone    starts no sampling, nor does --vt-interval
 *
 * In all other cases, 3 selects GVT and wall clock, and 4 virtual times, as in ROSS 7 and
 * Warpscope. Some options have two spellings, one of ROSS 7 and a later one of ROSS 8:
 *
 *   --engine-stats=N      sets --enable-gvt-stats, --real-time-samp and samples at virtual times
 *   --rt-interval=MS      the interval of --real-time-samp=MS. Alone it starts that sampling, but
 *                         not if --engine-stats or --model-stats select what is sampled
 *   --granularity=1       is --kp-data=1 --lp-data=1
 *   --stats-prefix=TEXT   is --stats-filename=TEXT
 *
 * An option that was not given never contradicts another one, even if their defaults differ.
 *
 * Sampling at virtual times:
 *
 *   --vt-interval=T    virtual time between sampling points. Alone it selects samples of the
 *                      engine, except if --engine-stats or --model-stats select what is sampled. If
 *                      virtual times are selected without this option, the interval is a hundredth
 *                      of the end time. In a run without end time, the value 4 of ROSS 8 ("all of
 *                      them") then excludes virtual times
 *   --vt-samp-end=T    latest virtual time of a sampling point; if not given, a further point is at
 *                      the end of the run
 *
 * The number of sampling points is limited, so that a typing error does not fill the disk.
 *
 * The window of the event trace, --trace-from and --trace-to, is half-open, [from, to): consecutive
 * windows together contain each event exactly once. It applies to receive times, in all modes of
 * --event-trace. It does not affect samples.
 */
#include <math.h>
#include <string.h>

#include "engine/probe.h"
#include "record/options/options.h"

#define OWN_PREFIX       "warpscope"
#define OWN_OTHER_PREFIX "warpscope-records"
#define ROSS8_PREFIX     "ross-stats"

#define VT_POINTS_DEFAULT 100 /* default number of sampling points in a run with an end time */
#define VT_END_MAX        (DBL_MAX / 2.0) /* a later end time counts as no end */

/* Values of --engine-stats. */
enum engine_stats {
    ENGINE_STATS_NONE = 0,
    ENGINE_STATS_GVT = 1,
    ENGINE_STATS_RT = 2,
    ENGINE_STATS_VT = 3,
    ENGINE_STATS_ALL = 4
};

static bool has_ross8_meanings(const struct record_options *o)
{
    return o->built_for_ross8 || o->format != RECORD_FORMAT_WARPSCOPE;
}

/* Returns the bitwise OR of enum record_model values that the value `given` of --model-stats stands
 * for. ross8: true if options have ROSS 8 meanings. */
static unsigned model_points(unsigned given, bool ross8)
{
    static const unsigned points[] = {RECORD_MODEL_OFF, RECORD_MODEL_GVT, RECORD_MODEL_RT,
                                      RECORD_MODEL_VT, RECORD_MODEL_ALL};
    bool is_known = given < sizeof(points) / sizeof(points[0]);
    return ross8 && is_known ? points[given] : given;
}

const char *record_options_ross8_prefix(const struct record_options *o)
{
    bool is_alias = o->prefix_alias[0] != '\0';
    return is_alias ? o->prefix_alias
                    : (run_option_was_given("stats-filename") ? o->prefix : ROSS8_PREFIX);
}

bool record_options_want_virtual_times(const struct record_options *o, unsigned model_stats)
{
    bool ross8 = has_ross8_meanings(o);
    bool alone = !ross8 && !run_option_was_given("engine-stats");
    return o->engine_stats >= ENGINE_STATS_VT ||
           (model_points(model_stats, ross8) & RECORD_MODEL_VT) != 0 ||
           (alone && run_option_was_given("vt-interval"));
}

static enum tw_status contradiction(char *error, size_t size, const char *a, unsigned a_value,
                                    const char *b, unsigned b_value, const char *advice)
{
    return REFUSE(error, size, "--%s=%u and --%s=%u contradict each other: %s", a, a_value, b,
                  b_value, advice);
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
    o->has_ross8_meanings = has_ross8_meanings(o);
    o->model_stats = model_points(o->model_stats_given, o->has_ross8_meanings);
    if (o->engine_stats > ENGINE_STATS_ALL) {
        return REFUSE(error, size,
                      "--engine-stats=%u: give 0 (none), 1 (at GVT), 2 (by wall clock), 3 (by "
                      "virtual time) or 4 (all)",
                      o->engine_stats);
    }
    if (run_option_was_given("real-time-samp") && run_option_was_given("rt-interval") &&
        o->real_time_samp != o->rt_interval) {
        return contradiction(error, size, "real-time-samp", o->real_time_samp, "rt-interval",
                             o->rt_interval, "give one of them");
    }
    o->gvt_stats = o->gvt_stats != 0;
    bool starts = !record_options_model_at_rt(o) && !o->has_ross8_meanings;
    o->rt_stats = o->real_time_samp != 0 || (o->rt_interval != 0 && starts);
    o->rt_interval_ms = o->real_time_samp != 0 ? o->real_time_samp : o->rt_interval;
    if (o->rt_interval_ms == 0) {
        o->rt_interval_ms = RECORD_RT_INTERVAL_DEFAULT_MS;
    }
    bool is_given = o->engine_stats != ENGINE_STATS_NONE || run_option_was_given("engine-stats");
    return is_given ? settle_engine_stats(o, error, size) : TW_OK;
}

/* Sets vt_has_end, and sets vt_points to the number of sampling points up to the virtual time
 * `end`. Returns TW_ERR_USAGE if the number is too large. */
static enum tw_status settle_points(struct record_options *o, double end, char *error, size_t size)
{
    o->vt_has_end = end <= VT_END_MAX;
    if (!o->vt_has_end) {
        o->vt_points = RECORD_VT_POINTS_MAX;
        return TW_OK;
    }
    double ratio = end / o->vt_interval;
    if (ratio > (double)RECORD_VT_POINTS_MAX) {
        return REFUSE(error, size,
                      "--vt-interval=%g: %.3g sampling points up to the time %g are more than the "
                      "%llu possible; give a larger interval or a smaller --vt-samp-end",
                      o->vt_interval, ratio, end, (unsigned long long)RECORD_VT_POINTS_MAX);
    }
    uint64_t points = (uint64_t)ratio;
    /* These lines correct a quotient that was rounded down or up. */
    points += (double)(points + 1) * o->vt_interval <= end;
    points -= points > 0 && (double)points * o->vt_interval > end;
    o->vt_points = points;
    return TW_OK;
}

/* Excludes samples at virtual times if they were selected only as part of the value 4 of ROSS 8
 * ("all of them"). Returns true if it has excluded them. */
static bool leave_out(struct record_options *o)
{
    bool engine_is_alone = o->vt_stats != 0 && (o->gvt_stats == 0 || o->rt_stats == 0);
    bool model_is_alone = record_options_model_at_vt(o) && o->model_stats != RECORD_MODEL_ALL;
    if (!o->has_ross8_meanings || engine_is_alone || model_is_alone) {
        return false;
    }
    o->vt_stats = 0;
    o->model_stats &= ~(unsigned)RECORD_MODEL_VT;
    o->vt_is_left_out = true;
    return true;
}

static enum tw_status settle_interval(struct record_options *o, char *error, size_t size)
{
    if (!run_option_was_given("vt-interval")) {
        bool is_endless = !(g_tw_ts_end <= VT_END_MAX);
        if (is_endless && leave_out(o)) {
            return TW_OK;
        }
        if (is_endless) {
            return REFUSE(error, size,
                          "--%s=%u: in a run without end, give --vt-interval=T, the virtual time "
                          "between two samples",
                          o->vt_stats != 0 ? "engine-stats" : "model-stats",
                          o->vt_stats != 0 ? o->engine_stats : o->model_stats_given);
        }
        o->vt_interval = g_tw_ts_end / VT_POINTS_DEFAULT;
    }
    if (!(o->vt_interval > 0.0)) {
        return REFUSE(error, size, "--vt-interval=%g: give a virtual time larger than 0",
                      o->vt_interval);
    }
    if (!run_option_was_given("vt-samp-end")) {
        o->vt_samp_end = INFINITY;
    } else if (!(o->vt_samp_end >= o->vt_interval)) {
        return REFUSE(error, size,
                      "--vt-samp-end=%g: is before the first sampling point, which is at "
                      "--vt-interval",
                      o->vt_samp_end);
    }
    return settle_points(o, ROSS_MIN(o->vt_samp_end, g_tw_ts_end), error, size);
}

static enum tw_status settle_virtual_times(struct record_options *o, char *error, size_t size)
{
    bool models = record_options_model_at_vt(o);
    if (run_option_was_given("vt-samp-end") && !(o->vt_samp_end > 0.0) && !o->has_ross8_meanings) {
        return REFUSE(error, size, "--vt-samp-end=%g: give a virtual time larger than 0",
                      o->vt_samp_end);
    }
    bool given = run_option_was_given("vt-interval");
    bool starts = !run_option_was_given("engine-stats") && !models && !o->has_ross8_meanings;
    o->vt_stats |= given && starts;
    if (o->format == RECORD_FORMAT_ROSS8 && o->vt_stats != 0) {
        o->vt_stats = 0;
        o->vt_engine_is_left_out = true;
    }
    return given || o->vt_stats != 0 || models ? settle_interval(o, error, size) : TW_OK;
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
        return REFUSE(error, size,
                      "--pe-data=0: nothing is left to record of the engine; add --kp-data=1 or "
                      "--lp-data=1");
    }
    return status;
}

static enum tw_status settle_prefix(struct record_options *o, char *error, size_t size)
{
    if (o->prefix_alias[0] == '\0') {
        return TW_OK;
    }
    if (run_option_was_given("stats-filename") && strcmp(o->prefix, o->prefix_alias) != 0) {
        return REFUSE(error, size,
                      "--stats-filename=%s and --stats-prefix=%s contradict each other: give one "
                      "of them",
                      o->prefix, o->prefix_alias);
    }
    memcpy(o->prefix, o->prefix_alias, sizeof(o->prefix));
    return TW_OK;
}

static enum tw_status settle_window(struct record_options *o, char *error, size_t size)
{
    bool has_from = run_option_was_given("trace-from"), has_to = run_option_was_given("trace-to");
    o->trace_from = has_from ? o->trace_from : (double)-INFINITY;
    o->trace_to = has_to ? o->trace_to : (double)INFINITY;
    if (has_from && !(o->trace_from >= 0.0)) {
        return REFUSE(error, size, "--trace-from=%g: give a virtual time, 0 or later",
                      o->trace_from);
    }
    if (has_from && !(o->trace_from < g_tw_ts_end)) {
        return REFUSE(error, size,
                      "--trace-from=%g: the run ends at virtual time %g; give an earlier time",
                      o->trace_from, g_tw_ts_end);
    }
    double from = ROSS_MAX(o->trace_from, 0.0);
    if (has_to && !(o->trace_to > from)) {
        return REFUSE(error, size,
                      "--trace-to=%g: is not after the beginning of the window, %g (--trace-from)",
                      o->trace_to, from);
    }
    return TW_OK;
}

enum tw_status record_options_settle(struct record_options *options, char *error, size_t size)
{
    static enum tw_status (*const steps[])(struct record_options *, char *, size_t) = {
        settle_modes, settle_virtual_times, settle_levels, settle_prefix, settle_window};
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < sizeof steps / sizeof steps[0]; i++) {
        status = steps[i](options, error, size);
    }
    return status;
}

void record_options_settle_names(struct record_options *o)
{
    if (o->format == RECORD_FORMAT_WARPSCOPE) {
        return;
    }
    snprintf(o->ross8_prefix, sizeof(o->ross8_prefix), "%s", record_options_ross8_prefix(o));
    bool is_ours = strcmp(o->ross8_prefix, OWN_PREFIX) == 0;
    snprintf(o->prefix, sizeof(o->prefix), "%s", is_ours ? OWN_OTHER_PREFIX : OWN_PREFIX);
}

const char *record_options_idle(const struct record_options *o)
{
    bool engine = o->gvt_stats != 0 || o->rt_stats != 0 || o->vt_stats != 0;
    bool at_gvt = o->gvt_stats != 0 || record_options_model_at_gvt(o);
    bool at_rt = o->rt_stats != 0 || record_options_model_at_rt(o);
    bool traces = o->event_trace != RECORD_TRACE_OFF, at_vt = record_options_at_vt(o);
    const struct {
        const char *name;
        bool is_given, has_effect;
    } options[] = {{"granularity", run_option_was_given("granularity"), engine},
                   {"pe-data", run_option_was_given("pe-data"), engine},
                   {"kp-data", run_option_was_given("kp-data"), engine},
                   {"lp-data", run_option_was_given("lp-data"), engine},
                   {"num-gvt", run_option_was_given("num-gvt"), at_gvt},
                   {"rt-interval", o->rt_interval != 0, at_rt},
                   {"trace-lps", o->trace_lps[0] != '\0', traces},
                   {"event-times", o->event_times != 0, traces},
                   {"trace-from", isfinite(o->trace_from), traces},
                   {"trace-to", isfinite(o->trace_to), traces},
                   {"vt-interval", run_option_was_given("vt-interval"), at_vt},
                   {"vt-samp-end", run_option_was_given("vt-samp-end"), at_vt}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].is_given && !options[i].has_effect) {
            return options[i].name;
        }
    }
    return NULL;
}
