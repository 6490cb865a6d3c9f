/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_globals.c - all mutable globals of the instrumentation.
 *
 * The g_st_ variables of st.h are an interface for models. The options are the storage of the
 * option table. Both are read when the run is set up. All other state belongs to the recorder, or
 * is the state of the bus.
 */
#include <stdlib.h>

#include "bus/deferred.h"
#include "bus/sources/engine_stream.h"
#include "bus/sources/hooks.h"
#include "bus/sources/row_streams.h"
#include "bus/state.h"
#include "record/context.h"
#include "record/describe/payload_room.h"
#include "record/recorder.h"
#include "session.h"
#include "task/trace.h"

struct payload_room g_payload_room;

#define DEFAULT_OPTIONS                                                                            \
    {                                                                                              \
        .num_gvt = 1, .pe_data = 1, .buffer_free = 15, .buffer_size = 8u << 20,                    \
        .buffer_full = "spill", .writer_thread = "auto", .crash_safe = 1, .prefix = "warpscope",   \
        .path = "stats-output", .stats_format = "warpscope"                                        \
    }

st_model_types *g_st_model_types = NULL;
st_model_types_v8 *g_st_model_types_v8 = NULL;
unsigned int g_st_model_stats = 0;
unsigned int g_st_ev_trace = 0;
unsigned int g_st_use_analysis_lps = 0;
struct record_options g_st_options = DEFAULT_OPTIONS;

unsigned char g_st_listened[ST_STREAMS_MAX] = {0};
struct bus_program g_st_program = {.points = {.strings = &g_st_program.strings}};
struct bus g_st_bus = {.n_listened = 0};
struct bus_options g_st_bus_options = {""};
struct deferred g_st_deferred = {.table = NULL};
struct hooks g_st_hooks = {.n_domains = 0};
struct engine_stream g_st_engine_stream = {.table = NULL};
struct row_streams g_st_row_streams = {.recorder = NULL};

static struct recorder *the_recorder = NULL;
static struct trace *the_trace = NULL;

struct recorder *context_recorder(void)
{
    if (the_recorder == NULL) {
        the_recorder = tw_calloc(TW_LOC, "recorder", sizeof(*the_recorder), 1);
    }
    return the_recorder;
}

struct recorder *context_recorder_or_null(void)
{
    return the_recorder;
}

struct trace *trace_context(void)
{
    if (the_trace == NULL) {
        the_trace = tw_calloc(TW_LOC, "tasks", sizeof(*the_trace), 1);
    }
    return the_trace;
}

struct trace *trace_context_or_null(void)
{
    return the_trace;
}

static void trace_context_reset(void)
{
    if (the_trace != NULL) {
        trace_fini(the_trace);
        free(the_trace);
        the_trace = NULL;
    }
}

void context_reset(void)
{
    trace_context_reset();
    session_fini();
    if (the_recorder != NULL) {
        recorder_fini(the_recorder);
        free(the_recorder);
        the_recorder = NULL;
    }
    payload_room_free();
    g_st_model_types = NULL;
    g_st_model_types_v8 = NULL;
    g_st_model_stats = 0;
    g_st_ev_trace = 0;
    g_st_use_analysis_lps = 0;
    static const struct record_options defaults = DEFAULT_OPTIONS;
    g_st_options = defaults;
}
