/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of request: each rank votes for its signals, and copies that a launcher hands to other
 * ranks are not answered twice. The clock of the last answer is the test's own.
 */
#include <CUnit/Basic.h>

#include "base/clock.h"
#include "engine/request.h"
#include "support/suite.h"

/* The rank that was signalled votes until it is answered, and again for the next signal, however
 * soon that comes. */
static void test_each_signal(void)
{
    struct request r = {0};
    CU_ASSERT_EQUAL(request_vote(&r), 0);
    r.came++;
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    r.came++; /* after the vote: another one */
    request_done(&r);
    CU_ASSERT_EQUAL(request_vote(&r), 1);
    request_done(&r);
    CU_ASSERT_EQUAL(request_vote(&r), 0);
}

/* A signal that was answered already, because other ranks got it too, is a copy; a later one is
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
