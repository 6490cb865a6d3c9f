/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of one simulated rank against naive lists: pending and executed events, rollbacks,
 * anti-messages and commits, under random messages, anti-messages, executions and GVTs.
 */
/* test: libs=warpscope_machine */
#include <math.h>
#include <string.h>

#include "machine/rank.h"
#include "support/machine_table.h"

#define MOST 4000

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
static double kp_last[8];
static struct wp_work work;
static struct wp_self self;
static struct table table;
static uint64_t seed;

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

static void naive_enqueue(struct wp_event event);

/* Sends or cancels the events that an event causes. */
static void naive_next(struct wp_event event, bool is_undone)
{
    struct wp_step next[TABLE_MOST];
    const uint32_t n = table_next(&table, 0, &event, next);
    for (uint32_t i = 0; i < n; i++) {
        if (next[i].event.at >= model.end) {
            continue;
        }
        if (next[i].rank != 0) {
            naive_out(next[i].event, is_undone);
        } else if (is_undone) {
            add(&naive.cancels, next[i].event);
        } else {
            naive_enqueue(next[i].event);
        }
    }
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
        naive_next(young, true);
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
        naive_next(first, false);
    }
    return n;
}

/* ---- Random steps ---------------------------------------------------------------------------- */

static struct list foreign; /* events of other ranks that may still be cancelled */

static void check_all(void)
{
    static struct wp_event outs[MOST];
    for (size_t i = 0; i < work.n_outs; i++) {
        outs[i] = work.outs[i].event;
        CU_ASSERT_TRUE(work.outs[i].rank == 1 || work.outs[i].rank == 2);
    }
    check_same("pending events", &naive.pending, self.slots, rank.n_pending);
    check_same("executed events", &naive.executed, self.slots + self.n_slots - rank.n_history,
               rank.n_history);
    check_same("messages", &naive.outs, outs, (unsigned)work.n_outs);
    CU_ASSERT_FALSE(work.failed);
    CU_ASSERT_EQUAL(rank.counts.undone, naive.undone);
    CU_ASSERT_EQUAL(rank.counts.primary, naive.primary);
    CU_ASSERT_EQUAL(rank.counts.secondary, naive.secondary);
    CU_ASSERT_EQUAL(rank.counts.strange, 0);
    naive.outs.n = 0;
    work.n_outs = 0;
}

/* Stores in *event a random event that another rank may send now. Returns false if the choice is not
 * possible. */
static bool foreign_choose(struct wp_event *event)
{
    const uint32_t i = (uint32_t)random_below(&seed, table.n);
    const uint32_t cause = table.events[i].cause;
    *event = table_event(&table, i);
    for (unsigned k = 0; k < foreign.n; k++) {
        if (wp_event_same(&foreign.at[k], event)) {
            return false;
        }
    }
    return cause != TABLE_NONE && table_rank(&table, cause) != 0 && table_rank(&table, i) == 0 &&
           event->at >= naive.gvt && event->at < model.end;
}

static void step_receive(void)
{
    unsigned n = 0;
    struct wp_event messages[4];
    for (unsigned tries = (unsigned)random_below(&seed, 80); tries > 0 && n < 4; tries--) {
        if (foreign.n > 0 && random_below(&seed, 40) == 0) {
            messages[n] = foreign.at[random_below(&seed, foreign.n)];
            drop(&foreign, &messages[n]);
            messages[n].id |= WP_ANTI;
        } else if (foreign_choose(&messages[n])) {
            add(&foreign, messages[n]);
        } else {
            continue;
        }
        CU_ASSERT_TRUE_FATAL(wp_arrive(&self, messages[n]));
        n++;
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

/* slots: maximum of slots; 0: none. numbered: the machine knows that events have numbers. */
static void start(uint32_t kps, uint32_t slots, bool numbered)
{
    memset(&naive, 0, sizeof naive);
    memset(&rank, 0, sizeof rank);
    foreign.n = 0;
    table_make(&table, 1000, 3, kps, 0, &seed);
    table.source.n_events = numbered ? table.n : 0;
    model = (struct wp_model){
        .source = &table.source, .ranks = 3, .kps = kps, .slots = slots, .batch = 16, .end = 30};
    self = (struct wp_self){
        &model, &rank, kp_last, slots > 0 ? calloc(slots, sizeof *self.slots) : NULL, slots, &work};
    CU_ASSERT_TRUE_FATAL(wp_work_init(&work, &table.source));
    wp_rank_init(&self, 0);
    naive.gvt = rank.gvt = 0;
    struct wp_event event;
    for (uint32_t i = 0; table_start(&table, 0, i, &event); i++) {
        add(&naive.pending, event);
    }
}

static void finish(void)
{
    free(self.slots);
    wp_work_fini(&work);
}

static void test_lists(void)
{
    uint64_t undone = 0, secondary = 0, committed = 0;
    for (unsigned round = 0; round < 40; round++) {
        start(1 + round % 4, 0, round % 2 == 0);
        for (unsigned i = 0; i < 300; i++) {
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
        committed += rank.counts.committed;
        finish();
    }
    CU_ASSERT_TRUE(undone > 1000);
    CU_ASSERT_TRUE(secondary > 50);
    CU_ASSERT_TRUE(committed > 1000);
}

/* A rank without a free slot refuses messages and executes nothing. */
static void test_full(void)
{
    start(2, 400, false);
    const uint32_t n = rank.n_pending;
    while (wp_free(&self) > 0) {
        const uint64_t number = table.n + random_below(&seed, 1000000);
        CU_ASSERT_TRUE_FATAL(wp_arrive(&self, wp_event_make(random_unit(&seed), number, 0)));
    }
    CU_ASSERT_FALSE(wp_arrive(&self, (struct wp_event){1, 0}));
    CU_ASSERT_EQUAL(rank.n_inbox, 400 - n);
    wp_receive(&self);
    CU_ASSERT_EQUAL(rank.n_pending, 400);
    CU_ASSERT_EQUAL(wp_execute(&self, INFINITY, 16), 0);
    CU_ASSERT_FALSE(work.failed);
    finish();
}

/* The stragglers that arrive with a new GVT count before the horizon adapts to it, and what it takes to
 * take the result before the interval does. */
static void test_new_gvt(void)
{
    start(1, 0, false);
    CU_ASSERT_TRUE(wp_execute(&self, INFINITY, 200) >= 2);
    rank.counts.executed = 200;
    rank.counts.undone = 67; /* few enough; 69 are not */
    model.interval_most = 4096;
    model.machine.vote_ns = 150;
    rank.interval_events = 256;
    rank.round_cost_ns = 100;
    rank.in_round = 1;
    rank.answer = WP_GVT;
    rank.horizon.farthest = 10;
    CU_ASSERT_TRUE_FATAL(wp_arrive(&self, wp_event_make(0, table.n, 0)));
    wp_turn(&self, 10000); /* of which 2 % is 200 */
    CU_ASSERT_TRUE(rank.counts.undone >= 69);
    CU_ASSERT_TRUE(rank.horizon.width < 10);
    CU_ASSERT_EQUAL(rank.interval_events, 512);
    finish();
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"against lists", test_lists},
        {"no free slot", test_full},
        {"new GVT", test_new_gvt},
    };
    seed = suite_seed();
    suite_print_seed("machine rank", seed);
    return suite_run("machine rank", tests, sizeof tests / sizeof *tests);
}
