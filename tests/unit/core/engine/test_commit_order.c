/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of commits over KPs, against a sorted list of all their events.
 */
#include <float.h>
#include <math.h>

#include "engine/pe/commit_order.h"
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
    default: /* equal intervals cannot separate these; 0 and the largest number occur */
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
    event->send_lp = src;
    event->state.lineage_len = 1;
    event->state.owner = EVENT_PROCESSED;
    return event;
}

static int by_order(const void *a, const void *b)
{
    return event_compare(*(tw_event *const *)a, *(tw_event *const *)b);
}

/* KPs that execute and undo events, each in its own order. */
struct world {
    uint64_t *random;
    tw_kpid n_kps;
    struct kp *kps;
    tw_lp *lps; /* events of each KP */
    size_t n;
    tw_event *events[N_EVENTS_MAX]; /* all events, in order */
    bool executed[N_EVENTS_MAX];
    size_t committed; /* number of committed events */
    bool listed;
    struct commit_order order;
};

static void world_init(struct world *w, uint64_t *random)
{
    *w = (struct world){.random = random,
                        .n_kps = (tw_kpid)(1 + random_below(random, 40)),
                        .n = random_below(random, N_EVENTS_MAX)};
    enum spread spread = (enum spread)random_below(random, SPREADS);
    w->kps = calloc(w->n_kps, sizeof(*w->kps));
    w->lps = calloc(w->n_kps, sizeof(*w->lps));
    CU_ASSERT_FATAL(w->kps != NULL && w->lps != NULL);
    for (tw_kpid k = 0; k < w->n_kps; k++) {
        kp_init(&w->kps[k], k, NULL);
        w->lps[k].kp = &w->kps[k].head;
    }
    for (size_t i = 0; i < w->n; i++) {
        w->events[i] = make_event(random, spread, i);
        w->events[i]->dest_lp = &w->lps[random_below(random, w->n_kps)];
    }
    qsort(w->events, w->n, sizeof(*w->events), by_order);
}

static void world_fini(struct world *w)
{
    commit_order_fini(&w->order);
    for (tw_kpid k = 0; k < w->n_kps; k++) {
        kp_fini(&w->kps[k]);
    }
    free(w->kps);
    free(w->lps);
    for (size_t i = 0; i < w->n; i++) {
        free(w->events[i]);
    }
}

/* Executes some of the remaining events, from the first on, leaving KPs out at random. */
static void execute(struct world *w)
{
    bool left_out[40] = {false};
    size_t most = random_below(w->random, N_EVENTS_MAX / 4);
    for (size_t i = w->committed; i < w->n && most > 0; i++) {
        tw_event *event = w->events[i];
        struct kp *kp = kp_of(event->dest_lp->kp);
        left_out[kp->head.id] |= random_below(w->random, 40) == 0;
        if (w->executed[i] || left_out[kp->head.id]) {
            continue;
        }
        if (w->listed) {
            commit_order_push(&w->order, kp, event);
        } else {
            kp_push(kp, event);
        }
        w->executed[i] = true;
        most--;
    }
}

static void undo(struct world *w)
{
    struct kp *kp = &w->kps[random_below(w->random, w->n_kps)];
    size_t most = random_below(w->random, 20);
    for (size_t i = w->n; i > w->committed && most > 0; i--) {
        if (w->executed[i - 1] && kp_of(w->events[i - 1]->dest_lp->kp) == kp) {
            CU_ASSERT_PTR_EQUAL(commit_order_pop(&w->order, kp), w->events[i - 1]);
            w->executed[i - 1] = false;
            most--;
        }
    }
}

static struct event_key random_gvt(struct world *w)
{
    size_t first = w->committed;
    while (first < w->n && w->executed[first]) {
        first++;
    }
    if (first == w->n) {
        return event_key_at(INFINITY);
    }
    if (random_below(w->random, 3) == 0) { /* GVT is behind the executed events */
        first = w->committed + random_below(w->random, first - w->committed + 1);
    }
    return event_key(w->events[first]);
}

static void commit(struct world *w)
{
    struct event_key gvt = random_gvt(w);
    size_t n = commit_order_collect(&w->order, &gvt);
    CU_ASSERT_EQUAL(w->order.n, n);
    for (size_t i = 0; i < n; i++, w->committed++) {
        const struct commit_entry *ready = &w->order.first[i];
        CU_ASSERT_FATAL(w->committed < w->n && w->executed[w->committed]);
        tw_event *event = w->events[w->committed];
        CU_ASSERT_PTR_EQUAL(kp_oldest(kp_of(event->dest_lp->kp)), event);
        const size_t left = n - i - 1, ahead = COMMIT_AHEAD_OF_RECORDS;
        const tw_lp *lp = w->events[w->committed + (ahead < left ? ahead : left)]->dest_lp;
        if (ahead <= left || w->order.first == w->order.ready) {
            CU_ASSERT_PTR_EQUAL(commit_order_lp_ahead(ready), lp);
        }
        CU_ASSERT_PTR_EQUAL(commit_order_take(ready), event);
    }
    commit_order_close_up(&w->order);
    struct event_key next = w->committed < w->n ? event_key(w->events[w->committed]) : gvt;
    CU_ASSERT_FALSE(event_key_before(&next, &gvt));
}

static void change_listing(struct world *w)
{
    if (w->listed) {
        commit_order_end(&w->order, w->kps, w->n_kps);
    } else {
        commit_order_begin(&w->order, w->kps, w->n_kps);
    }
    w->listed = !w->listed;
}

static void run_once(uint64_t *random)
{
    struct world w;
    world_init(&w, random);
    for (unsigned step = 0; step < 60; step++) {
        switch (random_below(random, 8)) {
        case 0:
        case 1:
        case 2:
            undo(&w);
            break;
        case 3:
            change_listing(&w);
            break;
        case 4:
            if (w.listed) {
                commit(&w);
            }
            break;
        default:
            execute(&w);
        }
        if (w.listed) {
            commit_order_check(&w.order, w.kps, w.n_kps);
        }
        for (tw_kpid k = 0; k < w.n_kps; k++) {
            kp_check(&w.kps[k]);
        }
    }
    world_fini(&w);
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
