/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heavy - a model whose reverse handler takes long, as one that searches for what the forward
 * handler changed. For findings that need it.
 *
 * Each event adds to a word of its LP's table, and draws the LP of the next event. The reverse
 * handler reads the whole table --undo times.
 */
#include "ross.h"

#define LOOKAHEAD 0.1
#define WORDS     64

struct message {
    uint64_t word;
};

struct state {
    uint64_t table[WORDS];
};

static unsigned int n_lps = 64;
static unsigned long undo = 20;
static volatile uint64_t sink;

static void send(tw_lp *lp)
{
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, LOOKAHEAD + tw_rand_exponential(lp->rng, 1), lp);
    *(struct message *)tw_event_data(event) = (struct message){dest % WORDS};
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    send(lp);
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    ((struct state *)sv)->table[((struct message *)msg)->word]++;
    send(lp);
}

static void backward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *state = sv;
    uint64_t sum = 0;
    (void)bf;
    for (unsigned long i = 0; i < undo * WORDS; i++) {
        sum += state->table[i % WORDS] ^ i;
    }
    sink = sum;
    state->table[((struct message *)msg)->word]--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static tw_lptype type = {
    .init = init, .event = forward, .revent = backward, .state_sz = sizeof(struct state)};

static const tw_optdef options[] = {
    TWOPT_GROUP("heavy"),
    TWOPT_UINT("lps", n_lps, "LPs per rank"),
    TWOPT_ULONG("undo", undo, "passes over its table that undoing an event takes"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 200;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_lookahead = LOOKAHEAD;
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    tw_end();
    return 0;
}
