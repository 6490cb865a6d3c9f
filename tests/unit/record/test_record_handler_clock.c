/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of handlers marks those during which another thread had the processor.
 *
 * test: alone=yes
 */
#define _GNU_SOURCE 1 /* affinities */
#include <pthread.h>
#include <sched.h>

#include "base/processor_time.h"
#include "support/fake_engine.h"
#include "support/root_dir.h"

static void *spin_until(void *stop)
{
    while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
    }
    return NULL;
}

/* A handler during which another thread had the processor is marked; the next one is not, since the number
 * of switches was just read. */
static void test_interrupted(void)
{
    struct handler_clock clock;
    cpu_set_t before, one;
    pthread_t other;
    bool stop = false;
    CU_ASSERT_EQUAL_FATAL(pthread_getaffinity_np(pthread_self(), sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++) {
        if (CPU_ISSET(i, &before)) {
            CPU_SET(i, &one);
        }
    }
    CU_ASSERT_EQUAL_FATAL(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    fake_begin(1);
    handler_clock_init(&clock, 1);
    handler_clock_attach(&clock, &fake.probes, true);
    clock.ns_per_tick = 1e9 / clock_rate_since(clock_pair_read());
    clock.millisecond = (uint64_t)(1e6 / clock.ns_per_tick);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&other, NULL, spin_until, &stop), 0);
    const uint64_t switches = processor_switches();
    clock.runs = true;
    clock.begin = clock_ticks();
    while (processor_switches() == switches) {
    }
    const int64_t ns = handler_clock_stop(&clock);
    CU_ASSERT(ns < -HANDLER_LONG_NS);
    const uint64_t looked = clock.looked;
    clock.runs = true;
    clock.begin = clock_ticks() - clock.millisecond / 20;
    CU_ASSERT(handler_clock_stop(&clock) >= HANDLER_LONG_NS || clock.looked != looked);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(other, NULL);
    handler_clock_attach(&clock, &fake.probes, false);
    pthread_setaffinity_np(pthread_self(), sizeof before, &before);
    fake_end();
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"interrupted", test_interrupted}};
    return root_mpi_run("record/handler_clock", tests, sizeof(tests) / sizeof(tests[0]));
}
