/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emitter - a model whose events each emit many records, and a subscriber that counts them. Tests
 * that the memory of deferred records is bounded, and that each record arrives once and in order.
 *
 * The model is PHOLD: each event draws an LP for the next. Rank 0 works long at each of its events,
 * so the other ranks run ahead. Without --observer-memory they hold all their records until GVT
 * advances.
 *
 * Rank 0 prints "records R of W, wrong X, held at most P bytes" at the end. W follows from the
 * final states. X counts records out of their LP's order or with wrong contents. P is the maximum
 * of a rank.
 */
#include "ross.h"

#include "engine/probe.h"

#define LOOKAHEAD 0.1
#define WORDS     6 /* number of a record */

struct message {
    uint64_t unused;
};

struct state {
    uint64_t events;
};

static unsigned int n_lps = 32; /* per rank */
static unsigned int n_records = 100;
static unsigned long work = 20000;

static st_stream_id stream;
static uint64_t *last_number; /* number of records, by local LP */
static uint64_t arrived, wrong, held_most, events;
static double last_ts;

static void send(tw_lp *lp)
{
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, LOOKAHEAD + tw_rand_exponential(lp->rng, 1), lp);
    *(struct message *)tw_event_data(event) = (struct message){0};
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    send(lp);
}

static void busy_work(void)
{
    volatile unsigned long done = 0;
    while (done < work) {
        done = done + 1;
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    struct state *s = sv;
    s->events++;
    for (uint64_t i = 0; i < n_records; i++) {
        uint64_t data[WORDS] = {lp->gid, s->events, i, 1, 2, 3};
        ST_NOTIFY(stream, ST_NODE, ST_POINT(), data, sizeof data);
    }
    uint64_t held = probe_observer_bytes();
    held_most = ROSS_MAX(held_most, held);
    if (g_tw_mynode == 0) {
        busy_work();
    }
    send(lp);
}

static void backward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ((struct state *)sv)->events--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void final(void *sv, tw_lp *lp)
{
    (void)lp;
    events += ((struct state *)sv)->events;
}

static tw_lptype type = {.init = init,
                         .event = forward,
                         .revent = backward,
                         .final = final,
                         .state_sz = sizeof(struct state)};

/* The records of an LP number its events, n_records for each event. */
static void count(const st_record *record, void *arg)
{
    (void)arg;
    uint64_t data[WORDS];
    tw_lpid local = record->lp - g_tw_lp_offset;
    memcpy(data, record->data, sizeof data);
    uint64_t number = ++last_number[local];
    bool right = record->number == number && record->size == sizeof data && record->ts >= last_ts &&
                 data[0] == record->lp && data[1] == (number - 1) / n_records + 1 &&
                 data[2] == (number - 1) % n_records;
    last_ts = record->ts;
    wrong += !right;
    arrived++;
}

static const tw_optdef options[] = {
    TWOPT_GROUP("emitter"),
    TWOPT_UINT("lps", n_lps, "LPs per rank"),
    TWOPT_UINT("records", n_records, "records per event, at least 1"),
    TWOPT_ULONG("work", work, "steps that rank 0 works at each event"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 20;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_lookahead = LOOKAHEAD;
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    last_number = tw_calloc(TW_LOC, "numbers", sizeof *last_number, n_lps);
    st_stream_open("emitter", 1, 0, &stream);
    st_subscribe(stream, ST_ALL_TYPES, ST_COMMITTED, count, NULL);
    tw_run();
    uint64_t mine[3] = {arrived, wrong, events * n_records};
    uint64_t all[3];
    uint64_t most;
    MPI_Reduce(mine, all, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(&held_most, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_ROSS);
    if (tw_ismaster()) {
        printf("records %" PRIu64 " of %" PRIu64 ", wrong %" PRIu64 ", held at most %" PRIu64
               " bytes\n",
               all[0], all[2], all[1], most);
    }
    free(last_number);
    tw_end();
    return 0;
}
