/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of one simulated rank against naive lists: pending and executed events, rollbacks,
 * anti-messages and commits, under random messages, anti-messages, executions and GVTs.
 */
/* test: libs=warp_model,no_instrumentation */
#define MODEL_MESSAGE double
#include "rank.h"
#include "support/model_engine.h"

#define SLOTS 400
#define MOST  2000

struct list {
    struct wp_event at[MOST];
    unsigned n;
};

/* The naive rank. Lists are in order of insertion. */
static struct {
    struct list pending, executed, cancels, outs;
    uint64_t undone, primary, secondary, strange;
    double gvt;
} naive;

static struct wp_model model;
static struct wp_rank rank;
static struct wp_event slots[SLOTS];
static double kp_last[8];
static struct wp_work work;
static struct wp_self self = {&model, &rank, kp_last, slots, &work};

/* ---- Lists ----------------------------------------------------------------------------------- */

static void add(struct list *list, struct wp_event event)
{
    CU_ASSERT_FATAL(list->n < MOST);
    list->at[list->n++] = event;
}

static bool drop(struct list *list, const struct wp_event *event)
{
    for (unsigned i = 0; i < list->n; i++) {
        if (wp_event_same(&list->at[i], event)) {
            memmove(&list->at[i], &list->at[i + 1], (--list->n - i) * sizeof *list->at);
            return true;
        }
    }
    return false;
}

static int in_order(const void *a, const void *b)
{
    return wp_event_before(a, b) ? -1 : wp_event_before(b, a);
}

static void check_same(const char *what, struct list *list, const struct wp_event *events,
                       unsigned n)
{
    static struct wp_event wanted[MOST], got[MOST];
    CU_ASSERT_EQUAL_FATAL(list->n, n);
    memcpy(wanted, list->at, n * sizeof *wanted);
    memcpy(got, events, n * sizeof *got);
    qsort(wanted, n, sizeof *wanted, in_order);
    qsort(got, n, sizeof *got, in_order);
    if (memcmp(wanted, got, n * sizeof *got) != 0) {
        printf("  %s differ\n", what);
        CU_FAIL("events differ");
    }
}

/* ---- The naive rank -------------------------------------------------------------------------- */

static void naive_out(struct wp_event event, bool is_anti)
{
    event.id |= (is_anti ? WP_ANTI : 0u) | (rank.colour ? WP_COLOUR : 0u);
    add(&naive.outs, event);
}

/* Undoes executed events of the KP, the youngest first, down to the event. */
static void naive_roll_back(struct wp_event event)
{
    for (unsigned i = naive.executed.n; i-- > 0;) {
        struct wp_event young = naive.executed.at[i];
        if (wp_kp(&young) != wp_kp(&event) || wp_event_before(&young, &event)) {
            continue;
        }
        drop(&naive.executed, &young);
        naive.undone++;
        if (!wp_event_same(&young, &event)) {
            add(&naive.pending, young);
        }
        struct wp_step next = wp_next(&model, 0, &young);
        if (next.event.at < model.end && next.rank == 0) {
            add(&naive.cancels, next.event);
        } else if (next.event.at < model.end) {
            naive_out(next.event, true);
        }
    }
}

static void naive_cancel(struct wp_event event)
{
    if (!drop(&naive.pending, &event)) {
        naive.secondary++;
        naive_roll_back(event);
    }
}

static void naive_cancel_listed(void)
{
    while (naive.cancels.n > 0) {
        naive_cancel(naive.cancels.at[--naive.cancels.n]);
    }
}

static void naive_enqueue(struct wp_event event)
{
    bool late = false;
    for (unsigned i = 0; i < naive.executed.n; i++) {
        late |= wp_kp(&naive.executed.at[i]) == wp_kp(&event) &&
                wp_event_before(&event, &naive.executed.at[i]);
    }
    if (late) {
        naive.primary++;
        naive_roll_back(event);
        naive_cancel_listed();
    }
    add(&naive.pending, event);
}

static unsigned naive_execute(double horizon, unsigned most)
{
    unsigned n = 0;
    for (; n < most && naive.pending.n > 0; n++) {
        struct wp_event first = naive.pending.at[0];
        for (unsigned i = 1; i < naive.pending.n; i++) {
            first = wp_event_before(&naive.pending.at[i], &first) ? naive.pending.at[i] : first;
        }
        if (first.at >= horizon) {
            break;
        }
        drop(&naive.pending, &first);
        add(&naive.executed, first);
        struct wp_step next = wp_next(&model, 0, &first);
        if (next.event.at < model.end && next.rank == 0) {
            naive_enqueue(next.event);
        } else if (next.event.at < model.end) {
            naive_out(next.event, false);
        }
    }
    return n;
}

/* ---- Random steps ---------------------------------------------------------------------------- */

static struct list foreign; /* events of other ranks that may still be cancelled */

static void check_all(void)
{
    static struct wp_event outs[MOST];
    for (unsigned i = 0; i < work.n_outs; i++) {
        outs[i] = work.outs[i].event;
        CU_ASSERT_TRUE(work.outs[i].rank == 1 || work.outs[i].rank == 2);
    }
    check_same("pending events", &naive.pending, slots, rank.n_pending);
    check_same("executed events", &naive.executed, slots + SLOTS - rank.n_history, rank.n_history);
    check_same("messages", &naive.outs, outs, work.n_outs);
    CU_ASSERT_EQUAL(rank.counts.undone, naive.undone);
    CU_ASSERT_EQUAL(rank.counts.primary, naive.primary);
    CU_ASSERT_EQUAL(rank.counts.secondary, naive.secondary);
    CU_ASSERT_EQUAL(rank.counts.strange, 0);
    naive.outs.n = 0;
    work.n_outs = 0;
}

