/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout_model.h - a model whose st_model_types is initialised by position, in the layout that the
 * including file has chosen (see st.h). It must compile without a warning and record equal values
 * in both layouts.
 */
#ifndef WARPSCOPE_TESTS_LAYOUT_MODEL_H
#define WARPSCOPE_TESTS_LAYOUT_MODEL_H

#include <ross.h>

struct layout_state {
    uint64_t received;
};

struct layout_message {
    uint64_t hops;
};

static void layout_send(tw_lp *lp, uint64_t hops)
{
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, tw_rand_exponential(lp->rng, 1.0), lp);
    ((struct layout_message *)tw_event_data(event))->hops = hops;
    tw_event_send(event);
}

static void layout_init(void *state, tw_lp *lp)
{
    (void)state;
    layout_send(lp, 0);
}

static void layout_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    ((struct layout_state *)state)->received++;
    layout_send(lp, ((struct layout_message *)msg)->hops + 1);
}

static void layout_reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ((struct layout_state *)state)->received--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void layout_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    memcpy(buffer, msg, sizeof(struct layout_message));
}

static void layout_stats(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, state, sizeof(struct layout_state));
}

/* Sample function at virtual times, where models of ROSS 8 do not use layout_stats(). */
static void layout_sample(void *state, tw_bf *bf, tw_lp *lp, void *sample)
{
    (void)bf;
    (void)lp;
    memcpy(sample, state, sizeof(struct layout_state));
}

static tw_lptype layout_type = {layout_init, NULL, layout_event, layout_reverse,
                                NULL,        NULL, NULL,         sizeof(struct layout_state)};

static tw_lpid layout_first_type(tw_lpid gid)
{
    (void)gid;
    return 0;
}

/* Half of the LPs get their callbacks individually, the others by type. */
static int layout_main(int argc, char **argv, st_model_types *types)
{
    static const st_field hops[] = {{"hops", ST_U64, 0, "", 1}, {NULL, ST_U8, 0, NULL, 0}};
    static const st_field received[] = {{"received", ST_U64, 0, "", 1}, {NULL, ST_U8, 0, NULL, 0}};
    g_tw_lp_typemap = layout_first_type;
    tw_init(&argc, &argv);
    tw_define_lps(6, sizeof(struct layout_message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &layout_type);
        if (i % 2 == 0) {
            st_model_settype(i, types);
        }
    }
    st_lptype_name(&layout_type,
                   "layout"); /* programs for ROSS 8 would take it from their symbols */
    st_model_fields(types, ST_PAYLOAD_EV, hops);
    st_model_fields(types, ST_PAYLOAD_MODEL, received);
    st_model_fields(types, ST_PAYLOAD_SAMPLE, received);
    g_st_model_types = types;
    tw_run();
    tw_end();
    return 0;
}

#endif
