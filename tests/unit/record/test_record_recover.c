/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Killed runs: a child process records into a real file with a journal and is killed at some point,
 * even in the middle of a write. The recovered file has every record up to the last one put into
 * the buffers. The recovery is also killed, and continues as if it had not been.
 *
 * test: alone=yes
 */
#include "support/killed_run.h"

/* Runs in a child that is killed during the recovery. */
static void recover_until_killed(const struct killed_run *run)
{
    struct deadly_file file;
    struct fmt_recovery plan;
    deadly_open(&file, run->kill_write, run->how);
    recover(&file.io, &plan);
}

static void test_killed_anywhere(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("killed anywhere", random);
    struct killed_run run = {.model = calloc(1, sizeof(*run.model))};
    for (size_t i = 0; i < 300; i += suite_step(3)) {
        have_one_killed(&run, &random);
        struct killed_run again = {.how = (unsigned)random_below(&random, 3)};
        for (uint64_t n = random_below(&random, 3); n > 0; n--) {
            again.kill_write = 1 + random_below(&random, 6);
            atomic_store(&shared->writes, 0);
            in_child(recover_until_killed, &again);
        }
        struct deadly_file file;
        struct fmt_recovery plan;
        deadly_open(&file, 0, 0);
        CU_ASSERT_EQUAL(recover(&file.io, &plan), FMT_OK);
        CU_ASSERT_EQUAL(recover(&file.io, &plan), FMT_OK); /* finished, or the same again */
        fmt_file_close(&file.file, NULL);
        check_recovered(&run, true);
    }
    free(run.model);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"killed anywhere", test_killed_anywhere},
    };
    if (!killed_runs_begin()) {
        perror("killed runs");
        return EXIT_FAILURE;
    }
    int status = suite_run("record/recover", tests, sizeof(tests) / sizeof(tests[0]));
    killed_runs_end();
    return status;
}
