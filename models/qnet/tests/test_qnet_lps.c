/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * qnet's stations and outside without an engine: the events that their handlers send. The reverse
 * handlers restore every byte of state, message and random streams, over many events
 * and ends of batches.
 */
/* test: libs=qnet_model,no_instrumentation ranks=1 alone=yes */
#include "support/qnet_engine.h"

/* ---- One LP on its own ----------------------------------------------------------------------- */

#define DEPTH 200

struct step {
    struct qn_job before;
    struct qn_job job;
    tw_bf bf;
    void *state_before;
    tw_rng_stream rng_before[QN_STREAMS];
    double now;
    unsigned coming; /* number of events to itself before */
    struct sent_event next[MAX_SENT + 1];
};

struct bench {
    tw_lp lp;
    tw_kp kp;
    tw_rng_stream rng[QN_STREAMS];
    const tw_lptype *type;
    struct step steps[DEPTH];
    unsigned depth;
    unsigned coming; /* events to itself; offset is their time */
    struct sent_event next[MAX_SENT + 1];
};

static void next_keep(struct bench *b)
{
    for (unsigned i = 0; i < n_sent; i++) {
        if (sent[i].dest == b->lp.gid && b->coming < MAX_SENT &&
            (sent[i].message.kind == QN_DEPART || sent[i].message.kind == QN_CREATE)) {
            b->next[b->coming] = sent[i];
            b->next[b->coming++].offset += b->kp.last_time;
        }
    }
}

static void bench_init(struct bench *b, tw_lpid gid)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, gid);
    memset(b, 0, sizeof *b);
    b->type = place < m->network.n ? &m->station_types[place] : &m->outside_type;
    b->rng[0].reserved = random_bits(&seed);
    b->rng[1].reserved = random_bits(&seed);
    b->lp = (tw_lp){.gid = gid, .kp = &b->kp, .rng = b->rng};
    b->lp.cur_state = calloc(1, b->type->state_sz);
    for (unsigned i = 0; i < DEPTH; i++) {
        b->steps[i].state_before = malloc(b->type->state_sz);
    }
    n_sent = 0;
    b->type->init(b->lp.cur_state, &b->lp);
    bool starts = qn_is_open(&m->network) ? place == m->network.n : place == 0;
    CU_ASSERT_EQUAL(n_sent, !starts ? 0 : qn_is_open(&m->network) ? 1 : m->network.n_jobs);
    next_keep(b);
}

static void bench_fini(struct bench *b)
{
    free(b->lp.cur_state);
    for (unsigned i = 0; i < DEPTH; i++) {
        free(b->steps[i].state_before);
    }
}

/* A job that may arrive at the LP now. */
static struct qn_job random_arrival(const struct bench *b)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, b->lp.gid);
    bool open = qn_is_open(&m->network);
    tw_lpid copy = b->lp.gid / m->lps_per_copy;
    struct qn_job job = {.number = 1 + random_below(&seed, 100),
                         .home = qn_gid(m, copy, open ? m->network.n : 0),
                         .trip = 1 + random_below(&seed, 1000),
                         .trip_start = b->kp.last_time * random_unit(&seed),
                         .kind = place == m->network.n ? QN_LEAVE : QN_ARRIVE,
                         .visits = (uint32_t)random_below(&seed, 9)};
    if (!open && place == 0 && random_below(&seed, 4) == 0) {
        job.trip = 0;
        job.trip_start = 0;
    }
    return job;
}

/* A sent event has the job's data, and none of this station's. */
static void check_sent(const struct bench *b, const struct step *s)
{
    const struct qn_model *m = qn_model();
    static const struct qn_undo no_undo;
    for (unsigned i = 0; i < n_sent; i++) {
        const struct qn_job *job = &sent[i].message;
        CU_ASSERT_EQUAL(memcmp(&job->undo, &no_undo, sizeof no_undo), 0);
        CU_ASSERT_TRUE(sent[i].dest < m->n_lps && sent[i].offset >= 0);
        if (job->kind == QN_ARRIVE || job->kind == QN_LEAVE) {
            CU_ASSERT_EQUAL(sent[i].offset, m->settings->transit);
            CU_ASSERT_TRUE(st_task_is_none(job->stay) && job->arrived == 0 && job->started == 0);
            CU_ASSERT_EQUAL(qn_place(m, sent[i].dest) == m->network.n, job->kind == QN_LEAVE);
        } else if (job->kind == QN_DEPART) {
            CU_ASSERT_EQUAL(job->arrived, b->kp.last_time);
            CU_ASSERT_TRUE(job->started >= job->arrived &&
                           job->started <= b->kp.last_time + sent[i].offset);
            CU_ASSERT_EQUAL(job->visits, s->before.home == b->lp.gid ? 1 : s->before.visits + 1);
        }
    }
    switch (s->before.kind) {
    case QN_CREATE:
        CU_ASSERT_EQUAL(n_sent, 2);
        break;
    case QN_ARRIVE:
        CU_ASSERT_TRUE(n_sent == 1 && begun == 1 && ended == 0);
        break;
    case QN_DEPART:
        CU_ASSERT_TRUE(n_sent == 1 && begun == 0 && ended == 1 && whole == 1);
        CU_ASSERT_EQUAL(whole_start, s->before.started);
        break;
    default:
        CU_ASSERT_TRUE(n_sent == 0 && whole == 1);
        break;
    }
}

