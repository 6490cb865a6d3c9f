/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_ross8.c - the variant of tw_init() for programs built as for ROSS 8, see st.h. It has a file
 * of its own because it calls the engine; tests link the other files without an engine.
 */
#include "engine/probe.h"
#include "record/context.h"
#include "record/options/options.h"
#include "ross.h"

#define ROSS8_NUM_GVT 10 /* default of --num-gvt in ROSS 8 */

/* Copies the values of options to the variables of ROSS 8 that models may read. */
static void show_options(const struct record_options *o)
{
    g_st_engine_stats = (int)o->engine_stats;
    g_st_pe_data = (int)o->pe_data;
    g_st_kp_data = (int)o->kp_data;
    g_st_lp_data = (int)o->lp_data;
    g_st_num_gvt = (int)o->num_gvt;
    g_st_buffer_size = o->buffer_size < INT_MAX ? (int)o->buffer_size : INT_MAX;
    g_st_buffer_free_percent = (int)o->buffer_free;
    g_st_disable_out = (int)o->disable_output;
    g_st_vt_interval = o->vt_interval;
    g_st_sampling_end = o->vt_samp_end;
    g_st_rt_interval = o->rt_interval;
    snprintf(g_st_stats_out, sizeof g_st_stats_out, "%s", record_options_ross8_prefix(o));
    snprintf(g_st_stats_path, sizeof g_st_stats_path, "%s", o->path);
    g_st_use_analysis_lps = record_options_want_virtual_times(o, g_st_model_stats);
}

void tw_init_ross8(int *argc, char ***argv)
{
    struct record_options *options = &g_st_options;
    options->built_for_ross8 = true;
    options->num_gvt = ROSS8_NUM_GVT;
    options->format = RECORD_FORMAT_BOTH;
    run_as_for_ross8();
    tw_init(argc, argv);
    show_options(options);
}
