/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.c - set-up and end of the instrumentation, in the order of dependencies. The set-up
 * begins with the delivery of committed records. The streams follow, then the subscriber libraries,
 * to which the streams are announced, and last the probes, which depend on the libraries'
 * subscriptions.
 */
#include "session.h"

#include <stdlib.h>

#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/sources/engine_stream.h"
#include "bus/sources/hooks.h"
#include "bus/sources/row_streams.h"
#include "bus/state.h"
#include "control/control.h"
#include "record/base/agree.h"
#include "record/context.h"
#include "record/describe/payload_room.h"
#include "record/recorder.h"
#include "st_flight.h"
#include "task/context.h"

enum tw_status session_setup(const tw_pe *pe, struct probe_table *table)
{
    enum tw_status status = deferred_begin(&g_st_deferred, table, g_tw_nkp, g_tw_nlp);
    status = agree_on_status(status, "out of memory for records that wait for commits");
    if (status != TW_OK) {
        return status;
    }
    engine_stream_open(&g_st_engine_stream);
    row_streams_open(&g_st_row_streams);
    bus_set_stats_path(context_recorder()->dir, recorder_has_files(context_recorder()));
    bus_load();
    engine_stream_begin(&g_st_engine_stream, table);
    row_streams_begin(&g_st_row_streams, context_recorder_or_null());
    st_flight_begin();
    task_setup(pe, table);
    return TW_OK;
}

void session_lps_made(void)
{
    deferred_lps_made(&g_st_deferred, g_tw_nlp);
    engine_stream_lps_made(&g_st_engine_stream);
    bus_libraries_forget();
    if (g_st_tasks != NULL) {
        task_lps_made(g_st_tasks);
    }
}

void session_rows_changed(void)
{
    row_streams_refresh(&g_st_row_streams);
}

void session_finish(void)
{
    deferred_finish(&g_st_deferred);
}

void session_end(void)
{
    bus_unload();
}

void session_emergency(void)
{
    bus_unload();
}

static void fini_bus(void)
{
    bus_unload();
    row_streams_fini(&g_st_row_streams);
    engine_stream_fini(&g_st_engine_stream);
    deferred_fini(&g_st_deferred);
    hooks_fini(&g_st_hooks);
    bus_fini();
}

void session_reset(void)
{
    static const struct record_options defaults = RECORD_OPTIONS_DEFAULT;
    control_fini();
    if (g_st_tasks != NULL) {
        task_fini(g_st_tasks);
        free(g_st_tasks);
        g_st_tasks = NULL;
    }
    fini_bus();
    if (g_st_recorder != NULL) {
        recorder_fini(g_st_recorder);
        free(g_st_recorder);
        g_st_recorder = NULL;
    }
    payload_room_free();
    g_st_model_types = NULL;
    g_st_model_types_v8 = NULL;
    g_st_model_stats = 0;
    g_st_ev_trace = 0;
    g_st_use_analysis_lps = 0;
    g_st_options = defaults;
}
