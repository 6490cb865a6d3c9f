/*
 * States at virtual times, against a sequential re-execution: LPs run ahead at random, execute
 * events that they should not have, roll back; whatever they do, each point gives what the right
 * events before it have made of the LP, and leaves the state as if nobody had ever gone wrong.
 */
#include "record/vt_timeline.h"
#include "support/suite.h"

#define N_LPS      8u
#define EVENTS_MAX 400u
#define STACK_MAX  (2 * EVENTS_MAX)

enum lp_kind { ENGINE_ONLY, STAT, REVERSED, SAVED, KINDS };

struct state {
    uint64_t hash;
    uint64_t since_sample; /* events, counted anew by sample_event_fn */
    uint64_t samples;
};

/* What samples hold. */
struct sample {
    double now;
    struct state state;
};

struct event {
    double ts;
    uint64_t value;
};

/* An execution that can be undone. */
struct execution {
    struct event event;
    struct state saved; /* SAVED: as the engine saves it, before anybody is told of the event */
    uint64_t old_hash;  /* others: for the reverse handler */
    bool right;         /* one of the events that will commit, after only such */
};

struct lp {
    tw_lp head;
    struct state state;
    struct event events[EVENTS_MAX]; /* that will commit, in order */
    size_t n_events;
    struct execution stack[STACK_MAX];
    size_t n_stack;
    size_t n_right; /* of the stack, from its bottom */
};

struct world {
    struct vt_timeline timeline;
    struct probe_table probes;
    tw_kp kp;
    struct lp lps[N_LPS];
    tw_lp *list[N_LPS];
    struct payload_slot sample_slots[N_LPS];
    struct payload_slot stat_slots[N_LPS];
    double gvt;
    uint64_t taken; /* points */
    bool waits;     /* takes points only when they are passed */
    uint64_t random;
    /* the naive model: states and events of each LP when the point before the next was taken */
    struct state naive[N_LPS];
    size_t naive_events[N_LPS];
    unsigned wrong;
};

static enum lp_kind kind_of(const tw_lp *lp)
{
    return (enum lp_kind)(lp->id % KINDS);
}

static void stat_fn(void *sv, tw_lp *lp, char *buffer)
{
    struct sample s = {tw_now(lp), *(const struct state *)sv};
    memcpy(buffer, &s, sizeof s);
}

static void sample_fn(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *state = sv;
    struct sample s = {tw_now(lp), *state};
    memcpy(bytes, &s, sizeof s);
    if (state->since_sample != 0) {
        bf->c7 = 1;
        state->since_sample = 0;
    }
    state->samples++;
}

static void sample_back_fn(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *state = sv;
    const struct sample *s = bytes;
    CU_ASSERT_EQUAL(tw_now(lp), s->now);
    state->samples--;
    if (bf->c7) {
        state->since_sample = s->state.since_sample;
    }
    CU_ASSERT_EQUAL(memcmp(state, &s->state, sizeof *state), 0);
}

static st_model_types stat_types = {.model_stat_fn = stat_fn, .mstat_sz = sizeof(struct sample)};
static st_model_types reversed_types = {.sample_event_fn = sample_fn,
                                        .sample_revent_fn = sample_back_fn,
                                        .sample_struct_sz = sizeof(struct sample)};
/* The engine restores the state: sample_revent_fn must then not be called. */
static st_model_types saved_types = {.sample_event_fn = sample_fn,
                                     .sample_revent_fn = sample_back_fn,
                                     .sample_struct_sz = sizeof(struct sample)};

static void handle(struct state *s, const struct event *e)
{
    s->hash = (s->hash ^ e->value) * 0x9e3779b97f4a7c15u + 1;
    s->since_sample++;
}

/* ---- The optimistic engine ---------------------------------------------------------------------
 */

static struct probe_event view(struct lp *lp, const struct event *e)
{
    return (struct probe_event){.lp = &lp->head, .recv_ts = e->ts};
}

static void execute(struct world *w, struct lp *lp, struct event e, bool right)
{
    struct execution *x = &lp->stack[lp->n_stack++];
    struct probe_event seen = view(lp, &e);
    *x = (struct execution){.event = e, .saved = lp->state, .right = right};
    double before = w->kp.last_time;
    PROBE_CALL(&w->probes, event_starting, &seen);
    CU_ASSERT_EQUAL(w->kp.last_time, before);
    x->old_hash = lp->state.hash;
    w->kp.last_time = e.ts;
    handle(&lp->state, &e);
    lp->n_right += right;
}

