/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_snapshot.c - tw_snapshot() .. tw_snapshot_restore() restore the exact bytes after any change
 * by the handler: none, a small one, or noise over the whole state. The model may change its
 * message.
 *
 * Each LP keeps, apart from its state, a stack of copies of it, one per event not undone, and a
 * reverse handler compares them. Some handlers send into the past of other KPs, so that reverse
 * handlers run between tw_snapshot() and tw_snapshot_delta().
 */
#include "support/part_run.h"
#include "support/suite.h"

#define LPS         12
#define STATE_BYTES 3000
#define END_TIME    40.0
#define KEPT        4096

struct message {
    uint64_t value;
    uint64_t depth;
    unsigned draws;
};

struct state {
    uint64_t received;
    unsigned char bytes[STATE_BYTES - 8];
};

static size_t snapshot_bytes = sizeof(struct state);
static uint64_t failures, final_sum, compared;
static bool is_sequential;
static struct {
    uint64_t n;
    struct state *states;
} copies[LPS];

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    for (int i = 0; i < 2; i++) {
        tw_event_send(tw_event_new(lp->gid, 0.5 + tw_rand_exponential(lp->rng, 1.0), lp));
    }
}

/* Changes nothing, one byte, or n bytes to noise. */
static void change(struct state *s, tw_lp *lp)
{
    long kind = tw_rand_integer(lp->rng, 0, 3);
    if (kind == 1) {
        s->bytes[tw_rand_integer(lp->rng, 0, (long)sizeof s->bytes - 1)]++;
    } else if (kind == 2) {
        uint64_t random = tw_rand_ulong(lp->rng, 1, 1u << 30);
        for (size_t i = 0; i < sizeof s->bytes; i++) {
            s->bytes[i] = (unsigned char)random_bits(&random);
        }
    } else if (kind == 3) {
        memset(s->bytes, (int)tw_rand_integer(lp->rng, 0, 255), sizeof s->bytes / 2);
    }
    s->received += kind != 0;
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned long before = lp->rng->count;
    (void)bf;
    uint64_t place = copies[lp->gid].n++;
    copies[lp->gid].states[place % KEPT] = *s;
    tw_snapshot(lp, snapshot_bytes);
    change(s, lp);
    m->value = m->value * 31 + s->received; /* undone by hand */
    tw_event *next = tw_event_new(tw_rand_ulong(lp->rng, 0, LPS - 1),
                                  0.5 + tw_rand_exponential(lp->rng, 1.0), lp);
    tw_event_send(next);
    long kept = tw_snapshot_delta(lp, snapshot_bytes);
    bool same = memcmp(&copies[lp->gid].states[place % KEPT], s, sizeof *s) == 0;
    failures += kept < 0 || kept > (long)snapshot_bytes;
    failures += is_sequential ? kept != 0 : (kept == 0) != same;
    m->draws = (unsigned)(lp->rng->count - before);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    m->value -= s->received;
    m->value *= 0xef7bdef7bdef7bdfu; /* 1 / 31 */
    tw_snapshot_restore(lp, snapshot_bytes);
    for (unsigned i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    uint64_t place = --copies[lp->gid].n;
    failures += memcmp(&copies[lp->gid].states[place % KEPT], s, sizeof *s) != 0;
    compared++;
}

static void final(void *sv, tw_lp *lp)
{
    const struct state *s = sv;
    uint64_t sum = s->received;
    for (size_t i = 0; i < sizeof s->bytes; i++) {
        sum = sum * 31 + s->bytes[i];
    }
    final_sum += sum * (2 * lp->gid + 1);
}

static tw_lptype type = {init, NULL, event, reverse, NULL, final, NULL, sizeof(struct state)};

static struct part_outcome simulate(MPI_Comm comm, tw_synch synch, const char *knob, uint64_t *sum)
{
    struct part_run run = {.comm = comm,
                           .synch = synch,
                           .total_lps = LPS,
                           .msg_bytes = sizeof(struct message),
                           .type = &type,
                           .end = END_TIME,
                           .lookahead = 0.5,
                           .options = {"--random-rollbacks=2", knob}};
    final_sum = 0;
    compared = 0;
    is_sequential = synch == SEQUENTIAL || synch == CONSERVATIVE;
    for (int i = 0; i < LPS; i++) {
        copies[i].n = 0;
    }
    struct part_outcome o = part_simulate(&run);
    *sum = final_sum;
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_UINT64_T, MPI_SUM, comm);
    uint64_t undone = compared;
    MPI_Allreduce(MPI_IN_PLACE, &undone, 1, MPI_UINT64_T, MPI_SUM, comm);
    CU_ASSERT(synch == SEQUENTIAL_ROLLBACK_CHECK ? undone >= o.net : undone == o.undone);
    CU_ASSERT_EQUAL(failures, 0);
    return o;
}

static void test_schedulers(void)
{
    static const tw_synch parallel[] = {OPTIMISTIC, OPTIMISTIC_REALTIME};
    uint64_t reference, sum;
    struct part_outcome one = simulate(MPI_COMM_SELF, SEQUENTIAL, NULL, &reference);
    CU_ASSERT(one.net > 500 && one.snapshots == 0 && one.snapshot_bytes == 0);
    struct part_outcome o = simulate(MPI_COMM_WORLD, CONSERVATIVE, NULL, &sum);
    CU_ASSERT(sum == reference && o.net == one.net && o.snapshots == 0);
    o = simulate(MPI_COMM_SELF, SEQUENTIAL_ROLLBACK_CHECK, NULL, &sum);
    CU_ASSERT(sum == reference && o.net == one.net && o.snapshots >= o.net);
    for (size_t i = 0; i < sizeof parallel / sizeof *parallel; i++) {
        o = simulate(MPI_COMM_WORLD, parallel[i], NULL, &sum);
        CU_ASSERT(sum == reference && o.net == one.net);
        CU_ASSERT(o.undone > 100 && o.snapshots == o.net + o.undone);
        /* A quarter is noise, which is stored unchanged; the rest takes next to nothing. */
        double mean = (double)o.snapshot_bytes / (double)o.snapshots;
        CU_ASSERT(mean > 0.15 * STATE_BYTES && mean < 0.75 * STATE_BYTES);
    }
}

static void test_knob(void)
{
    uint64_t reference, sum;
    simulate(MPI_COMM_SELF, SEQUENTIAL, NULL, &reference);
    simulate(MPI_COMM_WORLD, OPTIMISTIC, "--lz4-knob=1", &sum);
    CU_ASSERT_EQUAL(sum, reference);
    simulate(MPI_COMM_WORLD, OPTIMISTIC, "--lz4-knob=4000000000", &sum);
    CU_ASSERT_EQUAL(sum, reference);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"all schedulers", test_schedulers},
        {"--lz4-knob", test_knob},
    };
    MPI_Init(&argc, &argv);
    for (int i = 0; i < LPS; i++) {
        copies[i].states = calloc(KEPT, sizeof(struct state));
    }
    int status = suite_run("snapshot", tests, sizeof tests / sizeof *tests);
    for (int i = 0; i < LPS; i++) {
        free(copies[i].states);
    }
    MPI_Finalize();
    return status;
}
