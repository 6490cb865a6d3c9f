/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - a model for tests of the installed package, compiled like a user's model, with warnings
 * as errors. A token per LP moves to random LPs; model.cc does the same in C++.
 *
 * Its functions have names that the library uses internally, which must not matter.
 */
#include <ross.h>

struct state {
    int64_t visits;
};

struct message {
    int64_t hops;
};

void put_text(tw_lp *lp, int64_t hops);
void run_notice(void *state, tw_lp *lp);
void writer_create(void *state, tw_bf *bf, void *message, tw_lp *lp);
void engine_commit(void *state, tw_bf *bf, void *message, tw_lp *lp);
void report_text(void *state, tw_lp *lp, char *buffer);

void put_text(tw_lp *lp, int64_t hops)
{
    tw_lpid to = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    tw_event *event = tw_event_new(to, tw_rand_exponential(lp->rng, 1.0), lp);
    ((struct message *)tw_event_data(event))->hops = hops;
    tw_event_send(event);
}

void run_notice(void *state, tw_lp *lp)
{
    (void)state;
    put_text(lp, 0);
}

void writer_create(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    (void)bf;
    ((struct state *)state)->visits++;
    put_text(lp, ((struct message *)message)->hops + 1);
}

void engine_commit(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    (void)bf;
    (void)message;
    ((struct state *)state)->visits--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

void report_text(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, state, sizeof(struct state));
}

tw_lptype types[] = {
    {run_notice, NULL, writer_create, engine_commit, NULL, NULL, NULL, sizeof(struct state)},
    {0},
};
/* By position, in the layouts of ROSS 8 and of older models. */
st_model_types records[] = {
#ifdef ROSS_MODEL_TYPES_V8
    {NULL, 0, report_text, sizeof(struct state), NULL, NULL, 0},
#else
    {NULL, 0, NULL, 0, report_text, sizeof(struct state)},
#endif
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 50;
    tw_init(&argc, &argv);
    tw_define_lps(24 / tw_nnodes(), sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[0]);
        st_model_settype(i, &records[0]);
    }
    tw_run();
    tw_end();
    return 0;
}
