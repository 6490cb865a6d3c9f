/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the main program of pcs: options, checks, LPs, run.
 */
#include "common/program.h"
#include "pcs.h"

struct pcs_options pcs_options = {
    .width = 16,
    .height = 16,
    .phones = 20,
    .channels = 5,
    .idle = 10,
    .call = 2,
    .stay = 5,
    .handover = 0.05,
    .urgent = 0.02,
    .progress = 0,
};

static const tw_optdef table[] = {
    TWOPT_GROUP("pcs: telephones in a network of cells (times in time units)"),
    TWOPT_UINT("width", pcs_options.width, "<1..4096> cells from west to east"),
    TWOPT_UINT("height", pcs_options.height, "<1..4096> cells from north to south"),
    TWOPT_UINT("phones", pcs_options.phones, "<0..1000000> telephones per cell at the start"),
    TWOPT_UINT("channels", pcs_options.channels, "<1..64> calls that a cell can carry at a time"),
    TWOPT_DOUBLE("idle", pcs_options.idle,
                 "<1e-6..1e9> mean time from a telephone's call to its next"),
    TWOPT_DOUBLE("call", pcs_options.call, "<1e-6..1e9> mean length of a call"),
    TWOPT_DOUBLE("stay", pcs_options.stay,
                 "<0..1e9> mean time of a telephone in a cell; 0: for ever"),
    TWOPT_DOUBLE("handover", pcs_options.handover,
                 "<0..1e9> time that a move takes; the lookahead of --synch=2"),
    TWOPT_DOUBLE("urgent", pcs_options.urgent,
                 "<0..1> probability that a call is urgent: others are cut for it"),
    TWOPT_UINT("progress", pcs_options.progress,
               "<0..1000000000> print the committed calls at every n-th GVT; 0: never"),
    TWOPT_END(),
};

static bool options_check(int argc, char **argv, struct model_error *error)
{
    const struct pcs_options *o = &pcs_options;
    return model_setup_check(1e-6, 1e9, argc, argv, error) &&
           (g_tw_synchronization_protocol != CONSERVATIVE || o->handover != 0 ||
            model_fail(error, "--synch=2 needs a time that moves take, and --handover=0 leaves "
                              "none; use --synch=3"));
}

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
    tw_opt_add(table);
    tw_init(&argc, &argv);
    struct model_error error;
    if (!options_check(argc, argv, &error)) {
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
