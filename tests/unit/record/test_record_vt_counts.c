/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of committed events between sampling points, against a naive table: KPs commit their events
 * one after another, in portions that span several points.
 */
#include <CUnit/CUnit.h>
#include <math.h>

#include "record/vt/vt_counts.h"
#include "support/suite.h"

#define N_LPS  4500u
#define N_KPS  5u
#define POINTS 60u /* of a run; the events after the last one count for one more */

struct world {
    struct vt_counts counts;
    struct probe_table probes;
    tw_kp kps[N_KPS];
    tw_lp lps[N_LPS];
    uint32_t ranks[N_LPS];
    uint64_t naive[POINTS + 2]
                  [N_LPS]; /* [k][i]: events of LP i before point k, since the one before */
    double reached[N_KPS]; /* time of the last event of a KP */
    double interval;
    uint64_t random;
    uint64_t done;
};

/* Gids descend, and some are left out. */
static void world_init(struct world *w, uint64_t seed, double interval, bool ordered, bool by_lp)
{
    *w = (struct world){.random = seed, .interval = interval};
    for (uint32_t i = 0; i < N_LPS; i++) {
        w->lps[i] =
            (tw_lp){.id = i, .gid = 7 * (ordered ? i : N_LPS - i), .kp = &w->kps[i % N_KPS]};
        w->ranks[i] = N_LPS - 1 - i;
    }
    for (tw_kpid k = 0; k < N_KPS; k++) {
        w->kps[k].id = k;
    }
    CU_ASSERT_EQUAL_FATAL(vt_counts_init(&w->counts, (struct vt_points){interval, POINTS}, N_KPS,
                                         N_LPS, ordered ? NULL : w->ranks, by_lp),
                          TW_OK);
    vt_counts_attach(&w->counts, &w->probes, true);
}

static void commit(struct world *w, tw_lp *lp, double ts)
{
    tw_event event = {.dest_lp = lp, .recv_ts = ts};
    PROBE_CALL(&w->probes, event_retired, &event, lp);
    uint64_t number = 1;
    while (number <= POINTS && (double)number * w->interval <= ts) {
        number++;
    }
    if (number > w->done) {
        w->naive[number][lp->id]++;
    }
}

/* Commits the events of all KPs before gvt. */
static void commit_until(struct world *w, double gvt)
{
    for (tw_kpid k = 0; k < N_KPS; k++) {
        /* Few LPs are active, so that they have several events per point, or many. */
        const uint64_t span = random_below(&w->random, 2) == 0 ? 2 : N_LPS / N_KPS;
        while (true) {
            const double next = w->reached[k] + 0.125 * (double)random_below(&w->random, 4) +
                                (random_below(&w->random, 60) == 0 ? 5.0 : 0.0);
            if (next >= gvt) {
                break;
            }
            commit(w, &w->lps[k + N_KPS * random_below(&w->random, span)], next);
            w->reached[k] = next;
        }
    }
    CU_ASSERT(vt_counts_check(&w->counts));
}

/* Takes the next point and compares it. */
static void take(struct world *w, bool in_order)
{
    const uint64_t *naive = w->naive[++w->done];
    uint64_t kps[N_KPS] = {0}, sums[N_KPS] = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < N_LPS; i++) {
        n += naive[i] > 0;
        sums[i % N_KPS] += naive[i];
    }
    const struct vt_count_set *set = vt_counts_take(&w->counts, in_order);
    CU_ASSERT_EQUAL(set == NULL, n == 0);
    if (w->counts.cursors == NULL) {
        CU_ASSERT(set == NULL || set->n_lps == 0);
        memcpy(kps, sums, sizeof kps);
        n = 0;
    }
    CU_ASSERT_EQUAL_FATAL(set == NULL ? 0 : set->n_lps, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct vt_count *lp = &set->lps[i];
        CU_ASSERT(!in_order || i == 0 || lp[-1].gid < lp->gid);
        CU_ASSERT_EQUAL(lp->gid, w->lps[lp->lp].gid);
        CU_ASSERT_EQUAL(lp->kp, lp->lp % N_KPS);
        CU_ASSERT_EQUAL(lp->events, naive[lp->lp]);
        kps[lp->kp] += lp->events;
    }
    for (tw_kpid k = 0; k < N_KPS; k++) {
        CU_ASSERT_EQUAL(kps[k], sums[k]);
        CU_ASSERT(set == NULL || set->kps[k] == sums[k]);
    }
    CU_ASSERT(vt_counts_check(&w->counts));
}

