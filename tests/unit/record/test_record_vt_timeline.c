/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States at virtual times, against a sequential re-execution: LPs run ahead at random, execute
 * wrong events and roll back. Each sample must be that of the right events before its point, and
 * the states must not depend on the wrong executions.
 */
#include "support/vt_world.h"

/* ---- The naive model ------------------------------------------------------------------------- */

/* Continues with the LP's right events to the point. Returns the expected sample. */
static uint64_t naive_sample(struct world *w, tw_lpid i, double ts, struct sample *s)
{
    const struct lp *lp = &w->lps[i];
    uint64_t since = 0;
    while (w->naive_events[i] < lp->n_events && lp->events[w->naive_events[i]].ts < ts) {
        handle(&w->naive[i], &lp->events[w->naive_events[i]++]);
        since++;
    }
    tw_bf bf = {0};
    tw_kp kp = {.last_time = ts};
    tw_lp at = {.id = i, .kp = &kp};
    switch (kind_of(&at)) {
    case STAT:
        stat_fn(&w->naive[i], &at, (char *)s);
        break;
    case HELD:
        held_fn(&w->naive[i], &at, (char *)s);
        break;
    case REVERSED:
    case SAVED:
        sample_fn(&w->naive[i], &bf, &at, s);
        break;
    default:
        break;
    }
    return since;
}

static void take_point(struct world *w, double ts)
{
    struct vt_point at = {w->taken + 1, ts};
    for (tw_lpid i = 0; i < N_LPS; i++) {
        struct sample expected = {0};
        struct sample got = {0};
        uint64_t since = naive_sample(w, i, ts, &expected);
        if (w->timeline.sources[i].lags && w->timeline.taken > 0 && since == 0) {
            continue;
        }
        w->wrong += vt_timeline_take(&w->timeline, i, &at, &got) != since;
        w->wrong += memcmp(&got, &expected, sizeof got) != 0;
    }
    w->timeline.taken = ++w->taken;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Returns true if a right event at or past ts, and before GVT, has been executed. */
static bool is_passed(const struct world *w, double ts)
{
    for (tw_lpid i = 0; i < N_LPS; i++) {
        for (size_t n = 0; n < w->lps[i].n_right; n++) {
            const double at = w->lps[i].events[n].ts;
            if (at >= ts && at < w->gvt) {
                return true;
            }
        }
    }
    return false;
}

static void advance_gvt(struct world *w)
{
    double bound = INFINITY;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        bound = ROSS_MIN(bound, bound_of(&w->lps[i]));
    }
    if (bound > w->gvt + 1e6) {
        return; /* all events are executed: another test covers the end */
    }
    if (random_below(&w->random, 3) == 0) { /* a loose bound */
        bound = w->gvt + (bound - w->gvt) * random_unit(&w->random);
    }
    w->gvt = bound;
    while (w->taken < w->timeline.points.last) {
        double ts = vt_points_ts(&w->timeline.points, w->taken + 1);
        if (ts > w->gvt || (w->waits && !is_passed(w, ts))) {
            break;
        }
        take_point(w, ts);
    }
}

/* Times on a grid that contains the points, some equal; some LPs have few events or none. */
static void make_events(struct world *w, struct lp *lp)
{
    uint64_t n = random_below(&w->random, 3) == 0 ? random_below(&w->random, 3) : EVENTS_MAX;
    double ts = 0.0;
    for (uint64_t i = 0; i < n; i++) {
        bool jumps = random_below(&w->random, 50) == 0;
        ts += 0.25 * (double)random_below(&w->random, jumps ? 80 : 5);
        lp->events[lp->n_events++] = (struct event){ts, random_bits(&w->random)};
    }
}

static void world_init(struct world *w, uint64_t random, double interval, uint64_t last, bool waits)
{
    static st_model_types *const types[KINDS] = {NULL, &stat_types, &reversed_types, &saved_types,
                                                 &held_types};
    memset(w, 0, sizeof *w);
    w->random = random;
    w->waits = waits;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        struct lp *lp = &w->lps[i];
        lp->head = (tw_lp){.id = i, .gid = i, .kp = &w->kp, .cur_state = &lp->state};
        w->list[i] = &lp->head;
        make_events(w, lp);
        enum lp_kind kind = kind_of(&lp->head);
        struct payload_slot slot = {.types = types[kind], .size = sizeof(struct sample), .id = 1};
        slot.holds = kind == HELD;
        if (kind == STAT || kind == HELD) {
            w->stat_slots[i] = slot;
        } else if (kind != ENGINE_ONLY) {
            w->sample_slots[i] = slot;
        }
    }
    struct vt_slots slots = {w->sample_slots, w->stat_slots};
    CU_ASSERT_EQUAL_FATAL(
        vt_timeline_init(&w->timeline, w->list, N_LPS, slots, (struct vt_points){interval, last}),
        TW_OK);
    for (tw_lpid i = 0; i < N_LPS / 2; i++) {
        w->timeline.sources[i].lags = w->timeline.sources[i].holds;
    }
    vt_timeline_attach(&w->timeline, &w->probes, true);
}

