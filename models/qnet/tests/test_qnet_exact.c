/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * qnet's analytic results for queueing networks: formulas with known values, convolution against
 * the sum over all states and against mean value analysis, confidence limits.
 */
/* test: libs=qnet_model ranks=1 */
#include <math.h>
#include <string.h>

#include "estimate.h"
#include "exact.h"
#include "support/suite.h"

static uint64_t seed;

static void assert_near(double expected, double got, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected) + 1e-300)) {
        printf("  %.17g is not %.17g\n", got, expected);
        CU_FAIL("a value is off");
    } else {
        CU_PASS("a value is right");
    }
}

static void parse(struct qn_network *net, const char *text)
{
    struct model_error error = {""};
    bool ok = qn_network_parse(net, "t", text, &error) && qn_network_check(net, &error);
    if (!ok) {
        printf("  %s\n", error.text);
    }
    CU_ASSERT_TRUE_FATAL(ok);
}

static void solve(struct qn_exact *exact, struct qn_network *net, double transit)
{
    struct model_error error = {""};
    CU_ASSERT_TRUE_FATAL(qn_exact_solve(exact, net, transit, &error));
}

/* ---- Equations ------------------------------------------------------------------------------- */

static void test_linear(void)
{
    enum { MAX = 12 };
    for (int round = 0; round < 200; round++) {
        unsigned n = 1 + (unsigned)random_below(&seed, MAX);
        double a[MAX * MAX], a_kept[MAX * MAX], x[MAX], got[MAX], b[MAX];
        for (unsigned i = 0; i < n * n; i++) {
            a[i] = random_below(&seed, 3) == 0 ? 0 : random_unit(&seed) - 0.5;
        }
        memcpy(a_kept, a, sizeof a);
        for (unsigned i = 0; i < n; i++) {
            x[i] = random_unit(&seed);
            b[i] = 0;
        }
        for (unsigned i = 0; i < n * n; i++) {
            b[i / n] += a[i] * x[i % n];
        }
        double b_kept[MAX];
        memcpy(b_kept, b, sizeof b);
        if (!qn_solve_linear(n, a, b, got)) {
            continue; /* singular in some random cases */
        }
        for (unsigned r = 0; r < n; r++) {
            double sum = 0;
            double size = 0;
            for (unsigned c = 0; c < n; c++) {
                sum += a_kept[r * n + c] * got[c];
                size += fabs(a_kept[r * n + c] * got[c]);
            }
            CU_ASSERT_TRUE(fabs(sum - b_kept[r]) <= 1e-11 * (size + 1));
        }
    }
    double singular[4] = {1, 2, 2, 4};
    double b[2] = {1, 1};
    double x[2];
    CU_ASSERT_FALSE(qn_solve_linear(2, singular, b, x));
}

/* ---- Open networks --------------------------------------------------------------------------- */

static void test_erlang(void)
{
    assert_near(0.7, qn_erlang_c(1, 0.7), 1e-12);
    double rho = 0.75; /* c = 2: 2 rho^2 / (1 + rho) */
    assert_near(2 * rho * rho / (1 + rho), qn_erlang_c(2, 2 * rho), 1e-12);
    assert_near(0.5964320, qn_erlang_c(4, 3.2), 1e-6);
    assert_near(0.4091803, qn_erlang_c(10, 8), 1e-6);
}

