/* SPDX-License-Identifier: BSD-3-Clause */
/* option_window.c - see option_window.h. */
#include "record/options/option_window.h"

#include <math.h>
#include <stdio.h>

#include "engine/probe.h"

static enum tw_status check_from(const struct record_options *o, char *error, size_t size)
{
    if (!(o->trace_from >= 0.0)) {
        snprintf(error, size, "--trace-from=%g: give a virtual time, 0 or later", o->trace_from);
        return TW_ERR_USAGE;
    }
    if (!(o->trace_from < g_tw_ts_end)) {
        snprintf(error, size,
                 "--trace-from=%g: the run ends at virtual time %g; give an earlier time",
                 o->trace_from, g_tw_ts_end);
        return TW_ERR_USAGE;
    }
    return TW_OK;
}

static enum tw_status check_to(const struct record_options *o, char *error, size_t size)
{
    double from = ROSS_MAX(o->trace_from, 0.0);
    if (!(o->trace_to > from)) {
        snprintf(error, size,
                 "--trace-to=%g: is not after the beginning of the window, %g (--trace-from)",
                 o->trace_to, from);
        return TW_ERR_USAGE;
    }
    return TW_OK;
}

enum tw_status option_window_settle(struct record_options *o, char *error, size_t size)
{
    bool has_from = run_option_was_given("trace-from"), has_to = run_option_was_given("trace-to");
    o->trace_from = has_from ? o->trace_from : (double)-INFINITY;
    o->trace_to = has_to ? o->trace_to : (double)INFINITY;
    enum tw_status status = has_from ? check_from(o, error, size) : TW_OK;
    return status == TW_OK && has_to ? check_to(o, error, size) : status;
}

const char *option_window_given(const struct record_options *o)
{
    return isfinite(o->trace_from) ? "trace-from" : isfinite(o->trace_to) ? "trace-to" : NULL;
}