static void undo(struct world *w, struct lp *lp)
{
    struct execution *x = &lp->stack[--lp->n_stack];
    struct probe_event seen = view(lp, &x->event);
    w->kp.last_time = x->event.ts;
    if (kind_of(&lp->head) == SAVED) {
        lp->state = x->saved;
    } else {
        lp->state.since_sample--;
        lp->state.hash = x->old_hash;
    }
    PROBE_CALL(&w->probes, event_undone, &seen, kind_of(&lp->head) == SAVED);
    lp->n_right -= x->right;
}

/* Can the execution on top of the stack be undone? */
static bool is_uncommitted(const struct world *w, const struct lp *lp)
{
    return lp->n_stack > 0 && lp->stack[lp->n_stack - 1].event.ts >= w->gvt;
}

static double top_ts(const struct lp *lp)
{
    return lp->n_stack > 0 ? lp->stack[lp->n_stack - 1].event.ts : 0.0;
}

static bool is_right_so_far(const struct lp *lp)
{
    return lp->n_stack == lp->n_right;
}

static void step_forwards(struct world *w, struct lp *lp)
{
    if (lp->n_stack == STACK_MAX) {
        return;
    }
    if (is_right_so_far(lp) && random_below(&w->random, 8) != 0) {
        if (lp->n_right < lp->n_events) {
            execute(w, lp, lp->events[lp->n_right], true);
        }
        return;
    }
    double ts = ROSS_MAX(top_ts(lp), w->gvt) + 0.25 * (double)random_below(&w->random, 9);
    execute(w, lp, (struct event){ts, random_bits(&w->random)}, false);
}

static void step_backwards(struct world *w, struct lp *lp)
{
    for (uint64_t n = random_below(&w->random, 12); n > 0 && is_uncommitted(w, lp); n--) {
        undo(w, lp);
    }
}

/* Nothing before this time can change any more, for this LP. */
static double bound_of(const struct lp *lp)
{
    double bound = lp->n_right < lp->n_events ? lp->events[lp->n_right].ts : (double)INFINITY;
    return is_right_so_far(lp) ? bound : ROSS_MIN(bound, lp->stack[lp->n_right].event.ts);
}

/* ---- The naive model ---------------------------------------------------------------------------
 */

/* Goes on with the LP's right events to the point, and says what there must be. */
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
        w->wrong += vt_timeline_take(&w->timeline, i, &at, &got) != since;
        w->wrong += memcmp(&got, &expected, sizeof got) != 0;
    }
    w->taken++;
}

/* ---- Runs --------------------------------------------------------------------------------------
 */

static void advance_gvt(struct world *w)
{
    double bound = INFINITY;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        bound = ROSS_MIN(bound, bound_of(&w->lps[i]));
    }
    if (bound > w->gvt + 1e6) {
        return; /* all is done: the end is another test */
    }
    if (random_below(&w->random, 3) == 0) { /* a bound that is not tight */
        bound = w->gvt + (bound - w->gvt) * random_unit(&w->random);
    }
    w->gvt = bound;
    while (w->taken < w->timeline.last) {
        double ts = vt_timeline_ts(&w->timeline, w->taken + 1);
        if (ts > w->gvt ||
            (w->waits && !vt_timeline_is_passed(&w->timeline, w->taken + 1, w->gvt))) {
            break;
        }
        take_point(w, ts);
    }
}

/* Times on a grid of which the points are a part, some equal; some LPs have no event, some few. */
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
    static st_model_types *const types[KINDS] = {NULL, &stat_types, &reversed_types, &saved_types};
    memset(w, 0, sizeof *w);
    w->random = random;
    w->waits = waits;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        struct lp *lp = &w->lps[i];
        lp->head = (tw_lp){.id = i, .gid = i, .kp = &w->kp, .cur_state = &lp->state};
        w->list[i] = &lp->head;
        make_events(w, lp);
        enum lp_kind kind = kind_of(&lp->head);
        struct payload_slot slot = {types[kind], sizeof(struct sample), 1};
        if (kind == STAT) {
            w->stat_slots[i] = slot;
        } else if (kind != ENGINE_ONLY) {
            w->sample_slots[i] = slot;
        }
    }
    struct vt_slots slots = {w->sample_slots, w->stat_slots};
    CU_ASSERT_EQUAL_FATAL(vt_timeline_init(&w->timeline, w->list, N_LPS, slots, interval, last),
                          TW_OK);
    vt_timeline_attach(&w->timeline, &w->probes);
}

/* Executes what is missing, nothing wrong left. */
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

/* The last point that the right events cross. */
static uint64_t naive_crossed(const struct world *w)
{
    uint64_t most = 0;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        const struct lp *lp = &w->lps[i];
        double ts = lp->n_events > 0 ? lp->events[lp->n_events - 1].ts : 0.0;
        uint64_t until = vt_timeline_points_until(&w->timeline, ts);
        most = ROSS_MAX(most, until);
    }
    return most;
}

