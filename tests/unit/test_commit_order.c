/*
 * The order of commits over KPs, against all their events sorted.
 */
#include <float.h>
#include <math.h>

#include "engine/commit_order.h"
#include "support/suite.h"

#define N_EVENTS_MAX 400u

enum spread { TIES, EVEN, HUGE, SPREADS };

static double random_time(uint64_t *random, enum spread spread)
{
    switch (spread) {
    case TIES:
        return (double)random_below(random, 40);
    case EVEN:
        return 40.0 * random_unit(random);
    default: /* not to be told apart by even intervals; 0 and the largest number are among them */
        return random_below(random, 9) == 0 ? DBL_MAX : 40.0 * pow(random_unit(random), 300.0);
    }
}

static tw_event *make_event(uint64_t *random, enum spread spread, tw_lpid src)
{
    tw_event *event = calloc(1, sizeof(*event) + 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(event);
    event->recv_ts = random_time(random, spread);
    event->prio = random_below(random, 3) == 0 ? 0.5 : random_unit(random);
    event->tie = random_below(random, 2) == 0 ? 0.25 : random_unit(random); /* keys may be equal */
    event->src = src;
    event->lineage_len = 1;
    event->state = EVENT_PROCESSED;
    return event;
}

static int by_order(const void *a, const void *b)
{
    return event_compare(*(tw_event *const *)a, *(tw_event *const *)b);
}

/* Random events of one KP each, and a GVT that leaves some of them. */
static void run_once(uint64_t *random)
{
    tw_kpid n_kps = (tw_kpid)(1 + random_below(random, 40));
    size_t n = random_below(random, N_EVENTS_MAX);
    enum spread spread = (enum spread)random_below(random, SPREADS);
    tw_event *events[N_EVENTS_MAX];
    struct kp *kps = calloc(n_kps, sizeof(*kps));
    struct commit_order order;
    CU_ASSERT_PTR_NOT_NULL_FATAL(kps);
    for (tw_kpid k = 0; k < n_kps; k++) {
        kp_init(&kps[k], k, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        events[i] = make_event(random, spread, i);
    }
    qsort(events, n, sizeof(*events), by_order);
    for (size_t i = 0; i < n; i++) {
        kp_push(&kps[random_below(random, n_kps)], events[i]);
    }
    CU_ASSERT_TRUE_FATAL(commit_order_init(&order, n_kps));
    if (random_below(random, 2) == 0) { /* not enough room for all at once */
        order.n_per_kp = 1 + random_below(random, 8);
    }
    size_t taken = 0;
    struct event_key gvt = {.ts = -1.0};
    for (unsigned round = 0; round < 3; round++) {
        gvt.ts = round == 2 && random_below(random, 4) == 0
                     ? INFINITY
                     : gvt.ts + (double)random_below(random, 20);
        gvt.prio = random_unit(random);
        while (commit_order_next(&order, kps, &gvt)) {
            CU_ASSERT_TRUE_FATAL(order.n > 0 && taken + order.n <= n);
            for (; order.at < order.n; taken++) {
                CU_ASSERT_PTR_EQUAL(commit_order_take(&order), events[taken]);
            }
        }
        CU_ASSERT_FALSE(commit_order_next(&order, kps, &gvt));
        struct event_key next = taken < n ? event_key(events[taken]) : gvt;
        CU_ASSERT_FALSE(event_key_before(&next, &gvt));
    }
    commit_order_fini(&order);
    for (tw_kpid k = 0; k < n_kps; k++) {
        kp_fini(&kps[k]);
    }
    free(kps);
    for (size_t i = 0; i < n; i++) {
        free(events[i]);
    }
}

static void test_random(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("commit_order", random);
    for (unsigned i = 0; i < 500; i++) {
        run_once(&random);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"as all events sorted", test_random}};
    return suite_run("commit_order", tests, sizeof(tests) / sizeof(tests[0]));
}