static unsigned next_first(const struct bench *b)
{
    unsigned first = 0;
    for (unsigned i = 1; i < b->coming; i++) {
        first = b->next[i].offset < b->next[first].offset ? i : first;
    }
    return first;
}

/* Chooses the next event and its time: an own event that is due, or an arrival before it. */
static void choose(struct bench *b, struct step *s)
{
    unsigned first = next_first(b);
    double then = b->kp.last_time + random_unit(&seed) * 0.6;
    if (b->coming > 0 && (b->next[first].offset <= then || b->coming == MAX_SENT)) {
        b->kp.last_time = ROSS_MAX(b->kp.last_time, b->next[first].offset);
        s->before = b->next[first].message;
        b->next[first] = b->next[--b->coming];
    } else {
        b->kp.last_time = then;
        s->before = random_arrival(b);
    }
}

static void bench_forward(struct bench *b)
{
    struct step *s = &b->steps[b->depth++];
    s->now = b->kp.last_time;
    s->coming = b->coming;
    memcpy(s->next, b->next, sizeof b->next);
    choose(b, s);
    s->job = s->before;
    s->bf = (tw_bf){0};
    memcpy(s->rng_before, b->rng, sizeof b->rng);
    memcpy(s->state_before, b->lp.cur_state, b->type->state_sz);
    n_sent = begun = ended = whole = 0;
    b->type->event(b->lp.cur_state, &s->bf, &s->job, &b->lp);
    check_sent(b, s);
    next_keep(b);
}

/* Reverse handlers of qnet do not use the time, so that it is arbitrary. */
static void bench_reverse(struct bench *b)
{
    struct step *s = &b->steps[--b->depth];
    b->type->revent(b->lp.cur_state, &s->bf, &s->job, &b->lp);
    b->kp.last_time = s->now;
    b->coming = s->coming;
    memcpy(b->next, s->next, sizeof b->next);
    CU_ASSERT_EQUAL(memcmp(b->lp.cur_state, s->state_before, b->type->state_sz), 0);
    CU_ASSERT_EQUAL(memcmp(&s->job, &s->before, sizeof s->job), 0);
    CU_ASSERT_EQUAL(memcmp(b->rng, s->rng_before, sizeof b->rng), 0);
}

static void lp_exercise(tw_lpid gid)
{
    static struct bench b;
    bench_init(&b, gid);
    unsigned batches = 0;
    for (int round = 0; round < 3000; round++) {
        if (b.kp.last_time > g_tw_ts_end - 1) {
            while (b.depth > 0) {
                bench_reverse(&b);
            }
            bench_fini(&b);
            bench_init(&b, gid);
        }
        if (b.depth < DEPTH && (b.depth == 0 || random_below(&seed, 100) < 60)) {
            bench_forward(&b);
            batches = ROSS_MAX(batches, ((struct qn_station *)b.lp.cur_state)->batch);
        } else {
            bench_reverse(&b);
        }
    }
    CU_ASSERT_TRUE(batches > 3);
    bench_fini(&b);
}

static void test_reverse(void)
{
    static const struct {
        const char *network;
        unsigned copies;
        double cross, transit;
    } cases[] = {{"open3", 3, 0.4, 0.1}, {"open3", 1, 0, 0},     {"central", 2, 0, 0.2},
                 {"closed", 1, 0, 0},    {"tandem", 1, 0, 0.05}, {"mmc", 2, 1, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model_make(cases[i].network, cases[i].copies, cases[i].cross, cases[i].transit);
        for (tw_lpid gid = 0; gid < qn_model()->n_lps; gid++) {
            lp_exercise(gid);
        }
        qn_model_fini();
    }
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* The integrals of a random path, as a whole and divided into batches, against their definition. */
static void test_batches(void)
{
    const struct qn_window w = {10, 50, 7};
    for (int round = 0; round < 200; round++) {
        struct qn_batch batches[8];
        memset(batches, 0, sizeof batches);
        double wanted[8] = {0};
        double last = 0;
        uint32_t batch = 0;
        struct qn_advance_undo undo;
        double now = 0;
        while (now < w.to) {
            double then = now + random_unit(&seed) * 15;
            then = ROSS_MIN(then, w.to);
            uint64_t jobs = random_below(&seed, 5);
            for (unsigned b = 0; b <= w.n; b++) {
                double begin = ROSS_MAX(now, b == 0 ? 0 : qn_batch_end(&w, b - 1));
                double end = ROSS_MIN(then, qn_batch_end(&w, b));
                wanted[b] += end > begin ? (double)jobs * (end - begin) : 0;
            }
            qn_batches_advance(batches, &last, &batch, &w, then, jobs, 2 * jobs, &undo);
            now = then;
            CU_ASSERT_TRUE(batch == w.n || now < qn_batch_end(&w, batch));
        }
        for (unsigned b = 0; b <= w.n; b++) {
            CU_ASSERT_TRUE(fabs(batches[b].jobs_time - wanted[b]) < 1e-9);
            CU_ASSERT_TRUE(fabs(batches[b].busy_time - 2 * wanted[b]) < 1e-9);
        }
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"forwards and back", test_reverse},
        {"integrals over batches", test_batches},
    };
    return mpi_suite_run(&argc, &argv, "qnet LPs", tests, sizeof tests / sizeof *tests);
}
