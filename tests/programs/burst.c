/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * burst - a model whose events create many events at once, so that memory goes to created events,
 * not to executed ones.
 *
 * At each whole unit of time every LP has a burst. It creates its next burst, and --fan sparks that
 * reach random LPs before the next unit. Sparks create nothing. The pending events thus become
 * --fan times as many at one instant, and a rank that runs ahead creates more of them than fit.
 *
 * An LP's state is a chained hash of the events that it received: equal states mean equal order.
 */
#include "ross.h"
#include "support/even_ranks.h"

#define LEAST_OFFSET 0.125 /* offset of a spark; the lookahead */
#define SPARKS_SPAN  0.75  /* added to it, at most */
#define FAN_MAX      1000000u

struct message {
    uint64_t old_hash; /* for the reverse handler */
    uint32_t is_burst;
    uint32_t number; /* number of a spark in its burst */
};

struct state {
    uint64_t hash;
    uint64_t received;
};

static unsigned int n_lps = 100; /* per rank */
static unsigned int fan = 100;
static unsigned int tied = 0;
static unsigned long work = 0;
static unsigned int slow_rank = 0;
static unsigned int first = 0;

static void send(tw_lp *lp, tw_lpid dest, double offset, struct message message)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    *(struct message *)tw_event_data(event) = message;
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    s->hash = lp->gid;
    send(lp, lp->gid, 1.0, (struct message){.is_burst = 1});
    for (uint32_t i = 0; i < first && g_tw_mynode > 0; i++) {
        send(lp, 0, LEAST_OFFSET, (struct message){.number = i});
    }
}

/* Spends processor time. */
static void busy_work(void)
{
    volatile unsigned long done = 0;
    while (done < work) {
        done = done + 1;
    }
}

/* With --tied, one of eight instants of the unit. */
static double spark_offset(tw_lp *lp)
{
    double u = tw_rand_unif(lp->rng);
    return LEAST_OFFSET + SPARKS_SPAN * (tied != 0 ? floor(8.0 * u) / 8.0 : u);
}

static void make_burst(tw_lp *lp)
{
    send(lp, lp->gid, 1.0, (struct message){.is_burst = 1});
    for (uint32_t i = 0; i < fan; i++) {
        tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
        send(lp, dest, spark_offset(lp), (struct message){.number = i});
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    if (g_tw_mynode == slow_rank) {
        busy_work();
    }
    m->old_hash = s->hash;
    s->hash = (s->hash ^ m->number) * 0x9e3779b97f4a7c15u + m->is_burst;
    s->hash += (uint64_t)(tw_now(lp) * 1048576.0);
    s->received++;
    if (m->is_burst) {
        make_burst(lp);
    }
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    for (uint64_t draws = m->is_burst ? 2 * (uint64_t)fan : 0; draws > 0; draws--) {
        tw_rand_reverse_unif(lp->rng);
    }
    s->received--;
    s->hash = m->old_hash;
}

static tw_lptype type = {
    .init = init,
    .event = forward,
    .revent = reverse,
    .map = rank_of,
    .state_sz = sizeof(struct state),
};

static const tw_optdef options[] = {
    TWOPT_GROUP("burst"),
    TWOPT_UINT("nlp", n_lps, "LPs per rank"),
    TWOPT_UINT("fan", fan, "sparks of a burst"),
    TWOPT_UINT("tied", tied, "1: all sparks are at few instants"),
    TWOPT_ULONG("work", work, "rounds of a loop per event, on one rank only"),
    TWOPT_UINT("slow-rank", slow_rank, "that rank"),
    TWOPT_UINT("first", first, "sparks that each LP of other ranks sends to LP 0 at the start"),
    TWOPT_END(),
};

static const char *options_error(int argc)
{
    if (argc > 1) {
        return "takes options of the form --name=value and nothing else";
    }
    if (n_lps == 0) {
        return "--nlp: must be at least 1";
    }
    if (fan == 0 || fan > FAN_MAX) {
        return "--fan: must be from 1 to 1000000";
    }
    if (tied > 1) {
        return "--tied: must be 0 or 1";
    }
    if (slow_rank >= tw_nnodes()) {
        return "--slow-rank: must be the number of a rank, counted from 0";
    }
    return NULL;
}

int main(int argc, char **argv)
{
    g_tw_ts_end = 6.0;
    g_tw_lookahead = LEAST_OFFSET;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    const char *error = options_error(argc); /* the same on all ranks */
    if (error != NULL) {
        if (tw_ismaster()) {
            fprintf(stderr, "burst: %s\n", error);
        }
        tw_end();
        return 2;
    }
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    tw_end();
    return 0;
}