/* The latest point that an event has reached. */
static uint64_t naive_reached(const struct world *w)
{
    double latest = 0.0;
    for (tw_kpid k = 0; k < N_KPS; k++) {
        latest = ROSS_MAX(latest, w->reached[k]);
    }
    return vt_points_until(&w->counts.points, latest);
}

static void test_at_random(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("counts of samples", random);
    static const double intervals[] = {0.125, 0.5, 1.0, 0.3, 40.0};
    struct world *w = malloc(sizeof *w);
    for (unsigned round = 0; round < 40; round++) {
        world_init(w, random_bits(&random), intervals[round % 5], round % 3 == 0, round % 7 != 0);
        for (double gvt = 0.0; w->done < POINTS;) {
            gvt += w->interval * (double)random_below(&random, 12);
            commit_until(w, gvt);
            const uint64_t reached = naive_reached(w);
            while (w->done < POINTS && w->done < reached) {
                CU_ASSERT(vt_counts_are_past(&w->counts, w->done + 1));
                take(w, round % 4 != 0);
            }
            CU_ASSERT(reached > w->done || !vt_counts_are_past(&w->counts, w->done + 1));
        }
        take(w, true); /* the end */
        CU_ASSERT_FALSE(vt_counts_are_left(&w->counts));
        vt_counts_fini(&w->counts);
    }
    free(w);
}

/* Counts that begin during a run: earlier events do not count, and those of before are added. */
static void test_begin_after(void)
{
    struct world *w = malloc(sizeof *w);
    world_init(w, 1, 1.0, true, true);
    w->done = 3;
    vt_counts_begin_after(&w->counts, 3);
    CU_ASSERT_FALSE(vt_counts_are_left(&w->counts));
    vt_counts_add(&w->counts, &w->lps[4], 17, false);
    vt_counts_add(&w->counts, &w->lps[9], 2, false);
    w->naive[4][4] = 17;
    w->naive[4][9] = 2;
    commit(w, &w->lps[8], 2.75);
    commit(w, &w->lps[4], 3.0);
    commit(w, &w->lps[2], 0.5);
    CU_ASSERT_EQUAL(vt_counts_of_lp(&w->counts, 4), 18);
    CU_ASSERT_EQUAL(vt_counts_of_lp(&w->counts, 9), 2);
    CU_ASSERT_EQUAL(vt_counts_of_lp(&w->counts, 8), 0);
    take(w, true);
    CU_ASSERT_EQUAL(vt_counts_of_lp(&w->counts, 4), 0);
    take(w, true);
    vt_counts_fini(&w->counts);
    free(w);
}

/* Events of a KP that count for no LP, with and without counts of LPs. */
static void test_of_kp(void)
{
    struct world *w = malloc(sizeof *w);
    for (int by_lp = 0; by_lp < 2; by_lp++) {
        world_init(w, 1, 1.0, true, by_lp != 0);
        vt_counts_add(&w->counts, &w->lps[4], 17, true);
        commit(w, &w->lps[4], 0.5);
        commit(w, &w->lps[8], 0.75);
        CU_ASSERT_EQUAL(vt_counts_of_kp(&w->counts, 4), by_lp ? 17 : 18);
        CU_ASSERT_EQUAL(vt_counts_of_kp(&w->counts, 3), by_lp ? 0 : 1);
        CU_ASSERT_EQUAL(vt_counts_of_lp(&w->counts, 4), by_lp ? 1 : 0);
        const struct vt_count_set *set = vt_counts_take(&w->counts, true);
        CU_ASSERT_EQUAL_FATAL(set->n_lps, by_lp ? 2 : 0);
        CU_ASSERT_EQUAL(set->kps[4], 18);
        CU_ASSERT_EQUAL(set->kps[3], 1);
        vt_counts_fini(&w->counts);
    }
    free(w);
}

static void test_points(void)
{
    static const double intervals[] = {0.1, 0.3, 1e-9, 1.0, 7.7e22, 4.9e-324};
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        const struct vt_points points = {intervals[i], 10000000};
        for (uint64_t n = 1; n < points.last; n += 1 + n / 3) {
            double ts = vt_points_ts(&points, n);
            CU_ASSERT_EQUAL(vt_points_until(&points, ts), n);
            CU_ASSERT_EQUAL(vt_points_until(&points, nextafter(ts, 0.0)), n - 1);
        }
        CU_ASSERT_EQUAL(vt_points_until(&points, 0.0), 0);
        CU_ASSERT_EQUAL(vt_points_until(&points, INFINITY), points.last);
        CU_ASSERT_EQUAL(vt_points_until(&points, -1.0), 0);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"random commits against a table", test_at_random},
        {"counts that begin during a run", test_begin_after},
        {"events of KPs", test_of_kp},
        {"points", test_points},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("record/vt_counts", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