/* Executes the missing events; no wrong ones are left. */
static void run_out(struct world *w)
{
    for (tw_lpid i = 0; i < N_LPS; i++) {
        struct lp *lp = &w->lps[i];
        while (!is_right_so_far(lp)) {
            undo(w, lp);
        }
        while (lp->n_right < lp->n_events) {
            execute(w, lp, lp->events[lp->n_right], true);
        }
    }
}

static void world_finish(struct world *w)
{
    run_out(w);
    CU_ASSERT(vt_timeline_check(&w->timeline, w->taken));
    while (w->taken < w->timeline.points.last) {
        take_point(w, vt_points_ts(&w->timeline.points, w->taken + 1));
    }
    w->timeline.points.last++; /* one more at the end, as in the recorder */
    take_point(w, 1e9);
    for (tw_lpid i = 0; i < N_LPS; i++) {
        w->wrong += memcmp(&w->lps[i].state, &w->naive[i], sizeof w->naive[i]) != 0;
        w->wrong += w->naive_events[i] != w->lps[i].n_events;
    }
    CU_ASSERT(vt_timeline_check(&w->timeline, w->taken));
    vt_timeline_fini(&w->timeline);
}

static void run_at_random(uint64_t seed, double interval, uint64_t last, bool waits)
{
    struct world *w = malloc(sizeof *w);
    world_init(w, seed, interval, last, waits);
    for (int i = 0; i < 6000; i++) {
        struct lp *lp = &w->lps[random_below(&w->random, N_LPS)];
        switch (random_below(&w->random, 8)) {
        case 0:
            step_backwards(w, lp);
            break;
        case 1:
            advance_gvt(w);
            break;
        default:
            step_forwards(w, lp);
            break;
        }
        if (i % 16 == 0) {
            CU_ASSERT(vt_timeline_check(&w->timeline, w->taken));
        }
    }
    world_finish(w);
    CU_ASSERT_EQUAL(w->wrong, 0);
    free(w);
}

static void test_against_reexecution(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("virtual times", random);
    static const double intervals[] = {0.25, 1.0, 0.75, 3.0, 0.1, 1000.0};
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        for (int round = 0; round < 6; round++) {
            uint64_t last = random_below(&random, 1200);
            run_at_random(random_bits(&random), intervals[i], last, round % 2 == 0);
        }
    }
}

/* Events at the time of a point, and events that they cause, are not in the sample. */
static void test_event_at_point(void)
{
    struct world *w = malloc(sizeof *w);
    world_init(w, 1, 2.0, 3, false);
    struct lp *lp = &w->lps[REVERSED];
    lp->n_events = 3;
    for (int i = 0; i < 3; i++) {
        lp->events[i] = (struct event){i == 0 ? 1.5 : 2.0, (uint64_t)i};
        execute(w, lp, lp->events[i], true);
    }
    struct vt_point at = {1, 2.0};
    struct sample s;
    CU_ASSERT_EQUAL(vt_timeline_take(&w->timeline, REVERSED, &at, &s), 1);
    CU_ASSERT_EQUAL(s.now, 2.0);
    CU_ASSERT_EQUAL(s.state.since_sample, 1);
    CU_ASSERT_EQUAL(lp->state.since_sample, 2);
    vt_timeline_fini(&w->timeline);
    free(w);
}

/* Undo logs of captures alone, against an array. */
static void test_queue(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("captures", random);
    for (size_t bytes = 0; bytes < 100000; bytes = bytes * 3 + 13) {
        struct vt_pool pool;
        struct vt_undo_log queue = {0};
        uint64_t low = 1;
        uint64_t high = 1; /* the queue holds low .. high - 1 */
        vt_pool_init(&pool, bytes);
        for (int i = 0; i < 2000; i++) {
            uint64_t choice = random_below(&random, i < 1000 ? 3 : 6);
            if (choice < 2) {
                struct vt_capture *c = vt_undo_log_push(&queue, &pool);
                *c = (struct vt_capture){.older = c->older, .first = high, .count = 1};
                c->events = high++;
                memset(c->bytes, 0xab, pool.bytes);
            } else if (low < high && choice < 4) {
                CU_ASSERT_EQUAL(queue.youngest->first, high - 1);
                vt_undo_log_drop_youngest(&queue, &pool);
                high--;
            } else if (low < high) {
                CU_ASSERT_EQUAL(queue.oldest->first, low);
                vt_undo_log_drop_oldest(&queue, &pool);
                low++;
            }
            uint64_t n;
            CU_ASSERT(vt_undo_log_check(&queue, &pool, &n));
            CU_ASSERT_EQUAL(n, high - low);
            CU_ASSERT_EQUAL(pool.in_use, high - low);
        }
        vt_pool_fini(&pool);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"queue of captures", test_queue},
        {"event at a point", test_event_at_point},
        {"random runs against re-execution", test_against_reexecution},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("record/vt_timeline", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
