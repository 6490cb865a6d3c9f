/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change_settings.c - checks and applies settings of the engine that a request changes during a
 * run; see engine/control.h.
 */
#include "engine/control.h"

#include "base/duration.h"
#include "checkpoint/checkpoint.h"
#include "engine/process/run.h"
#include "run/watchdog.h"

enum tw_status control_settings_check(const tw_pe *of, char *error, size_t error_size)
{
    enum tw_status status = run_check_stall_warning(error, error_size);
    return status != TW_OK ? status : checkpoint_check_interval(pe_of(of), error, error_size);
}

void control_settings_apply(tw_pe *of)
{
    struct pe *pe = pe_of(of);
    struct watchdog *watchdog = g_run.watchdog;
    double limit_s = 0.0;
    bool in_seconds;
    duration_read(g_run.settings.stall_warning, &limit_s, &in_seconds);
    if (watchdog != NULL && (limit_s < watchdog->limit_s || limit_s > watchdog->limit_s)) {
        watchdog_stop(watchdog);
        watchdog_start(watchdog, pe, limit_s, watchdog->stop_s);
    }
    checkpoint_change_interval(pe);
}
