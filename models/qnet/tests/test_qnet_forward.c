/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The behaviour of qnet's stations and outside, job by job, against a naive queue: the order of
 * service, the server and destination of each job, and the counts.
 */
/* test: libs=qnet_model,no_instrumentation ranks=1 alone=yes */
#include "support/qnet_engine.h"

/* An LP, and the expected state of its station. */
struct bench {
    tw_lp lp;
    tw_kp kp;
    tw_rng_stream rng[QN_STREAMS];
    const struct qn_station_spec *spec;
    double free_at[QN_MAX_SERVERS];
    uint64_t jobs, arrivals, departures, waits, trips_begun, trips_ended;
    double jobs_time, busy_time, response_sum, trip_time_sum;
    struct sent_event due[MAX_SENT]; /* departures; offset is their time */
    unsigned n_due;
};

static void bench_begin(struct bench *b, tw_lpid gid)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, gid);
    const tw_lptype *type = place < m->network.n ? &m->station_types[place] : &m->outside_type;
    memset(b, 0, sizeof *b);
    b->spec = place < m->network.n ? &m->network.stations[place] : NULL;
    for (unsigned i = 0; i < QN_STREAMS; i++) {
        b->rng[i].reserved = random_bits(&seed);
    }
    b->lp = (tw_lp){.gid = gid, .id = gid, .kp = &b->kp, .rng = b->rng};
    b->lp.cur_state = calloc(1, type->state_sz);
}

