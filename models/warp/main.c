/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - warp: a Time Warp run of PHOLD on many ranks. README.md describes the model and its use.
 */
#include "common/program.h"
#include "lp.h"

/* LP type of processors. The size of its state depends on the options; define() sets the size. */
static tw_lptype processor_type = {
    .init = warp_lp_init,
    .event = warp_lp_event,
    .revent = warp_lp_revent,
    .commit = warp_lp_commit,
    .final = warp_lp_final,
};

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &processor_type);
        st_model_settype(i, &warp_observers.types);
    }
}

static const tw_lp_moves moves = {.arrive = types_set};

static void define(void)
{
    const struct wp_model *m = wp_model();
    tw_lpid first = (tw_lpid)m->processors * g_tw_mynode / tw_nnodes();
    tw_lpid next = (tw_lpid)m->processors * (g_tw_mynode + 1) / tw_nnodes();
    processor_type.state_sz = warp_state_bytes(m);
    g_tw_lookahead = ROSS_MIN(m->machine.latency_ns, m->machine.hop_ns);
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(next - first, sizeof(struct warp_message));
    types_set();
    st_lptype_name(&processor_type, "processor");
    model_observers_describe(&warp_observers);
    warp_lps_init();
}

int main(int argc, char **argv)
{
    struct model_error error;
    g_tw_ts_end = WP_DEFAULT_END;
    tw_opt_add(wp_options);
    tw_init(&argc, &argv);
    if (!wp_settings_check(argc, argv, &error)) {
        return model_end("warp", error.text, MODEL_REFUSED);
    }
    define();
    if (tw_ismaster()) {
        warp_report_heading(stdout, wp_model());
    }
    tw_run();
    bool possible = warp_report_results(stdout, wp_model());
    warp_lps_fini();
    tw_end();
    return possible ? MODEL_OK : MODEL_FAILED;
}