static void step_receive(void)
{
    unsigned n = (unsigned)random_below(&seed, 4);
    struct wp_event messages[4];
    for (unsigned i = 0; i < n; i++) {
        if (foreign.n > 0 && random_below(&seed, 3) == 0) {
            messages[i] = foreign.at[random_below(&seed, foreign.n)];
            drop(&foreign, &messages[i]);
            messages[i].id |= WP_ANTI;
        } else {
            uint64_t id = random_bits(&seed) << WP_CHAIN_SHIFT | random_below(&seed, model.kps);
            double at = ROSS_MAX(naive.gvt, 0) + 3 * random_unit(&seed);
            messages[i] = (struct wp_event){at, id};
            add(&foreign, messages[i]);
        }
        CU_ASSERT_TRUE_FATAL(wp_arrive(&self, messages[i]));
    }
    CU_ASSERT_EQUAL(wp_receive(&self), n);
    for (unsigned i = 0; i < n; i++) {
        bool is_anti = (messages[i].id & WP_ANTI) != 0;
        messages[i].id &= ~(uint64_t)WP_ANTI;
        if (is_anti) {
            naive_cancel(messages[i]);
            naive_cancel_listed();
        } else {
            naive_enqueue(messages[i]);
        }
    }
}

static void step_execute(void)
{
    unsigned most = (unsigned)random_below(&seed, 17);
    double horizon = random_below(&seed, 2) ? INFINITY : naive.gvt + 2 * random_unit(&seed);
    uint64_t before = rank.counts.executed;
    CU_ASSERT_EQUAL(wp_execute(&self, horizon, most), naive_execute(horizon, most));
    CU_ASSERT_TRUE(rank.counts.executed - before <= most);
}

static void step_gvt(void)
{
    double least = wp_first_at(&self);
    if (least > naive.gvt && least < INFINITY) {
        naive.gvt = rank.gvt = naive.gvt + (least - naive.gvt) * random_unit(&seed);
    }
    for (unsigned i = foreign.n; i-- > 0;) {
        if (foreign.at[i].at < naive.gvt) {
            struct wp_event old = foreign.at[i];
            drop(&foreign, &old);
        }
    }
    unsigned n = 0;
    for (unsigned i = naive.executed.n; i-- > 0;) {
        if (naive.executed.at[i].at < naive.gvt) {
            struct wp_event old = naive.executed.at[i];
            drop(&naive.executed, &old);
            n++;
        }
    }
    uint64_t before = rank.counts.committed;
    CU_ASSERT_EQUAL(wp_fossil_collect(&self), n);
    CU_ASSERT_EQUAL(rank.counts.committed - before, n);
}

static void start(uint32_t kps, double remote, double lookahead)
{
    memset(&naive, 0, sizeof naive);
    memset(&rank, 0, sizeof rank);
    foreign.n = 0;
    work.n_outs = 0;
    model = (struct wp_model){.ranks = 3,
                              .processors = 3,
                              .per_processor = 1,
                              .events = 12,
                              .kps = kps,
                              .slots = SLOTS,
                              .batch = 16,
                              .remote = remote,
                              .lookahead = lookahead,
                              .end = 1000};
    wp_work_init(&work, &model);
    wp_rank_init(&self, 0);
    naive.gvt = rank.gvt = 0;
    for (uint32_t i = 0; i < model.events; i++) {
        add(&naive.pending, wp_first(&model, 0, i));
    }
}

static void test_lists(void)
{
    uint64_t undone = 0, secondary = 0;
    for (unsigned round = 0; round < 40; round++) {
        start(1 + round % 4, 0.3 + 0.4 * random_unit(&seed), 0.3 * random_unit(&seed));
        for (unsigned i = 0; i < 300 && rank.n_pending + rank.n_history < SLOTS - 24; i++) {
            switch (random_below(&seed, 5)) {
            case 0:
                step_gvt();
                break;
            case 1:
            case 2:
                step_receive();
                break;
            default:
                step_execute();
            }
            check_all();
        }
        undone += naive.undone;
        secondary += naive.secondary;
        wp_work_fini(&work);
    }
    CU_ASSERT_TRUE(undone > 1000);
    CU_ASSERT_TRUE(secondary > 50);
}

/* A rank without a free slot refuses messages and executes nothing. */
static void test_full(void)
{
    start(2, 0.5, 0.1);
    while (wp_free(&self) > 0) {
        uint64_t id = random_bits(&seed) << WP_CHAIN_SHIFT;
        CU_ASSERT_TRUE_FATAL(wp_arrive(&self, (struct wp_event){random_unit(&seed), id}));
    }
    CU_ASSERT_FALSE(wp_arrive(&self, (struct wp_event){1, 0}));
    CU_ASSERT_EQUAL(rank.n_inbox, SLOTS - 12);
    wp_receive(&self);
    CU_ASSERT_EQUAL(rank.n_pending, SLOTS);
    CU_ASSERT_EQUAL(wp_execute(&self, INFINITY, 16), 0);
    wp_work_fini(&work);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"against lists", test_lists},
        {"no free slot", test_full},
    };
    return seeded_suite_run("warp rank", tests, sizeof tests / sizeof *tests);
}
