/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random rollbacks and rollbacks with a cause are counted separately: only the latter adapt
 * optimism.
 */
#include "support/hand_engine.h"
#include "support/suite.h"

#define LPS 4u

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ++*(uint64_t *)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    (void)lp;
    --*(uint64_t *)state;
}

static tw_lptype type = {.event = event, .revent = reverse, .state_sz = sizeof(uint64_t)};

/* Makes an event that no LP has received yet. */
static tw_event *make_event(struct pe *pe, tw_lpid lp, double ts)
{
    pe->initialising = true;
    tw_event *made = tw_event_new(lp, ts, g_tw_lp[lp]);
    made->send_pe = 1;
    made->handle = EVENT_HANDLE_NONE;
    hand_keep_unsent(pe);
    pe->initialising = false;
    return made;
}

static void test_undone(void)
{
    struct pe *pe = hand_begin(LPS, 8, &type, 1, OPTIMISTIC, 1e9);
    const uint64_t *undone = &pe->random_rollbacks.undone;
    const uint64_t *all = &pe->counters.events_rolled_back;
    for (tw_lpid lp = 0; lp < LPS; lp++) {
        engine_enqueue(pe, make_event(pe, lp, 1.0 + 0.125 * (double)lp));
    }
    tw_event *late = make_event(pe, 1, 5.0625);
    engine_random_rollbacks_init(pe, 0);
    for (int i = 0; i < 100; i++) {
        hand_step(pe);
        engine_random_rollback(pe);
    }
    CU_ASSERT_EQUAL(*all, 0); /* no random rollbacks requested */
    engine_random_rollbacks_init(pe, 1);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 30; k++) {
            hand_step(pe);
        }
        uint64_t before = *all;
        engine_random_rollback(pe);
        CU_ASSERT(*all > before);
        CU_ASSERT_EQUAL(*undone, *all);
    }
    uint64_t at_random = *undone;
    CU_ASSERT(at_random > 20);
    while (pe->last_executed_ts < 9.0) {
        hand_step(pe);
    }
    engine_enqueue(pe, late); /* a straggler */
    CU_ASSERT(*all > at_random);
    CU_ASSERT_EQUAL(*undone, at_random);
    uint64_t for_cause = *all - at_random;
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 30; k++) {
            hand_step(pe);
        }
        engine_random_rollback(pe);
    }
    CU_ASSERT(*undone > at_random);
    CU_ASSERT_EQUAL(*all - *undone, for_cause);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"counted apart", test_undone}};
    MPI_Init(&argc, &argv);
    int status = suite_run("rollbacks at random", tests, 1);
    MPI_Finalize();
    return status;
}