static void test_open(void)
{
    struct qn_network net;
    struct qn_exact e;
    /* A job returns with probability 0.2: 0.6 / 0.8 jobs per time unit, rho = 0.75. */
    parse(&net, "station a rate=1 arrivals=0.6\nroute a a:0.2\n");
    solve(&e, &net, 0);
    assert_near(0.75, e.stations[0].throughput, 1e-12);
    assert_near(0.75, e.stations[0].utilisation, 1e-12);
    assert_near(0.75, e.stations[0].must_wait, 1e-12);
    assert_near(3, e.stations[0].number, 1e-12);
    assert_near(4, e.stations[0].response, 1e-12);
    assert_near(1.25, e.visits[0], 1e-12);
    assert_near(5, e.trip_time, 1e-12);
    qn_network_fini(&net);

    parse(&net, "station a rate=2 servers=inf arrivals=3\nstation b servers=2 rate=1\n"
                "route a b:0.5 # half of them leave\n");
    solve(&e, &net, 0.25);
    assert_near(1.5, e.stations[0].number, 1e-12);
    CU_ASSERT_TRUE(isnan(e.stations[0].utilisation));
    assert_near(1.5, e.stations[1].throughput, 1e-12);
    /* M/M/2 with rho = 0.75: rho * 2 / (1 - rho^2) */
    assert_near(1.5 / (1 - 0.5625), e.stations[1].number, 1e-12);
    assert_near((1.5 + 1.5 / (1 - 0.5625)) / 3 + 0.25 * 2.5, e.trip_time, 1e-12);
    qn_network_fini(&net);

    struct model_error error = {""};
    parse(&net, "station a rate=1 arrivals=0.5\nstation b rate=0.5\nroute a b:1\n");
    CU_ASSERT_FALSE(qn_exact_solve(&e, &net, 0, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "station b is offered 1 times"));
    qn_network_fini(&net);
}

/* ---- Closed networks ------------------------------------------------------------------------- */

/* A ring with random extra routes, so that every station is reached. */
static void random_closed(struct qn_network *net, unsigned n, unsigned jobs, bool one_server)
{
    char text[4096];
    int used = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = (unsigned)random_below(&seed, 4);
        char servers[16];
        snprintf(servers, sizeof servers, kind == 0 ? "inf" : "%u",
                 one_server ? 1 : 1 + (unsigned)random_below(&seed, 4));
        used += sprintf(text + used, "station s%u servers=%s rate=%.6f\n", i, servers,
                        0.1 + 2 * random_unit(&seed));
    }
    for (unsigned i = 0; i < n; i++) {
        double p = 0.1 + 0.9 * random_unit(&seed);
        used += sprintf(text + used, "route s%u s%u:%.17g s%u:%.17g\n", i, (i + 1) % n, p,
                        (unsigned)random_below(&seed, n), 1 - p);
    }
    sprintf(text + used, "jobs %u\n", jobs);
    parse(net, text);
}

/* Returns the factor of n jobs at a station with that demand. */
static double factor(double demand, unsigned servers, unsigned n)
{
    double f = 1;
    for (unsigned k = 1; k <= n; k++) {
        f *= demand / (servers == QN_INFINITE || k < servers ? k : servers);
    }
    return f;
}

/* Sums over all states: of the products, and of product * jobs at each station. place n: transit */
struct states {
    const struct qn_network *net;
    double demands[QN_MAX_STATIONS];
    unsigned servers[QN_MAX_STATIONS];
    unsigned n;
    double sum;
    double jobs[QN_MAX_STATIONS];
    unsigned at[QN_MAX_STATIONS];
};

static void states_sum(struct states *s, unsigned place, unsigned left, double product)
{
    if (place + 1 == s->n) {
        s->at[place] = left;
        product *= factor(s->demands[place], s->servers[place], left);
        s->sum += product;
        for (unsigned i = 0; i < s->n; i++) {
            s->jobs[i] += s->at[i] * product;
        }
        return;
    }
    for (unsigned k = 0; k <= left; k++) {
        s->at[place] = k;
        states_sum(s, place + 1, left - k,
                   product * factor(s->demands[place], s->servers[place], k));
    }
}

static void test_closed_states(void)
{
    for (int round = 0; round < 60; round++) {
        struct qn_network net;
        struct qn_exact e;
        unsigned n = 2 + (unsigned)random_below(&seed, 3);
        random_closed(&net, n, 1 + (unsigned)random_below(&seed, 7), false);
        double transit = round % 2 == 0 ? 0 : random_unit(&seed);
        solve(&e, &net, transit);
        struct states s = {.net = &net, .n = n + 1};
        for (unsigned i = 0; i < n; i++) {
            s.demands[i] = e.visits[i] / net.stations[i].rate;
            s.servers[i] = net.stations[i].servers;
            s.demands[n] += e.visits[i] * transit;
        }
        states_sum(&s, 0, net.n_jobs, 1);
        double all = s.jobs[n] / s.sum;
        for (unsigned i = 0; i < n; i++) {
            assert_near(s.jobs[i] / s.sum, e.stations[i].number, 1e-9);
            assert_near(e.stations[i].response * e.stations[i].throughput, e.stations[i].number,
                        1e-12);
            all += e.stations[i].number;
        }
        assert_near(net.n_jobs, all, 1e-9);
        qn_network_fini(&net);
    }
}

