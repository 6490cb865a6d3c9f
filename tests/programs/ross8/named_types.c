/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named_types - a model built as for ROSS 8, which gives its LP types no names. With --registered=1
 * the LPs are mapped as by the library CODES, and two of the three types are registered there, one
 * of them by two names. Two LPs of each type per rank.
 */
#define ROSS_MODEL_TYPES_V8
#include <ross.h>

#define TYPES      3u
#define LPS_PER_PE (2 * TYPES)

static unsigned int registered = 0;

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    tw_event_send(tw_event_new((lp->gid + 1) % g_tw_total_lps, 1.0, lp));
}

static tw_peid map(tw_lpid gid)
{
    return gid / LPS_PER_PE;
}

static tw_lptype ports[] = {{.init = init, .event = event, .map = map, .state_sz = 8},
                            {.init = init, .event = event, .map = map, .state_sz = 8}};
tw_lptype crane = {.init = init, .event = event, .map = map, .state_sz = 8};
static tw_lptype *const types[TYPES] = {&ports[0], &ports[1], &crane};

/* The functions of CODES, by its names. */
void codes_mapping_get_lp_info2(tw_lpid gid, const char **group, const char **type,
                                const char **annotation, int *repetition, int *offset);
const tw_lptype *lp_type_lookup(const char *name);

void codes_mapping_get_lp_info2(tw_lpid gid, const char **group, const char **type,
                                const char **annotation, int *repetition, int *offset)
{
    static const char *const names[TYPES] = {"harbour-terminal", "unregistered", "harbour-crane"};
    if (registered == 0) {
        abort(); /* its mapping is not in use */
    }
    *group = "harbours";
    *type = gid % LPS_PER_PE == TYPES ? "harbour-gate" : names[gid % TYPES];
    *annotation = NULL;
    *repetition = 0;
    *offset = 0;
}

const tw_lptype *lp_type_lookup(const char *name)
{
    return strcmp(name, "harbour-terminal") == 0 || strcmp(name, "harbour-gate") == 0 ? &ports[0]
           : strcmp(name, "harbour-crane") == 0                                       ? &crane
                                                                                      : NULL;
}

static tw_lp *codes_mapping_to_lp(tw_lpid gid)
{
    return g_tw_lp[gid % LPS_PER_PE];
}

static void place_lps(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_onpe(i, g_tw_pe, g_tw_mynode * LPS_PER_PE + i);
        tw_lp_onkp(g_tw_lp[i], g_tw_kp[0]);
        tw_lp_settype(i, types[i % TYPES]);
    }
}

static tw_optdef const options[] = {
    TWOPT_GROUP("Types"), TWOPT_FLAG("registered", registered, "names as in CODES"), TWOPT_END()};

int main(int argc, char **argv)
{
    g_tw_ts_end = 10.0;
    g_tw_lookahead = 1.0;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    if (registered != 0) {
        g_tw_mapping = CUSTOM;
        g_tw_custom_initial_mapping = place_lps;
        g_tw_custom_lp_global_to_local_map = codes_mapping_to_lp;
    }
    tw_define_lps(LPS_PER_PE, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, types[i % TYPES]);
    }
    tw_run();
    tw_end();
    return 0;
}
