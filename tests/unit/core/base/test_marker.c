/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of base/marker.h: directories that two ranks may or may not share. */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/marker.h"
#include "support/suite.h"

static void test_marker(void)
{
    char dir[] = "marker-XXXXXX", error[400] = "";
    uint64_t id = marker_new_id();
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    CU_ASSERT_FALSE(marker_sees(dir, id));
    CU_ASSERT_EQUAL(marker_leave(dir, id, error, sizeof error), TW_OK);
    CU_ASSERT_STRING_EQUAL(error, "");
    CU_ASSERT_TRUE(marker_sees(dir, id));
    CU_ASSERT_FALSE(marker_sees(dir, id + 1));
    CU_ASSERT_FALSE(marker_sees(".", id));
    CU_ASSERT_EQUAL(marker_leave(dir, id, error, sizeof error), TW_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, ": cannot create: File exists"));
    marker_remove(dir, id + 1);
    CU_ASSERT_TRUE(marker_sees(dir, id));
    marker_remove(dir, id);
    CU_ASSERT_FALSE(marker_sees(dir, id));
    CU_ASSERT_EQUAL(rmdir(dir), 0);
}

static void test_no_directory(void)
{
    char error[400] = "";
    CU_ASSERT_FALSE(marker_sees("no/such/directory", 1));
    CU_ASSERT_EQUAL(marker_leave("no/such/directory", 1, error, sizeof error), TW_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "no/such/directory/.warpscope-0000000000000001: "));
    marker_remove("no/such/directory", 1);
}

static void test_ids(void)
{
    CU_ASSERT_NOT_EQUAL(marker_new_id(), marker_new_id());
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"a marker", test_marker}, {"no directory", test_no_directory}, {"numbers", test_ids}};
    return suite_run("marker", tests, sizeof tests / sizeof tests[0]);
}
