/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_globals.c - all mutable globals of the instrumentation.
 *
 * The g_st_ variables of st.h are an interface for models. g_st_options and g_st_bus_options have
 * the values of command-line options. All of these are read when the run is set up. The other
 * globals hold the state of the recorder, the tasks or the bus. This file contains only data;
 * session_reset() frees and resets it.
 */
#include "bus/deferred.h"
#include "bus/sources/engine_stream.h"
#include "bus/sources/hooks.h"
#include "bus/sources/row_streams.h"
#include "bus/state.h"
#include "bus/tables/tables.h"
#include "control/control.h"
#include "record/context.h"
#include "record/describe/payload_room.h"
#include "record/recorder.h"
#include "task/context.h"

struct payload_room g_payload_room = {.fenced = SIZE_MAX};

st_model_types *g_st_model_types = NULL;
st_model_types_v8 *g_st_model_types_v8 = NULL;
unsigned int g_st_model_stats = 0;
unsigned int g_st_ev_trace = 0;
unsigned int g_st_use_analysis_lps = 0;
struct record_options g_st_options = RECORD_OPTIONS_DEFAULT;
int g_st_engine_stats, g_st_pe_data, g_st_kp_data, g_st_lp_data, g_st_num_gvt;
int g_st_buffer_size, g_st_buffer_free_percent, g_st_disable_out;
double g_st_vt_interval, g_st_sampling_end;
tw_clock g_st_rt_interval;
char g_st_stats_out[RECORD_PREFIX_MAX], g_st_stats_path[RECORD_PATH_MAX];
int g_st_sample_count;
tw_lpid g_st_analysis_nlp;

unsigned char g_st_listened[ST_STREAMS_MAX] = {0};
struct bus_program g_st_program = {.points = {.strings = &g_st_program.strings}};
struct bus g_st_bus = {.n_listened = 0};
const struct tables g_st_tables = {.strings = &g_st_program.strings,
                                   .points = &g_st_program.points,
                                   .types = &g_st_bus.types,
                                   .streams = &g_st_bus.streams};
struct bus_options g_st_bus_options = {""};
struct deferred g_st_deferred = {.table = NULL};
struct hooks g_st_hooks = {.n_domains = 0};
struct engine_stream g_st_engine_stream = {.table = NULL};
struct row_streams g_st_row_streams = {.recorder = NULL};

struct recorder *g_st_recorder = NULL;
struct task_context *g_st_tasks = NULL;
struct control *g_st_control = NULL;
