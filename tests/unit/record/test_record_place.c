/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of record/run_place and run_facts: the ranks of each host, the words of a launcher's
 * command line before the program, the job of a batch system, input files.
 *
 * test: timeout=60
 */
#include <CUnit/Basic.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/words.h"
#include "format/identity.h"
#include "record/facts/run_facts.h"
#include "support/suite.h"

static void check_hosts(const char *const *names, int n, size_t size, const char *expected)
{
    struct run_hosts hosts = {calloc((size_t)n, sizeof *hosts.list), (size_t)n, (size_t)n};
    char text[256];
    CU_ASSERT_PTR_NOT_NULL_FATAL(hosts.list);
    for (int i = 0; i < n; i++) {
        snprintf(hosts.list[i].name, sizeof hosts.list[i].name, "%s", names[i]);
        hosts.list[i].rank = i;
        hosts.list[i].ranks = 1;
    }
    run_hosts_text(&hosts, text, size);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(hosts.list);
}

/* Elements of several ranks, as run_hosts_gather() makes them. */
static void test_host_ranges(void)
{
    struct run_host list[] = {{"n2", 0, 4}, {"n1", 4, 2}, {"n2", 6, 1}, {"n1", 7, 1}, {"n1", 8, 3}};
    struct run_hosts hosts = {list, 5, 5};
    char text[256];
    run_hosts_text(&hosts, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "n1 4-5 7-10, n2 0-3 6");
}

static void test_hosts(void)
{
    const char *const blocks[] = {"n1", "n1", "n2", "n2"};
    const char *const turns[] = {"n2", "n1", "n2", "n1", "n1"};
    const char *const many[] = {"first", "second", "third", "fourth", "fifth"};
    check_hosts(blocks, 4, 256, "n1 0-1, n2 2-3");
    check_hosts(blocks, 1, 256, "n1 0");
    check_hosts(turns, 5, 256, "n1 1 3-4, n2 0 2");
    check_hosts(many, 5, 50, "fifth 4, first 0, and 3 more hosts");
    check_hosts(many, 5, 33, "5 more hosts");
}

/* Words end with a NULL. */
static void check_launcher(const char *program, const char *expected, const char *const *words)
{
    int n = 0;
    while (words[n] != NULL) {
        n++;
    }
    char *launcher = run_launcher_before((char *const *)words, n, program);
    if (expected == NULL) {
        CU_ASSERT_PTR_NULL(launcher);
    } else {
        CU_ASSERT_PTR_NOT_NULL_FATAL(launcher);
        CU_ASSERT_STRING_EQUAL(launcher, expected);
    }
    free(launcher);
}

static void test_launchers(void)
{
    check_launcher("./m", "mpirun -n 4",
                   (const char *[]){"mpirun", "-n", "4", "./m", "--end=5", NULL});
    check_launcher("./m", "/opt/mpi/bin/mpiexec -x 'A=b c' -n 2 nice",
                   (const char *[]){"/bin/sh", "/opt/mpi/bin/mpiexec", "-x", "A=b c", "-n", "2",
                                    "nice", "./m", "./m", NULL});
    check_launcher("./m", "srun", (const char *[]){"srun", "./m", NULL});
    check_launcher("./m", NULL, (const char *[]){"bash", "-c", "./m", NULL});
    check_launcher("./m", NULL, (const char *[]){"mpirun", "-n", "4", "./other", NULL});
    check_launcher("./m", NULL,
                   (const char *[]){"mpirun", "-n", "1", "./m", ":", "-n", "1", "./m", NULL});
    check_launcher("./m", NULL, (const char *[]){NULL});
}

