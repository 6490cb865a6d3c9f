/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files as parts of streams: their numbers and their order. */
/* test: libs=warpscope_reading */
#include <string.h>

#include "access/stream_files.h"
#include "support/suite.h"

static void name_is(const char *path, size_t prefix, size_t stem, uint32_t number)
{
    struct ws_part_name name;
    CU_ASSERT_EQUAL(ws_part_name_read(&name, path), prefix > 0);
    CU_ASSERT_EQUAL(name.prefix, prefix);
    CU_ASSERT_EQUAL(name.stem, stem);
    CU_ASSERT_EQUAL(name.number, number);
}

static void test_names(void)
{
    name_is("x-gvt.bin", 1, 1, 1);
    name_is("a/x-gvt.bin", 3, 3, 1);
    name_is("x-2-gvt.bin", 3, 1, 2);
    name_is("x-y-37-rt.bin", 6, 3, 37);
    name_is("x-4294967295-rt.bin", 12, 1, UINT32_MAX);
    name_is("x-4294967296-rt.bin", 12, 12, 1);
    name_is("x-99999999999999999999999-rt.bin", 25, 25, 1);
    name_is("x-1-gvt.bin", 3, 3, 1);
    name_is("x-02-gvt.bin", 4, 4, 1);
    name_is("x2-gvt.bin", 2, 2, 1);
    name_is("2-gvt.bin", 1, 1, 1);
    name_is("-2-gvt.bin", 2, 2, 1);
    name_is("a/-2-gvt.bin", 4, 4, 1);
    name_is("x-2-3-gvt.bin", 5, 3, 3);
    name_is("-gvt.bin", 0, 0, 1);
    name_is("gvt.bin", 0, 0, 1);
    name_is("x-2.bin", 0, 0, 1);
    name_is("", 0, 0, 1);
    CU_ASSERT(ws_part_compare("x-2-gvt.bin", "x-10-gvt.bin") < 0);
    CU_ASSERT(ws_part_compare("x-gvt.bin", "x-2-gvt.bin") < 0);
    CU_ASSERT(ws_part_compare("x-2-gvt.bin", "x-rt.bin") < 0);
    CU_ASSERT(ws_part_compare("x-2-gvt.bin", "x-evtrace.bin") > 0);
    CU_ASSERT_EQUAL(ws_part_compare("x-2-gvt.bin", "x-2-gvt.bin"), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"names", test_names}};
    return suite_run("reader: names of streams", tests, sizeof tests / sizeof tests[0]);
}
