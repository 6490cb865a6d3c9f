/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files as parts of streams: their numbers, their order, and the parts beside a file. */
/* test: libs=warpscope_reading */
#include <stdio.h>
#include <stdlib.h>
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

/* Makes a record file without records; begins: whether it says that it begins within the run. */
static void file_make(const char *path, uint32_t stream, const char *prefix, const char *host,
                      bool begins)
{
    struct fmt_text facts[] = {{"prefix", prefix}, {"host", host}, {"begins_gvt", "1"}};
    const struct fmt_schema *schema =
        fmt_schema_builtin(stream == FMT_STREAM_EVTRACE ? FMT_RECORD_EVENT : FMT_RECORD_GVT_PE);
    struct fmt_superblock sb = {.stream = stream,
                                .n_schemas = 1,
                                .n_run = begins ? 3 : 2,
                                .schemas = &schema,
                                .run = facts};
    struct fmt_file file;
    remove(path);
    fmt_layout_init(&sb.layout, stream, 1, 7, schema->row_size);
    CU_ASSERT_EQUAL_FATAL(fmt_file_create(&file, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_superblock_write(&file.io, &sb, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_file_close(&file, NULL), FMT_OK);
}

static void parts_are(const char *path, const char *expected)
{
    char found[256] = "";
    struct ws_files files;
    CU_ASSERT(ws_files_gather(&files, &path, 1, NULL));
    for (size_t i = 0; i < files.n; i++) {
        if (strcmp(files.paths[i], path) != 0) {
            strcat(strcat(found, files.paths[i]), ";");
        }
    }
    CU_ASSERT_STRING_EQUAL(found, expected);
    ws_files_free(&files);
}

/* Files beside each other: the facts decide which are parts. */
static void test_beside(void)
{
    static const char *const names[] = {
        "np-evtrace.bin",   "np-2-evtrace.bin", "np-3-evtrace.bin",
        "np-4-evtrace.bin", "np-5-evtrace.bin", "np-6-evtrace.bin",
        "np-2-gvt.bin",     "nq-2-evtrace.bin", "npq-2-evtrace.bin"};
    file_make(names[0], FMT_STREAM_EVTRACE, "np", "a", false);
    file_make(names[1], FMT_STREAM_EVTRACE, "np", "a", true);
    file_make(names[2], FMT_STREAM_EVTRACE, "np", "b", true);   /* of another run */
    file_make(names[3], FMT_STREAM_EVTRACE, "np-4", "a", true); /* the number is the run's own */
    file_make(names[4], FMT_STREAM_EVTRACE, "np", "a", false);  /* from the beginning of a run */
    FILE *damaged = fopen(names[5], "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(damaged);
    fclose(damaged);
    file_make(names[6], FMT_STREAM_GVT, "np", "a", true);
    file_make(names[7], FMT_STREAM_EVTRACE, "nq", "a", true);
    file_make(names[8], FMT_STREAM_EVTRACE, "npq", "a", true);
    parts_are("np-evtrace.bin", "np-2-evtrace.bin;");
    parts_are("./np-2-evtrace.bin", "./np-evtrace.bin;");
    parts_are("np-3-evtrace.bin", "");
    parts_are("np-4-evtrace.bin", "");
    parts_are("np-5-evtrace.bin", "");
    parts_are("np-6-evtrace.bin", "");
    parts_are("np-2-gvt.bin", "");
    parts_are("nq-2-evtrace.bin", "");
    parts_are("np.txt", "");
    struct ws_part_name name;
    CU_ASSERT(ws_part_name_find(&name, "np-2-evtrace.bin") && name.number == 2 && name.stem == 2);
    CU_ASSERT(ws_part_name_find(&name, "np-4-evtrace.bin") && name.number == 1 && name.stem == 4);
    CU_ASSERT(ws_part_name_find(&name, "np-6-evtrace.bin") && name.number == 1 && name.stem == 4);
    CU_ASSERT_FALSE(ws_part_name_find(&name, "np.txt"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        remove(names[i]);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"names", test_names}, {"beside", test_beside}};
    return suite_run("reader: names of streams", tests, sizeof tests / sizeof tests[0]);
}
