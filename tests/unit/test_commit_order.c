/*
 * The order of commits over KPs, against all their events sorted.
 */
#include "engine/commit_order.h"
#include "support/suite.h"

#define N_EVENTS_MAX 400u

static tw_event *make_event(uint64_t *random, tw_lpid src)
{
    tw_event *event = calloc(1, sizeof(*event) + 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(event);
    event->recv_ts = (double)random_below(random, 40); /* many ties */
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
    tw_event *events[N_EVENTS_MAX];
    struct kp *kps = calloc(n_kps, sizeof(*kps));
    struct commit_order order;
    CU_ASSERT_PTR_NOT_NULL_FATAL(kps);
    for (tw_kpid k = 0; k < n_kps; k++) {
        kp_init(&kps[k], k, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        events[i] = make_event(random, i);
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
        gvt.ts += (double)random_below(random, 20);
        gvt.prio = random_unit(random);
        commit_order_begin(&order, kps);
        for (tw_event *event = commit_order_take(&order, &gvt); event != NULL;
             event = commit_order_take(&order, &gvt)) {
            CU_ASSERT_TRUE_FATAL(taken < n);
            CU_ASSERT_PTR_EQUAL(event, events[taken]);
            taken++;
        }
        CU_ASSERT_PTR_NULL(commit_order_take(&order, &gvt));
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
