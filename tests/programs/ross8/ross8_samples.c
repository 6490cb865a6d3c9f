/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross8_samples - a model in the style of ROSS 8: callbacks of its layout, and a sample with a
 * pointer and an array behind it. The first of three LPs gives samples at virtual times and all
 * others, the second gives only others, the third gives none. Prints g_st_use_analysis_lps after
 * tw_init(), and a line when LP 0 commits its event number LATE, for tests that kill it afterwards.
 */
#define ROSS_MODEL_TYPES_V8
#include <ross.h>

#define LPS_PER_PE 6
#define NUMBERS    5
#define LOOKAHEAD  0.1
#define LATE       200000 /* later than the end of all runs but those that are killed */

struct state {
    uint64_t received;
    uint64_t numbers[NUMBERS];
};

struct message {
    uint32_t hops;
};

/* Without padding: all bytes belong to the model. */
struct sample {
    uint64_t received;
    double now;
    uint64_t *numbers; /* points to the array behind; recorded as an offset */
    uint64_t array[NUMBERS];
};

static void send(tw_lp *lp, uint32_t hops)
{
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, LOOKAHEAD + tw_rand_exponential(lp->rng, 1.0), lp);
    ((struct message *)tw_event_data(event))->hops = hops;
    tw_event_send(event);
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp, 0);
}

static void on_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = state;
    uint32_t hops = ((struct message *)msg)->hops;
    (void)bf;
    s->received++;
    s->numbers[hops % NUMBERS]++;
    send(lp, hops + 1);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = state;
    (void)bf;
    s->received--;
    s->numbers[((struct message *)msg)->hops % NUMBERS]--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    if (lp->gid == 0 && ((struct state *)state)->received == LATE) {
        puts("late");
        fflush(stdout);
    }
}

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    memcpy(buffer, msg, sizeof(struct message));
}

static void stats(void *state, tw_lp *lp, char *buffer)
{
    uint64_t gid = lp->gid;
    memcpy(buffer, &((struct state *)state)->received, sizeof(uint64_t));
    memcpy(buffer + sizeof(uint64_t), &gid, 4);
}

static void take_sample(void *state, tw_bf *bf, tw_lp *lp, void *to)
{
    const struct state *s = state;
    struct sample *sample = to;
    (void)bf;
    sample->received = s->received;
    sample->now = tw_now(lp);
    sample->numbers = (uint64_t *)offsetof(struct sample, array);
    memcpy(sample->array, s->numbers, sizeof sample->array);
}

static st_model_types types[] = {
    {trace, sizeof(struct message), stats, 12, take_sample, NULL, sizeof(struct sample)},
    {trace, sizeof(struct message), stats, 12, NULL, NULL, 0},
    {NULL, 0, NULL, 0, NULL, NULL, 0},
};

static tw_lptype type = {init, NULL, on_event, reverse, commit, NULL, NULL, sizeof(struct state)};

int main(int argc, char **argv)
{
    tw_init(&argc, &argv);
    g_tw_lookahead = LOOKAHEAD;
    if (tw_ismaster()) {
        printf("g_st_use_analysis_lps %u\n", g_st_use_analysis_lps);
    }
    tw_define_lps(LPS_PER_PE, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
        if (i < 3 || i % 3 != 2) { /* LP 5 is not registered, LP 2 has no callbacks */
            st_model_settype(i, &types[i % 3]);
        }
    }
    tw_run();
    tw_end();
    return 0;
}
