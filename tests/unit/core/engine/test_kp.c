/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_kp.c - the ring of processed events against a plain array with two ends.
 */
#include <string.h>

#include "engine/pe/kp.h"
#include "support/aborts.h"
#include "support/suite.h"

static uint64_t seed;

struct model {
    tw_event *events; /* all events ever pushed; [first, last) are still in the ring */
    size_t first;
    size_t last;
};

static bool agrees(const struct kp *kp, const struct model *m)
{
    if (kp_is_empty(kp) != (m->first == m->last) || kp->young - kp->old != m->last - m->first) {
        return false;
    }
    for (size_t i = m->first; i < m->last; i++) {
        const uint64_t place = (kp->old + (i - m->first)) & kp->mask;
        if (kp->ring[place] != &m->events[i] ||
            (kp->stamps != NULL && (uint64_t)kp->stamps[place] != i)) {
            return false;
        }
    }
    return m->first == m->last ||
           (kp_oldest(kp) == &m->events[m->first] && kp_youngest(kp) == &m->events[m->last - 1]);
}

/* Execution pushes, rollback takes the youngest and fossil collection the oldest. */
static void random_step(struct kp *kp, struct model *m, uint64_t *random, size_t capacity,
                        unsigned mood)
{
    size_t n = 1 + random_below(random, 40);
    switch (random_below(random, 4) < 2 ? mood : random_below(random, 3)) {
    case 0:
        for (; n > 0 && m->last < capacity; n--, m->last++) {
            m->events[m->last] =
                (tw_event){.recv_ts = (double)m->last, .state.owner = EVENT_PROCESSED};
            kp_push(kp, &m->events[m->last]);
            kp->stamps[(kp->young - 1) & kp->mask] = (double)m->last;
        }
        break;
    case 1:
        for (; n > 0 && m->last > m->first; n--, m->last--) {
            kp->young--;
        }
        break;
    default:
        for (; n > 0 && m->first < m->last; n--, m->first++) {
            kp->old++;
        }
    }
}

static void test_random_use(void)
{
    enum { CAPACITY = 20000 };
    uint64_t random = seed;
    for (int round = 0; round < 20; round++) {
        struct kp kp;
        struct model m = {.events = calloc(CAPACITY, sizeof(tw_event))};
        unsigned bad = 0;
        kp_init(&kp, 0, NULL);
        kp_keep_stamps(&kp, 0.0);
        for (unsigned step = 0; step < 3000; step++) {
            random_step(&kp, &m, &random, CAPACITY, step / 200 % 3);
            bad += !agrees(&kp, &m);
        }
        kp_check(&kp);
        CU_ASSERT_EQUAL(bad, 0);
        kp_fini(&kp);
        free(m.events);
    }
}

/* The ring grows while its contents wrap around its end, at every place. */
static void test_growth(void)
{
    tw_event *events = calloc(1000, sizeof *events);
    unsigned bad = 0;
    for (size_t shift = 0; shift < 130; shift++) {
        struct kp kp;
        kp_init(&kp, 0, NULL);
        for (size_t i = 0; i < shift; i++) {
            kp_push(&kp, &events[0]);
            kp.old++;
        }
        for (size_t i = 0; i < 1000; i++) {
            events[i] = (tw_event){.recv_ts = (double)i, .state.owner = EVENT_PROCESSED};
            kp_push(&kp, &events[i]);
        }
        struct model m = {.events = events, .last = 1000};
        bad += !agrees(&kp, &m);
        bad += kp.mask + 1 < 1000 || kp.mask + 1 > 2048 || (kp.mask & (kp.mask + 1)) != 0;
        kp_check(&kp);
        kp_fini(&kp);
    }
    free(events);
    CU_ASSERT_EQUAL(bad, 0);
}

static void check(void *ctx)
{
    kp_check(ctx);
}

static void test_check(void)
{
    struct kp kp;
    tw_event *events = calloc(4, sizeof *events);
    kp_init(&kp, 3, NULL);
    for (int i = 0; i < 4; i++) {
        events[i] = (tw_event){
            .recv_ts = 1.0, .tie = 0.1 * i, .state.lineage_len = 1, .state.owner = EVENT_PROCESSED};
        kp_push(&kp, &events[i]);
    }
    CU_ASSERT(!aborts(check, &kp));
    events[2].tie = 0.05;
    CU_ASSERT(aborts(check, &kp));
    events[2].tie = events[1].tie;
    CU_ASSERT(aborts(check, &kp));
    events[2].tie = 0.2;
    CU_ASSERT(!aborts(check, &kp));
    events[3].state.owner = EVENT_PENDING;
    CU_ASSERT(aborts(check, &kp));
    kp.young--;
    CU_ASSERT(!aborts(check, &kp));
    kp_fini(&kp);
    free(events);
}

static void test_init(void)
{
    struct kp kp;
    tw_pe pe = {0};
    memset(&kp, 0xff, sizeof kp);
    kp_init(&kp, 7, &pe);
    CU_ASSERT_EQUAL(kp.head.id, 7);
    CU_ASSERT_EQUAL(kp.head.last_time, 0.0);
    CU_ASSERT_PTR_EQUAL(kp.head.pe, &pe);
    CU_ASSERT_PTR_EQUAL(kp_of(&kp.head), &kp);
    CU_ASSERT(kp_is_empty(&kp));
    kp_fini(&kp);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"a new KP", test_init},
        {"random use against an array", test_random_use},
        {"growth at every place of the ring", test_growth},
        {"the check finds disorder", test_check},
    };
    seed = suite_seed();
    suite_print_seed("kp", seed);
    return suite_run("kp", tests, sizeof tests / sizeof *tests);
}
