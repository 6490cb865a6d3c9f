/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The due times of samples by wall clock, and the turns at which the clock is read.
 */
#include "record/sample/rt_clock.h"
#include "support/suite.h"

static void test_clock(void)
{
    struct rt_clock clock = {.interval_seconds = 0.010, .ticks_per_second = 1e6};
    CU_ASSERT_TRUE(rt_clock_is_due(&clock, 0));
    rt_clock_set_next(&clock, 5000, 0.0);
    CU_ASSERT_FALSE(rt_clock_is_due(&clock, 14999));
    CU_ASSERT_TRUE(rt_clock_is_due(&clock, 15001));
    /* Three intervals late: the next sample is due at the following multiple, 40 ms. */
    rt_clock_set_next(&clock, 5000 + 33000, 0.033);
    CU_ASSERT_FALSE(rt_clock_is_due(&clock, 5000 + 39998));
    CU_ASSERT_TRUE(rt_clock_is_due(&clock, 5000 + 40002));
    /* Exactly on time: the next sample is one interval later. */
    rt_clock_set_next(&clock, 5000 + 40000, 0.040);
    CU_ASSERT_FALSE(rt_clock_is_due(&clock, 5000 + 49998));
    CU_ASSERT_TRUE(rt_clock_is_due(&clock, 5000 + 50002));
}

/* An interval has at most one sample, and has one if the clock was read in it. */
static void test_clock_random(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("clock", random);
    for (int run = 0; run < 200; run++) {
        struct rt_clock clock = {.interval_seconds =
                                     0.001 * (double)(1 + random_below(&random, 50)),
                                 .ticks_per_second = 1e6 + 3e9 * random_unit(&random)};
        uint64_t start = random_bits(&random) >> 8;
        double seconds = 0.0;
        double last_interval = 0.0;
        rt_clock_set_next(&clock, start, 0.0);
        for (int look = 0; look < 500; look++) {
            seconds += clock.interval_seconds * random_unit(&random) *
                       (random_below(&random, 10) == 0 ? 7.0 : 0.5);
            uint64_t now = start + (uint64_t)(seconds * clock.ticks_per_second);
            double at = (double)(now - start) / clock.ticks_per_second;
            double interval = floor(at / clock.interval_seconds);
            double into = at - interval * clock.interval_seconds;
            double tick = 4.0 / clock.ticks_per_second + 1e-12;
            if (into < tick || into > clock.interval_seconds - tick) {
                continue; /* rounding decides */
            }
            bool due = rt_clock_is_due(&clock, now);
            CU_ASSERT_EQUAL(due, interval > last_interval);
            if (due) {
                rt_clock_set_next(&clock, now, at);
                last_interval = interval;
            }
        }
    }
}

/* Returns the number of turns of this length between two readings of the clock. */
static unsigned turns_per_look(struct rt_clock *clock, uint64_t *now, uint64_t turn_ticks)
{
    unsigned turns = 0;
    do {
        *now += turn_ticks;
        turns++;
    } while (!rt_clock_looks(clock));
    rt_clock_is_due(clock, *now);
    return turns;
}

/* Short turns are skipped, long ones are not. */
static void test_clock_looks(void)
{
    struct rt_clock clock = {.interval_seconds = 0.010, .ticks_per_second = 1e9};
    uint64_t now = 1u << 30;
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 1000), 1); /* no turn measured yet */
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 1000), 1);
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 1000), RT_CLOCK_STRIDE);
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 19000), RT_CLOCK_STRIDE);
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 20000),
                    RT_CLOCK_STRIDE); /* adapts to longer turns at once */
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 20000), 1);
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 5000000), 1);
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 19000), 1);
    CU_ASSERT_EQUAL(turns_per_look(&clock, &now, 19000), RT_CLOCK_STRIDE);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"due", test_clock},
        {"due, random", test_clock_random},
        {"looks", test_clock_looks},
    };
    return suite_run("record/rt_clock", tests, sizeof(tests) / sizeof(tests[0]));
}
