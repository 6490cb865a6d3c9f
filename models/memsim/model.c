/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - creates the LPs, and distributes them over the ranks round robin.
 */
#include "model.h"

#include <assert.h>

/* LP types. The sizes of their states depend on the options; ms_model_define() sets them. */
static tw_lptype the_types[MS_LP_KINDS] = {
    [MS_LAUNCHER] = {.init = ms_launcher_init,
                     .event = ms_launcher_event,
                     .commit = ms_commit_check,
                     .final = ms_launcher_final},
    [MS_SM] = {.init = ms_sm_init,
               .event = ms_sm_event,
               .revent = ms_sm_revent,
               .commit = ms_sm_commit,
               .final = ms_sm_final},
    [MS_SLICE] = {.init = ms_slice_init,
                  .event = ms_slice_event,
                  .revent = ms_slice_revent,
                  .commit = ms_commit_check,
                  .final = ms_slice_final},
    [MS_CHANNEL] = {.event = ms_channel_event,
                    .revent = ms_channel_revent,
                    .commit = ms_commit_check,
                    .final = ms_channel_final},
};

/* ---- Mapping without --lp-map: gid g is local LP g / ranks of rank g % ranks ----------------- */

static tw_peid rank_of_gid(tw_lpid gid)
{
    return gid % tw_nnodes();
}

static tw_lp *local_of_gid(tw_lpid gid)
{
    return gid < g_tw_total_lps && rank_of_gid(gid) == g_tw_mynode ? tw_getlp(gid / tw_nnodes())
                                                                   : NULL;
}

static void lps_map(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_onpe(i, g_tw_pe, i * tw_nnodes() + g_tw_mynode);
    }
}

/* ---- Creation of the LPs --------------------------------------------------------------------- */

static enum ms_lp_kind kind_of_gid(const struct ms_model *m, tw_lpid gid)
{
    assert(gid < ms_gid_of_channel(m, m->channels));
    if (gid < ms_gid_of_sm(m, 0)) {
        return MS_LAUNCHER;
    }
    if (gid < ms_gid_of_slice(m, 0)) {
        return MS_SM;
    }
    return gid < ms_gid_of_channel(m, 0) ? MS_SLICE : MS_CHANNEL;
}

static void sizes_fill(const struct ms_model *m)
{
    the_types[MS_LAUNCHER].state_sz = sizeof(struct ms_launcher);
    the_types[MS_SM].state_sz = sizeof(struct ms_sm) + m->n_streams * sizeof(struct ms_task) +
                                ms_n_slots(m) * sizeof(struct ms_slot);
    the_types[MS_SLICE].state_sz =
        sizeof(struct ms_slice) + (size_t)m->sets * m->ways * sizeof(struct ms_way) +
        m->mshrs * sizeof(struct ms_mshr) + ms_places(m) * sizeof(struct ms_request);
    the_types[MS_CHANNEL].state_sz = sizeof(struct ms_channel) + m->banks * sizeof(struct ms_bank);
}

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        enum ms_lp_kind kind = kind_of_gid(ms_model(), g_tw_lp[i]->gid);
        tw_lp_settype(i, &the_types[kind]);
        st_model_settype(i, &ms_observers[kind].types);
    }
}

static void lps_arrive(void)
{
    types_set();
    ms_restart_moves();
}

static const tw_lp_moves moves = {.arrive = lps_arrive};

void ms_model_define(struct ms_script *script)
{
    static const char *const names[MS_LP_KINDS] = {"launcher", "sm", "l2_slice", "dram_channel"};
    const struct ms_model *m = ms_model();
    tw_lpid ranks = tw_nnodes();
    tw_lpid total = ms_gid_of_channel(m, m->channels);
    tw_lpid rank = g_tw_mynode;
    ms_script_use(script);
    sizes_fill(m);
    g_tw_lookahead = m->lookahead;
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    /* ROUND_ROBIN mapping would require the same number of LPs on every rank. */
    g_tw_mapping = CUSTOM;
    g_tw_custom_initial_mapping = lps_map;
    g_tw_custom_lp_global_to_local_map = local_of_gid;
    tw_define_lps(rank < total ? (total - rank + ranks - 1) / ranks : 0, sizeof(struct ms_message));
    types_set();
    for (unsigned kind = 0; kind < MS_LP_KINDS; kind++) {
        the_types[kind].map = rank_of_gid;
        st_lptype_name(&the_types[kind], names[kind]);
    }
    ms_restart_define(the_types);
    for (unsigned kind = 0; kind < MS_LP_KINDS; kind++) {
        model_observers_describe(&ms_observers[kind]);
    }
}
