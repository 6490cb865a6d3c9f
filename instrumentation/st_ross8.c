/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_ross8.c - the variant of tw_init() for programs built as for ROSS 8, see st.h. It has a file
 * of its own because it calls the engine; tests link the other files without an engine.
 */
#include "engine/probe.h"
#include "record/context.h"
#include "record/options/option_ross8.h"
#include "ross.h"

#define ROSS8_NUM_GVT 10 /* default of --num-gvt in ROSS 8 */

void tw_init_ross8(int *argc, char ***argv)
{
    struct record_options *options = &g_st_options;
    options->built_for_ross8 = true;
    options->num_gvt = ROSS8_NUM_GVT;
    snprintf(options->stats_format, sizeof(options->stats_format), "both");
    run_as_for_ross8();
    tw_init(argc, argv);
    g_st_use_analysis_lps = option_ross8_wants_virtual_times(options, g_st_model_stats);
}
