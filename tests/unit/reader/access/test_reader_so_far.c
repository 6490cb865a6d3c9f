/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents that a file has so far, with what is written over it in memory, against a plain array.
 *
 * test: libs=warpscope_reading
 */
#include "access/so_far.h"
#include "support/stream_parts.h"

/* Random changes over the contents of a file that is not changed, compared with an array. */
static void test_so_far(void)
{
    enum { SIZE = 400000 };
    static uint8_t naive[SIZE], bytes[SIZE];
    uint64_t random = suite_seed();
    struct model m;
    struct ws_file file;
    struct fmt_error damage = {0};
    char path[160];
    size_t got = 0;
    make_simple(&m, "so_far", 1);
    path_make(path, &m, 0);
    ws_file_survey(&file, path, WS_USUAL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file.sb);
    const struct fmt_io *base = &file.sources[0].file.io;
    CU_ASSERT_EQUAL(base->read_at(base->ctx, naive, SIZE, 0, &got), 0);
    struct ws_so_far *s = ws_so_far_open(&file, 0, &damage);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_FALSE(ws_so_far_is_open(s));
    CU_ASSERT_EQUAL(damage.status, FMT_OK);
    const struct fmt_io *io = ws_so_far_io(s);
    uint64_t end = got;
    for (int i = 0; i < 500; i++) {
        uint64_t offset = random_below(&random, SIZE / 2);
        size_t size = 1 + (size_t)random_below(&random, i % 10 == 0 ? SIZE / 2 : 5000);
        if (random_below(&random, 2) == 0) {
            memset(naive + offset, i, size);
            CU_ASSERT_EQUAL(io->write_at(io->ctx, naive + offset, size, offset), 0);
            end = offset + size > end ? offset + size : end;
        }
        CU_ASSERT_EQUAL(io->read_at(io->ctx, bytes, size, offset, &got), 0);
        size_t most = offset >= end ? 0 : (size_t)(end - offset);
        CU_ASSERT_EQUAL(got, size < most ? size : most);
        CU_ASSERT(memcmp(bytes, naive + offset, got) == 0);
    }
    CU_ASSERT_EQUAL(io->get_size(io->ctx, &random), 0);
    CU_ASSERT_EQUAL(random, end);
    ws_so_far_close(s);
    ws_file_close(&file);
}

int main(void)
{
    const CU_TestInfo tests[] = {{"contents so far", test_so_far}};
    return root_suite_run("reader: contents so far", tests, sizeof tests / sizeof tests[0]);
}
