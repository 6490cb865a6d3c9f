/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_vt.c - determines the options of sampling at virtual times.
 *
 *   --vt-interval=T    virtual time between sampling points. Alone it selects samples of the
 *                      engine, except with ROSS 8 meanings (option_ross8.h) or if --engine-stats or
 *                      --model-stats select what is sampled. If virtual times are selected without
 *                      this option, the interval is a hundredth of the end time. In a run without
 *                      end time, the value 4 of ROSS 8 ("all of them") then excludes virtual times
 *   --vt-samp-end=T    latest virtual time of a sampling point; if not given, a further point is at
 *                      the end of the run
 *
 * The number of sampling points is limited, so that a typing error does not fill the disk.
 */
#include "record/options/option_vt.h"

#include "engine/probe.h"

#define VT_POINTS_DEFAULT 100 /* default number of sampling points in a run with an end time */
#define VT_END_MAX        (DBL_MAX / 2.0) /* a later end time counts as no end */

static enum tw_status refuse(char *error, size_t size, const char *option, double value,
                             const char *advice)
{
    snprintf(error, size, "--%s=%g: %s", option, value, advice);
    return TW_ERR_USAGE;
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
        snprintf(error, size,
                 "--vt-interval=%g: %.3g sampling points up to the time %g are more than the %llu "
                 "possible; give a larger interval or a smaller --vt-samp-end",
                 o->vt_interval, ratio, end, (unsigned long long)RECORD_VT_POINTS_MAX);
        return TW_ERR_USAGE;
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
            snprintf(error, size,
                     "--%s=%u: in a run without end, give --vt-interval=T, the virtual time "
                     "between two samples",
                     o->vt_stats != 0 ? "engine-stats" : "model-stats",
                     o->vt_stats != 0 ? o->engine_stats : o->model_stats_given);
            return TW_ERR_USAGE;
        }
        o->vt_interval = g_tw_ts_end / VT_POINTS_DEFAULT;
    }
    if (!(o->vt_interval > 0.0)) {
        return refuse(error, size, "vt-interval", o->vt_interval,
                      "give a virtual time larger than 0");
    }
    if (!run_option_was_given("vt-samp-end")) {
        o->vt_samp_end = INFINITY;
    } else if (!(o->vt_samp_end >= o->vt_interval)) {
        return refuse(error, size, "vt-samp-end", o->vt_samp_end,
                      "is before the first sampling point, which is at --vt-interval");
    }
    return settle_points(o, ROSS_MIN(o->vt_samp_end, g_tw_ts_end), error, size);
}

enum tw_status option_vt_settle(struct record_options *o, char *error, size_t size)
{
    bool models = record_options_model_at_vt(o);
    if (run_option_was_given("vt-samp-end") && !(o->vt_samp_end > 0.0) && !o->has_ross8_meanings) {
        return refuse(error, size, "vt-samp-end", o->vt_samp_end,
                      "give a virtual time larger than 0");
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

const char *option_vt_idle(const struct record_options *o)
{
    if (o->vt_stats != 0 || record_options_model_at_vt(o)) {
        return NULL;
    }
    if (run_option_was_given("vt-interval")) {
        return "vt-interval";
    }
    return run_option_was_given("vt-samp-end") ? "vt-samp-end" : NULL;
}
