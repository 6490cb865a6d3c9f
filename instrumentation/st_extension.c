/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_extension.c - implements the interface of the instrumentation to the engine.
 *
 * Defines tw_extension for programs that are linked with the instrumentation. The functions in
 * tw_extension call the recorder, the bus, the tasks and the mailbox for requests. The set-up makes
 * the recorder first; until then there is possibly none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/sources/engine_stream.h"
#include "bus/sources/hooks.h"
#include "bus/sources/row_streams.h"
#include "bus/state.h"
#include "control/control.h"
#include "engine/probe.h"
#include "format/identity.h"
#include "lp_parts.h"
#include "record/base/agree.h"
#include "record/change.h"
#include "record/context.h"
#include "record/describe/payload_room.h"
#include "record/recorder.h"
#include "session.h"
#include "task/context.h"

/* Makes the linker keep ws_dump_streams(), which only a debugger calls. */
__attribute__((used)) static void (*const for_debuggers)(void) = ws_dump_streams;

static const tw_optdef *const option_tables[] = {record_option_table, bus_option_table, NULL};

static const tw_optdef *const *extension_option_tables(void)
{
    return option_tables;
}

static const char *const most_used[] = {
    "stats-path", "enable-gvt-stats", "model-stats", "event-trace", "tracer", "subscribers", NULL};
static const struct options_choice most_used_options = {"Recording and tools", most_used};

static void extension_build_id(char *out, size_t size)
{
    char id[FMT_BUILD_ID_MAX];
    snprintf(out, size, "%s", fmt_build_id("/proc/self/exe", id) == 0 ? id : "");
}

/* Sets up all observers except the recorder, in the order of dependencies: the delivery of committed
 * records, the streams, the subscriber libraries, to which the streams are announced, and last the
 * probes, which depend on the libraries' subscriptions. Returns like extension_setup(). */
static enum tw_status set_up_observers(struct recorder *recorder, const tw_pe *pe,
                                       struct probe_table *table)
{
    enum tw_status status = deferred_begin(&g_st_deferred, table, g_tw_nkp, g_tw_nlp);
    status = agree_on_status(status, "out of memory for records that wait for commits");
    if (status != TW_OK) {
        return status;
    }
    engine_stream_open(&g_st_engine_stream);
    row_streams_open(&g_st_row_streams);
    bus_set_stats_path(recorder->dir, recorder_has_files(recorder));
    bus_load();
    engine_stream_begin(&g_st_engine_stream, table);
    row_streams_begin(&g_st_row_streams, recorder);
    st_flight_begin();
    task_setup(pe, table);
    return TW_OK;
}

static enum tw_status extension_setup(tw_pe *pe, struct probe_table *table)
{
    enum tw_status status = task_plan();
    if (status == TW_OK) {
        status = recorder_setup(context_recorder(), pe, table);
    }
    return status == TW_OK ? set_up_observers(context_recorder(), pe, table) : status;
}

static enum tw_status extension_start(tw_pe *pe, struct probe_table *table)
{
    struct recorder *recorder = context_recorder();
    enum tw_status status = recorder_start(recorder, pe, table);
    if (status == TW_OK && recorder->running) {
        control_begin(recorder, pe);
    }
    if (status == TW_OK) {
        task_start(pe);
    }
    return status;
}

static bool extension_has_request(void)
{
    struct recorder *recorder = context_recorder();
    bool asks = control_has_request();
    return (recorder->running && recorder_has_request(recorder, g_tw_pe)) || asks;
}

static void extension_answer_request(tw_pe *pe, struct probe_table *table)
{
    recorder_answer(context_recorder(), pe, table);
    row_streams_refresh(&g_st_row_streams);
    control_answer(pe, table);
}

static void extension_status_printed(tw_pe *pe)
{
    if (flight_want(context_recorder(), "SIGUSR1")) {
        flight_answer(context_recorder(), pe);
        row_streams_refresh(&g_st_row_streams);
    }
}

static void extension_cut(tw_pe *pe, bool is_last)
{
    recorder_cut(context_recorder(), pe, is_last);
}

static void extension_checkpoint(tw_pe *pe, struct run_samples *samples)
{
    recorder_checkpoint(context_recorder(), pe, samples);
}

static void extension_lps_leave(tw_pe *pe, struct probe_table *table, const char *text)
{
    recorder_lps_leave(context_recorder(), pe, table, text);
}

