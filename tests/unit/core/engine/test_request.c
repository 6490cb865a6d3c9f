/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of request: each rank votes for its signals, and copies that a launcher sends to other
 * ranks are not answered twice. The test controls the clock of the last answer.
 */
#include <CUnit/Basic.h>

#include "base/clock.h"
#include "engine/process/request.h"
#include "support/suite.h"

/* The rank that got the signal votes until the answer, and again for the next signal, however
 * soon. */
static void test_each_signal(void)
{
    struct request r = {0};
    CU_ASSERT_EQUAL(request_vote(&r), 0);
    r.came++;
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    r.came++; /* another signal, after the vote */
    request_done(&r);
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    request_done(&r);
    CU_ASSERT_EQUAL(request_vote(&r), 0);
}

/* A signal that was already answered because other ranks got it too is a copy; a later one is
 * not. */
static void test_copies(void)
{
    struct request r = {0};
    CU_ASSERT_EQUAL(request_vote(&r), 0);
    request_done(&r);
    r.done_ns = clock_monotonic_ns() + REQUEST_COPY_NS;
    r.came++;
    CU_ASSERT_EQUAL(request_vote(&r), 0);
    CU_ASSERT_EQUAL(request_vote(&r), 0);
    r.came++; /* only one copy each */
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    request_done(&r);

    struct request late = {0};
    request_done(&late);
    late.done_ns = clock_monotonic_ns() - REQUEST_COPY_NS - 1;
    late.came++;
    CU_ASSERT_EQUAL(request_vote(&late), 1);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"each signal", test_each_signal},
        {"copies", test_copies},
    };
    return suite_run("request", tests, sizeof tests / sizeof *tests);
}
