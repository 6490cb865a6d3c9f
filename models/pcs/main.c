/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the main program of pcs: options, checks, LPs, run.
 */
#include "common/status.h"
#include "pcs.h"

static const tw_petype pe_type = {
    .pre_lp_init = pcs_report_clear,
    .gvt = pcs_live_gvt,
    .final = pcs_report_reduce,
};

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &pcs_cell_type);
        st_model_settype(i, &pcs_observers.types);
    }
}

static void lps_arrive(void)
{
    pcs_live_leave();
    types_set();
}

static const tw_lp_moves moves = {.arrive = lps_arrive};

static void model_define(void)
{
    g_tw_lookahead = pcs_options.handover;
    g_tw_nRNG_per_lp = PCS_N_STREAMS;
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(pcs_mapping_set(), sizeof(struct pcs_message));
    tw_pe_settype(&pe_type);
    types_set();
    st_lptype_name(&pcs_cell_type, "cell");
    model_observers_describe(&pcs_observers);
    pcs_state_io_register();
    pcs_live_watch();
}

int main(int argc, char **argv)
{
    g_tw_ts_end = 100;
    pcs_options_add();
    tw_init(&argc, &argv);
    struct model_error error;
    if (!pcs_options_check(argc, argv, &error)) {
        return model_end("pcs", error.text, MODEL_REFUSED);
    }
    if (tw_ismaster()) {
        printf("pcs: %ux%u cells with %u channels, %u telephones each\n", pcs_options.width,
               pcs_options.height, pcs_options.channels, pcs_options.phones);
        fflush(stdout);
    }
    model_define();
    tw_run();
    if (tw_ismaster()) {
        pcs_report_print(stdout);
    }
    tw_end();
    return 0;
}