static void world_finish(struct world *w)
{
    run_out(w);
    vt_timeline_check(&w->timeline, w->taken);
    uint64_t crossed = naive_crossed(w);
    uint64_t seen = vt_timeline_crossed(&w->timeline);
    if (w->waits) {
        CU_ASSERT_EQUAL(ROSS_MAX(seen, w->taken), crossed);
    }
    while (w->taken < w->timeline.last) {
        take_point(w, vt_timeline_ts(&w->timeline, w->taken + 1));
    }
    w->timeline.last++; /* one more at the end, as the recorder takes it */
    take_point(w, 1e9);
    for (tw_lpid i = 0; i < N_LPS; i++) {
        w->wrong += memcmp(&w->lps[i].state, &w->naive[i], sizeof w->naive[i]) != 0;
        w->wrong += w->naive_events[i] != w->lps[i].n_events;
    }
    vt_timeline_check(&w->timeline, w->taken);
    CU_ASSERT_EQUAL(vt_timeline_crossed(&w->timeline), 0);
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
            vt_timeline_check(&w->timeline, w->taken);
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

/* An event at the very time of a point is not in the sample, nor are those that it causes. */
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
    CU_ASSERT_EQUAL(vt_timeline_crossed(&w->timeline), 1);
    CU_ASSERT_FALSE(vt_timeline_is_passed(&w->timeline, 1, 2.0)); /* may still be undone */
    CU_ASSERT(vt_timeline_is_passed(&w->timeline, 1, 2.5));
    struct vt_point at = {1, 2.0};
    struct sample s;
    CU_ASSERT_EQUAL(vt_timeline_take(&w->timeline, REVERSED, &at, &s), 1);
    CU_ASSERT_EQUAL(s.now, 2.0);
    CU_ASSERT_EQUAL(s.state.since_sample, 1);
    CU_ASSERT_EQUAL(lp->state.since_sample, 2);
    vt_timeline_fini(&w->timeline);
    free(w);
}

static void test_points(void)
{
    struct world *w = malloc(sizeof *w);
    static const double intervals[] = {0.1, 0.3, 1e-9, 1.0, 7.7e22, 4.9e-324};
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        world_init(w, 1, intervals[i], 10000000, false);
        for (uint64_t n = 1; n < 10000000; n += 1 + n / 3) {
            double ts = vt_timeline_ts(&w->timeline, n);
            CU_ASSERT_EQUAL(vt_timeline_points_until(&w->timeline, ts), n);
            CU_ASSERT_EQUAL(vt_timeline_points_until(&w->timeline, nextafter(ts, 0.0)), n - 1);
        }
        CU_ASSERT_EQUAL(vt_timeline_points_until(&w->timeline, 0.0), 0);
        CU_ASSERT_EQUAL(vt_timeline_points_until(&w->timeline, INFINITY), 10000000);
        CU_ASSERT_EQUAL(vt_timeline_points_until(&w->timeline, -1.0), 0);
        vt_timeline_fini(&w->timeline);
    }
    free(w);
}

/* Queues alone, against an array. */
static void test_queue(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("captures", random);
    for (size_t bytes = 0; bytes < 100000; bytes = bytes * 3 + 13) {
        struct vt_pool pool;
        struct vt_queue queue = {0};
        uint64_t low = 1;
        uint64_t high = 1; /* the queue holds low .. high - 1 */
        vt_pool_init(&pool, bytes);
        for (int i = 0; i < 2000; i++) {
            uint64_t choice = random_below(&random, i < 1000 ? 3 : 6);
            if (choice < 2) {
                struct vt_capture *c = vt_queue_push(&queue, &pool);
                *c = (struct vt_capture){.older = c->older, .first = high, .count = 1};
                c->events = high++;
                memset(c->bytes, 0xab, pool.bytes);
            } else if (low < high && choice < 4) {
                CU_ASSERT_EQUAL(queue.youngest->first, high - 1);
                vt_queue_drop_youngest(&queue, &pool);
                high--;
            } else if (low < high) {
                CU_ASSERT_EQUAL(queue.oldest->first, low);
                vt_queue_drop_oldest(&queue, &pool);
                low++;
            }
            CU_ASSERT_EQUAL(vt_queue_check(&queue, &pool), high - low);
            CU_ASSERT_EQUAL(pool.in_use, high - low);
        }
        vt_pool_fini(&pool);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"queue of captures", test_queue},
        {"points", test_points},
        {"event at a point", test_event_at_point},
        {"random runs against re-execution", test_against_reexecution},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("record/vt_timeline", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