/* Lets virtual time pass. */
static void pass(struct bench *b, double then)
{
    uint64_t busy = b->jobs;
    if (b->spec->servers != QN_INFINITE && busy > b->spec->servers) {
        busy = b->spec->servers;
    }
    b->jobs_time += (double)b->jobs * (then - b->kp.last_time);
    b->busy_time += (double)busy * (then - b->kp.last_time);
    b->kp.last_time = then;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

/* ---- Arrivals -------------------------------------------------------------------------------- */

/* Returns the start of the job's service, and occupies the server. */
static double naive_start(struct bench *b, double service, unsigned *server)
{
    double now = b->kp.last_time;
    *server = 0;
    if (b->spec->servers == QN_INFINITE) {
        return now;
    }
    for (unsigned i = 0; i < b->spec->servers; i++) {
        *server = b->free_at[i] < b->free_at[*server] ? i : *server;
    }
    double start = b->free_at[*server] > now ? b->free_at[*server] : now;
    b->free_at[*server] = now + (start - now + service);
    return start;
}

static void check_place(const struct bench *b)
{
    const struct qn_model *m = qn_model();
    char wanted[100];
    if (m->settings->copies > 1) {
        snprintf(wanted, sizeof wanted, "%s.%u", b->spec->name,
                 (unsigned)(b->lp.gid / m->lps_per_copy));
    } else {
        snprintf(wanted, sizeof wanted, "%s", b->spec->name);
    }
    CU_ASSERT_STRING_EQUAL(traced_where, wanted);
}

static void arrive(struct bench *b)
{
    const struct qn_model *m = qn_model();
    struct qn_station *station = b->lp.cur_state;
    bool turns = !qn_is_open(&m->network) && qn_place(m, b->lp.gid) == 0;
    struct qn_job job = {.number = 5,
                         .home = turns ? b->lp.gid : m->n_lps,
                         .trip = random_below(&seed, 3),
                         .trip_start = b->kp.last_time * random_unit(&seed),
                         .kind = QN_ARRIVE};
    tw_rng_stream copy = b->rng[QN_STREAM_TIME];
    double service = tw_rand_exponential(&copy, 1 / b->spec->rate);
    unsigned server;
    bool waits = b->spec->servers != QN_INFINITE && b->jobs >= b->spec->servers;
    double start = naive_start(b, service, &server);
    bool ends = turns && job.trip > 0;
    b->trips_ended += ends;
    b->trip_time_sum += ends ? b->kp.last_time - job.trip_start : 0;
    job.trip = !turns && job.trip == 0 ? 1 : job.trip;
    b->trips_begun += turns;
    b->jobs++;
    b->arrivals++;
    b->waits += waits;
    tw_bf bf = {0};
    n_sent = 0;
    trip_where[0] = '\0';
    qn_station_event(station, &bf, &job, &b->lp);
    CU_ASSERT_STRING_EQUAL(trip_where, ends ? m->network.stations[0].name : "");
    CU_ASSERT_FATAL(n_sent == 1 && sent[0].dest == b->lp.gid && sent[0].message.kind == QN_DEPART);
    CU_ASSERT_TRUE(is_near(sent[0].offset, start - b->kp.last_time + service));
    CU_ASSERT_TRUE(is_near(sent[0].message.started, start));
    CU_ASSERT_EQUAL(sent[0].message.server, server);
    CU_ASSERT_EQUAL(bf.c0, waits);
    CU_ASSERT_EQUAL(b->rng[QN_STREAM_TIME].count, copy.count);
    CU_ASSERT_STRING_EQUAL(traced_step, waits ? "waits" : "served at once");
    check_place(b);
    b->due[b->n_due] = sent[0];
    b->due[b->n_due++].offset += b->kp.last_time;
}

/* ---- Departures ------------------------------------------------------------------------------ */

/* draws: number of draws of the stream afterwards. */
static tw_lpid naive_destination(const struct bench *b, const struct qn_job *job,
                                 unsigned long *draws)
{
    const struct qn_model *m = qn_model();
    tw_rng_stream copy = b->rng[QN_STREAM_WAY];
    const double *sums = m->ways + (size_t)qn_place(m, b->lp.gid) * m->network.n;
    double u = tw_rand_unif(&copy);
    unsigned to = 0;
    while (to < m->network.n && sums[to] <= u) {
        to++;
    }
    *draws = copy.count;
    if (to == m->network.n) {
        return job->home;
    }
    tw_lpid other = b->lp.gid / m->lps_per_copy;
    if (m->settings->cross > 0 && tw_rand_unif(&copy) < m->settings->cross) {
        other = (tw_lpid)tw_rand_integer(&copy, 0, (long)m->settings->copies - 1);
    }
    *draws = copy.count;
    return qn_gid(m, other, to);
}

static void depart(struct bench *b, unsigned which)
{
    const struct qn_model *m = qn_model();
    struct qn_job job = b->due[which].message;
    job.home = qn_is_open(&m->network) ? qn_gid(m, 0, m->network.n) : qn_gid(m, 0, 0);
    b->due[which] = b->due[--b->n_due];
    unsigned long draws;
    tw_lpid to = naive_destination(b, &job, &draws);
    tw_bf bf = {0};
    b->jobs--;
    b->departures++;
    b->response_sum += b->kp.last_time - job.arrived;
    n_sent = 0;
    qn_station_event(b->lp.cur_state, &bf, &job, &b->lp);
    CU_ASSERT_TRUE(n_sent == 1 && sent[0].dest == to);
    CU_ASSERT_EQUAL(b->rng[QN_STREAM_WAY].count, draws);
}

/* ---- Counted values -------------------------------------------------------------------------- */

static void check_counts(const struct bench *b)
{
    const struct qn_model *m = qn_model();
    const struct qn_station *station = b->lp.cur_state;
    struct qn_batch sum;
    memset(&sum, 0, sizeof sum);
    for (unsigned i = 0; i <= m->window.n; i++) {
        qn_batch_add(&sum, &station->batches[i]);
    }
    CU_ASSERT_EQUAL(station->jobs, b->jobs);
    CU_ASSERT_TRUE(station->arrivals == b->arrivals && station->departures == b->departures);
    CU_ASSERT_EQUAL(station->trips, b->trips_begun);
    CU_ASSERT_TRUE(sum.arrivals == b->arrivals && sum.departures == b->departures);
    CU_ASSERT_TRUE(sum.waits == b->waits && sum.trips == b->trips_ended);
    CU_ASSERT_TRUE(is_near(sum.jobs_time, b->jobs_time) && is_near(sum.busy_time, b->busy_time));
    CU_ASSERT_TRUE(is_near(sum.response_sum, b->response_sum));
    CU_ASSERT_TRUE(is_near(sum.trip_time_sum, b->trip_time_sum));
}

static void station_exercise(tw_lpid gid)
{
    static struct bench b;
    bench_begin(&b, gid);
    for (unsigned i = 0; i < 2000; i++) {
        unsigned first = 0;
        for (unsigned k = 1; k < b.n_due; k++) {
            first = b.due[k].offset < b.due[first].offset ? k : first;
        }
        double mean = 1.1 / b.spec->rate / (b.spec->servers == QN_INFINITE ? 4 : b.spec->servers);
        double then = b.kp.last_time + 2 * mean * random_unit(&seed);
        if (b.n_due > 0 && (b.due[first].offset <= then || b.n_due == MAX_SENT)) {
            pass(&b, b.due[first].offset);
            depart(&b, first);
        } else {
            pass(&b, then);
            arrive(&b);
        }
    }
    check_counts(&b);
    CU_ASSERT_TRUE(b.departures > 100);
    CU_ASSERT_EQUAL(b.waits > 0, b.spec->servers != QN_INFINITE);
    free(b.lp.cur_state);
}

/* ---- The outside ----------------------------------------------------------------------------- */

static void check_created(const struct bench *b, uint64_t number, unsigned to)
{
    const struct qn_model *m = qn_model();
    const struct qn_job *job = &sent[0].message;
    CU_ASSERT_EQUAL_FATAL(n_sent, 2);
    CU_ASSERT_EQUAL(sent[0].dest, qn_gid(m, b->lp.gid / m->lps_per_copy, to));
    CU_ASSERT_TRUE(job->kind == QN_ARRIVE && job->home == b->lp.gid);
    CU_ASSERT_TRUE(job->number == number && job->trip == number);
    CU_ASSERT_EQUAL(job->trip_start, b->kp.last_time);
    CU_ASSERT_TRUE(sent[1].dest == b->lp.gid && sent[1].message.kind == QN_CREATE);
}

static void outside_exercise(tw_lpid gid)
{
    static struct bench b;
    const struct qn_model *m = qn_model();
    bench_begin(&b, gid);
    uint64_t created = 0, finished = 0;
    for (unsigned i = 0; i < 500; i++) {
        tw_rng_stream times = b.rng[QN_STREAM_TIME], ways = b.rng[QN_STREAM_WAY];
        struct qn_job job = {.home = gid, .trip = 3, .kind = i % 3 == 0 ? QN_LEAVE : QN_CREATE};
        tw_bf bf = {0};
        b.kp.last_time += random_unit(&seed);
        double u = tw_rand_unif(&ways) * m->arrival_rate;
        unsigned to = 0;
        while (to + 1 < m->network.n && m->arrival_sums[to] <= u) {
            to++;
        }
        n_sent = 0;
        qn_outside_event(b.lp.cur_state, &bf, &job, &b.lp);
        if (job.kind == QN_CREATE) {
            check_created(&b, ++created, to);
            CU_ASSERT_EQUAL(sent[1].offset, tw_rand_exponential(&times, 1 / m->arrival_rate));
        } else {
            finished++;
            CU_ASSERT_STRING_EQUAL(trip_where, "network");
            CU_ASSERT_EQUAL(n_sent, 0);
        }
    }
    const struct qn_outside *outside = b.lp.cur_state;
    CU_ASSERT_TRUE(outside->created == created && outside->finished == finished);
    free(b.lp.cur_state);
}

/* Makes LPs with their numbers only, as tw_define_lps() does on one rank. */
static void lps_make(tw_lpid n)
{
    tw_lp *lps = calloc(n, sizeof *lps);
    g_tw_lp = calloc(n, sizeof *g_tw_lp);
    g_tw_nlp = n;
    for (tw_lpid i = 0; i < n; i++) {
        lps[i].gid = lps[i].id = i;
        g_tw_lp[i] = &lps[i];
    }
}

static void test_networks(void)
{
    static const struct {
        const char *network;
        unsigned copies;
        double cross;
    } cases[] = {{"open3", 3, 0.4}, {"open3", 1, 0},  {"central", 2, 0},
                 {"closed", 1, 0},  {"tandem", 1, 0}, {"mmc", 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model_make(cases[i].network, cases[i].copies, cases[i].cross, 0.1);
        const struct qn_model *m = qn_model();
        lps_make(m->n_lps);
        qn_model_settypes();
        for (tw_lpid gid = 0; gid < m->n_lps; gid++) {
            if (qn_place(m, gid) < m->network.n) {
                station_exercise(gid);
            } else {
                outside_exercise(gid);
            }
        }
        qn_model_fini();
        free(g_tw_lp[0]);
        free(g_tw_lp);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"networks", test_networks}};
    return mpi_suite_run(&argc, &argv, "qnet forward", tests, sizeof tests / sizeof *tests);
}