static void extension_lps_made(tw_pe *pe)
{
    (void)pe;
    deferred_lps_made(&g_st_deferred, g_tw_nlp);
    engine_stream_lps_made(&g_st_engine_stream);
    bus_libraries_forget();
    if (g_st_tasks != NULL) {
        task_lps_made(g_st_tasks);
    }
}

static void extension_lps_arrive(tw_pe *pe, struct probe_table *table)
{
    recorder_lps_arrive(context_recorder(), pe, table);
    row_streams_refresh(&g_st_row_streams);
    if (g_st_tasks != NULL) {
        task_file_changed(g_st_tasks);
    }
}

static void extension_finish(tw_pe *pe, enum run_end why)
{
    control_end(pe);
    deferred_finish(&g_st_deferred);
    task_finish(pe, why);
    recorder_finish(context_recorder(), pe, why, bus_uses_stats_path());
    task_finish_database();
}

/* Announces the end of all streams to the subscriber libraries: no more records can be emitted. */
static void extension_after_final(tw_pe *pe)
{
    (void)pe;
    bus_unload();
}

static void extension_report_text(FILE *out)
{
    recorder_report_text(context_recorder(), out);
    task_report_text(out);
}

static void extension_report_json(struct json_writer *json)
{
    recorder_report_json(context_recorder(), json);
    task_report_json(json);
}

static void extension_check(const tw_pe *pe)
{
    const struct recorder *recorder = g_st_recorder;
    bool is_consistent = bus_check();
    (void)pe;
    for (unsigned i = 0; recorder != NULL && i < RECORD_FILES; i++) {
        is_consistent = stream_check(&recorder->streams[i]) && is_consistent;
    }
    is_consistent = (recorder == NULL || vt_sampling_check(&recorder->vt)) && is_consistent;
    if (!is_consistent) {
        fprintf(stderr, "WS_CHECK: the tables of the bus, or the buffers or the samples of a "
                        "recorder, are damaged\n");
        abort();
    }
}

static void extension_emergency_flush(void)
{
    struct recorder *recorder = g_st_recorder;
    control_emergency();
    if (recorder != NULL) {
        recorder_emergency(recorder);
    }
    task_emergency();
    bus_unload(); /* lets the subscriber libraries write their data */
}

static const char *extension_lptype_name(const tw_lptype *type)
{
    const struct recorder *recorder = g_st_recorder;
    return recorder != NULL ? lp_names_of_type(&recorder->names, type) : NULL;
}

static const char *extension_recording_directory(void)
{
    const struct recorder *recorder = g_st_recorder;
    bool survives = recorder != NULL && recorder->running && recorder->options.crash_safe != 0 &&
                    recorder_has_files(recorder);
    return survives ? recorder->dir : NULL;
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

/* Frees all memory of the instrumentation. Ends the run with an error if tw_end() is called in a
 * handler or observer, because the caller uses data that tw_end() frees. */
static void extension_fini(void)
{
    bool is_handler = probe_now().context != PROBE_IN_NOTHING;
    if (probe_is_guarded() || is_handler) {
        tw_error(TW_LOC, "tw_end() is called by a %s; call it after tw_run() has returned",
                 probe_is_guarded() ? "subscriber, hook or filter" : "handler");
    }
    session_reset();
}

const struct tw_extension tw_extension = {.option_tables = extension_option_tables,
                                          .most_used_options = &most_used_options,
                                          .build_id = extension_build_id,
                                          .setup = extension_setup,
                                          .start = extension_start,
                                          .has_request = extension_has_request,
                                          .answer_request = extension_answer_request,
                                          .status_printed = extension_status_printed,
                                          .cut = extension_cut,
                                          .checkpoint = extension_checkpoint,
                                          .why_lps_stay = recorder_why_lps_stay,
                                          .lps_leave = extension_lps_leave,
                                          .lps_made = extension_lps_made,
                                          .lps_arrive = extension_lps_arrive,
                                          .lps_pack = lp_parts_begin,
                                          .lps_packed = lp_parts_end,
                                          .lp_write = lp_parts_write,
                                          .lp_read = lp_parts_read,
                                          .finish = extension_finish,
                                          .after_final = extension_after_final,
                                          .report_text = extension_report_text,
                                          .report_json = extension_report_json,
                                          .check = extension_check,
                                          .emergency_flush = extension_emergency_flush,
                                          .lptype_name = extension_lptype_name,
                                          .recording_directory = extension_recording_directory,
                                          .fini = extension_fini};