static void test_jobs(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
                                        "COBALT_JOBID"};
    char text[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsetenv(names[i]);
    }
    run_job_text(text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    static const char *const systems[] = {"SLURM", "PBS", "LSF", "Flux", "Cobalt"};
    for (size_t i = sizeof names / sizeof names[0]; i-- > 0;) { /* the first one counts */
        char expected[64];
        snprintf(expected, sizeof expected, "%s %zu.server", systems[i], i);
        setenv(names[i], expected + strlen(systems[i]) + 1, 1);
        run_job_text(text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, expected);
        run_job_text(text, 4);
        CU_ASSERT_EQUAL(strncmp(text, expected, 3) + (int)strlen(text), 3);
    }
    setenv(names[0], "", 1); /* counts as none */
    run_job_text(text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "PBS 1.server");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsetenv(names[i]);
    }
}

/* The version of the library in use, with single blanks, and cut at the size given. */
static void test_mpi(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "", text[sizeof version], cut[8];
    int length = 0;
    size_t in = 0, out = 0, end;
    MPI_Get_library_version(version, &length);
    end = strcspn(version, ",\r\n");
    run_mpi_text(text, sizeof text);
    CU_ASSERT(text[0] != '\0' && text[0] != ' ');
    for (; in < end; in++) {
        bool blank = version[in] == ' ' || version[in] == '\t';
        bool again = blank && (out == 0 || text[out - 1] == ' ');
        if (!again) {
            CU_ASSERT_EQUAL(text[out], blank ? ' ' : version[in]);
            out++;
        }
    }
    CU_ASSERT_EQUAL(text[out], '\0');
    run_mpi_text(cut, sizeof cut);
    CU_ASSERT_EQUAL(strlen(cut), 7);
    CU_ASSERT_EQUAL(strncmp(cut, text, 7), 0);
}

static void test_files(void)
{
    char text[512], id[FMT_BUILD_ID_MAX];
    uint64_t hash, size;
    FILE *file = fopen("place input.txt", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("abc", file);
    fclose(file);
    CU_ASSERT(run_input_text("place input.txt", text, sizeof text));
    /* XXH3_64bits("abc"), as xxhsum -H3 prints it */
    CU_ASSERT_STRING_EQUAL(text, "xxh3:78af5f94892f3950 3 place input.txt");
    CU_ASSERT_EQUAL(fmt_build_id("place input.txt", id), 0);
    CU_ASSERT_STRING_EQUAL(id, "xxh3:78af5f94892f3950");
    remove("place input.txt");
    CU_ASSERT_FALSE(run_input_text("place input.txt", text, sizeof text));
    CU_ASSERT_FALSE(run_input_text(".", text, sizeof text));
    CU_ASSERT_FALSE(run_input_text("", text, sizeof text));
    CU_ASSERT_NOT_EQUAL(fmt_file_hash("/dev/zero", &hash, &size), 0);
}

/* Headers with wrong sizes and offsets: no build id, and no access outside of memory. */
static void test_hostile_programs(void)
{
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    uint32_t random = 1;
    for (int round = 0; round < 200; round++) {
        uint8_t bytes[64 + 2 * 56 + 40] = {0};
        char id[FMT_BUILD_ID_MAX];
        for (size_t i = 0; i < sizeof bytes; i++) {
            random = random * 1664525u + 1013904223u;
            bytes[i] = random >> 28 == 0 ? 0xff : 0;
        }
        memcpy(bytes, magic, sizeof magic);
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[55] = 0;
        bytes[56] = 2;
        bytes[64] = 4;
        FILE *file = fopen("place program", "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fwrite(bytes, 1, sizeof bytes, file);
        fclose(file);
        CU_ASSERT_EQUAL(fmt_build_id("place program", id), 0);
        CU_ASSERT_EQUAL(strncmp(id, "xxh3:", 5), 0);
    }
    remove("place program");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"hosts", test_hosts},
                                        {"ranges of ranks", test_host_ranges},
                                        {"launchers", test_launchers},
                                        {"jobs", test_jobs},
                                        {"MPI", test_mpi},
                                        {"files", test_files},
                                        {"hostile programs", test_hostile_programs}};
    return suite_run("record place", tests, sizeof tests / sizeof tests[0]);
}
