/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross8.c - a model that describes its records in the layout of ROSS 8. A file that defines ROSS_MODEL_TYPES_V8 before
 * it includes ross.h writes the names without their ends, as in tw_init().
 *
 *     mpicc -o ross8 ross8.c $(pkg-config --cflags --libs warpscope)
 *     ./ross8 --synch=1 --end=10
 */
#include "ross.h"

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void forward(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    (void)bf, (void)message;
    ++*(uint64_t *)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, state, sizeof(uint64_t));
}

static tw_lptype type = {.init = init, .event = forward, .state_sz = sizeof(uint64_t)};
static st_model_types_v8 records = {.model_stat_fn = sample, .mstat_sz = sizeof(uint64_t)};
static const st_field fields[] = {{"visits", ST_U64, 0, "events", 1, ST_COUNTER}, {NULL}};

int main(int argc, char **argv)
{
    tw_init_ross8(&argc, &argv); /* for the whole program: options as in ROSS 8 */
    tw_define_lps(4, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
        st_model_settype_v8(i, &records);
    }
    st_model_fields_v8(&records, ST_PAYLOAD_MODEL, fields);
    st_model_pure_v8(&records); /* the bytes depend on the state alone */
    tw_run();
    tw_end();
    return 0;
}