/* Mean value analysis (Reiser & Lavenberg, J. ACM 27(2), 1980), single servers and delays. */
static void test_closed_mva(void)
{
    for (int round = 0; round < 40; round++) {
        struct qn_network net;
        struct qn_exact e;
        unsigned n = 2 + (unsigned)random_below(&seed, 8);
        random_closed(&net, n, 1 + (unsigned)random_below(&seed, 200), true);
        solve(&e, &net, 0.5);
        double number[QN_MAX_STATIONS] = {0};
        double response[QN_MAX_STATIONS];
        double trips = 0;
        for (unsigned jobs = 1; jobs <= net.n_jobs; jobs++) {
            double time = 0;
            for (unsigned i = 0; i < n; i++) {
                double waiting = net.stations[i].servers == QN_INFINITE ? 0 : number[i];
                response[i] = (1 + waiting) / net.stations[i].rate;
                time += e.visits[i] * (response[i] + 0.5);
            }
            trips = jobs / time;
            for (unsigned i = 0; i < n; i++) {
                number[i] = trips * e.visits[i] * response[i];
            }
        }
        assert_near(trips, e.trips, 1e-9);
        assert_near(net.n_jobs / trips, e.trip_time, 1e-9);
        for (unsigned i = 0; i < n; i++) {
            assert_near(number[i], e.stations[i].number, 1e-8);
            assert_near(response[i], e.stations[i].response, 1e-8);
            if (net.stations[i].servers == 1) {
                assert_near(trips * e.visits[i] / net.stations[i].rate, e.stations[i].utilisation,
                            1e-9);
            }
        }
        qn_network_fini(&net);
    }
}

static void test_closed_known(void)
{
    struct qn_network net;
    struct qn_exact e;
    /* Two equal stations and 3 jobs: 4 equally likely states. A server is busy in 3 of them. An
     * arriving job finds 2 jobs in 3 states, in 2 of which the server is busy. */
    parse(&net, "station a rate=2\nstation b rate=2\nroute a b:1\nroute b a:1\njobs 3\n");
    solve(&e, &net, 0);
    assert_near(0.75, e.stations[0].utilisation, 1e-12);
    assert_near(1.5, e.stations[1].throughput, 1e-12);
    assert_near(1.5, e.stations[1].number, 1e-12);
    assert_near(2.0 / 3, e.stations[0].must_wait, 1e-12);
    qn_network_fini(&net);

    /* More jobs than a double can count states for. */
    parse(&net, "station a rate=2\nstation b rate=1\nroute a b:1\nroute b a:1\njobs 3000\n");
    solve(&e, &net, 0.1);
    assert_near(1, e.stations[1].utilisation, 1e-9);
    assert_near(1, e.trips, 1e-9);
    assert_near(1, e.stations[0].number, 1e-6);
    qn_network_fini(&net);

    /* Too large to compute: reported as unknown. */
    char text[8192];
    int used = 0;
    for (unsigned i = 0; i < 60; i++) {
        used += sprintf(text + used, "station s%u rate=1\n", i);
    }
    for (unsigned i = 0; i < 60; i++) {
        used += sprintf(text + used, "route s%u s%u:1\n", i, (i + 1) % 60);
    }
    sprintf(text + used, "jobs 10000\n");
    parse(&net, text);
    solve(&e, &net, 0);
    CU_ASSERT_TRUE(isnan(e.trips) && isnan(e.stations[59].number));
    assert_near(1, e.visits[59], 1e-9);
    qn_network_fini(&net);
}

/* ---- Confidence ------------------------------------------------------------------------------ */

