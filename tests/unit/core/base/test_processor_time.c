/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of base/processor_time.h: the figures of a clock never fall. */
#include "base/processor_time.h"

#include <stdio.h>
#include <unistd.h>

#include "support/suite.h"

/* A program may close the clock's file, and open another one, whose number then is the same. */
static void test_closed_file(void)
{
    struct processor_clock clock = {.schedstat = 0};
    FILE *other = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(other);
    CU_ASSERT_EQUAL(processor_clock_read(&clock, 0).processor_wall_ns, 0);
    processor_clock_start(&clock);
    clock.latest.processor_lost_ns = 1000000000;
    const struct processor_time before = processor_clock_read(&clock, UINT64_MAX);
    CU_ASSERT_EQUAL(before.processor_lost_ns, 1000000000);
    CU_ASSERT_FATAL(clock.schedstat <= 0 || dup2(fileno(other), clock.schedstat) >= 0);
    const struct processor_time after = processor_clock_read(&clock, 0);
    CU_ASSERT_EQUAL(after.processor_lost_ns, before.processor_lost_ns);
    CU_ASSERT(after.processor_wall_ns >= before.processor_wall_ns);
    fclose(other);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"closed file", test_closed_file}};
    return suite_run("base/processor_time", tests, sizeof(tests) / sizeof(tests[0]));
}