static void test_student(void)
{
    static const struct {
        unsigned freedom;
        double t;
    } table[] = {{1, 12.7062047},  {2, 4.3026527},  {3, 3.1824463},  {4, 2.7764451},
                 {9, 2.2621572},   {10, 2.2281389}, {19, 2.0930241}, {30, 2.0422725},
                 {120, 1.9799304}, {999, 1.9623415}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_near(table[i].t, qn_student_quantile(0.95, table[i].freedom), 1e-7);
    }
    assert_near(63.6567412, qn_student_quantile(0.99, 1), 1e-7);
    assert_near(2.8609346, qn_student_quantile(0.99, 19), 1e-7);
}

static void test_estimate(void)
{
    double ones[4] = {1, 1, 1, 1};
    double y[4] = {1, 2, 3, 4}; /* mean 2.5, standard deviation sqrt(5/3) */
    struct qn_estimate e = qn_estimate_ratio(y, ones, 4);
    assert_near(2.5, e.mean, 1e-12);
    assert_near(3.1824463 * sqrt(5.0 / 3 / 4), e.half_width, 1e-7);
    double x[4] = {2, 4, 6, 8}; /* equal ratios */
    e = qn_estimate_ratio(y, x, 4);
    assert_near(0.5, e.mean, 1e-12);
    CU_ASSERT_EQUAL(e.half_width, 0);
    double none[4] = {0, 0, 0, 0};
    e = qn_estimate_ratio(none, none, 4);
    CU_ASSERT_TRUE(isnan(e.mean) && isnan(e.half_width));

    /* About 95 % of the 95 % intervals contain the true value. */
    enum { ROUNDS = 4000, N = 10 };
    unsigned held = 0;
    unsigned linked = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double values[N], weights[N];
        for (int i = 0; i < N; i++) {
            values[i] = 0;
            weights[i] = 1;
            for (int k = 0; k < 12; k++) {
                values[i] += random_unit(&seed);
            }
        }
        e = qn_estimate_ratio(values, weights, N);
        held += fabs(e.mean - 6) <= e.half_width;
        linked += qn_estimate_is_linked(&e, N);
    }
    CU_ASSERT_TRUE(held > 0.93 * ROUNDS && held < 0.97 * ROUNDS);
    CU_ASSERT_TRUE(linked < 0.02 * ROUNDS); /* for batches that are independent */
}

/* Batches that each contain half of the previous one are detected as correlated, and their
 * intervals miss the value. */
static void test_linked(void)
{
    double y[4] = {1, 3, 1, 3}; /* residuals -1, 1, -1, 1 */
    double ones[40] = {1, 1, 1, 1};
    assert_near(-0.75, qn_estimate_ratio(y, ones, 4).correlation, 1e-12);
    CU_ASSERT_TRUE(isnan(qn_estimate_ratio(ones, ones, 4).correlation));
    enum { ROUNDS = 500, N = 40 };
    unsigned held = 0;
    unsigned linked = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double values[N];
        double last = 0;
        for (int i = -20; i < N; i++) {
            last = 0.7 * last + random_unit(&seed) - 0.5;
            values[i < 0 ? 0 : i] = last;
            ones[i < 0 ? 0 : i] = 1;
        }
        struct qn_estimate e = qn_estimate_ratio(values, ones, N);
        held += fabs(e.mean) <= e.half_width;
        linked += qn_estimate_is_linked(&e, N);
        CU_ASSERT_FALSE(qn_estimate_is_linked(&e, 9));
    }
    CU_ASSERT_TRUE(held < 0.85 * ROUNDS);
    CU_ASSERT_TRUE(linked > 0.85 * ROUNDS);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"linear equations", test_linear},
        {"Erlang's C", test_erlang},
        {"open networks", test_open},
        {"closed against all states", test_closed_states},
        {"closed against mean value analysis", test_closed_mva},
        {"closed, known values and limits", test_closed_known},
        {"Student's distribution", test_student},
        {"means of batches", test_estimate},
        {"batches that hang together", test_linked},
    };
    seed = suite_seed();
    suite_print_seed("qnet exact", seed);
    return suite_run("qnet exact", tests, sizeof tests / sizeof *tests);
}
