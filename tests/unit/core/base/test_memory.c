/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_memory.c - available memory, read from files in the format of Linux: of the machine, of
 * cgroups of both versions, of nested groups; and its text in messages.
 */
#include "base/memory.h"

#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"

#define KIB 1024ull
#define MIB (1024ull * KIB)
#define GIB (1024ull * MIB)

static char root[] = "memory_root_XXXXXX";

/* Writes root/path, and creates its directories. */
static void put(const char *path, const char *fmt, ...)
{
    char name[512];
    va_list args;
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(name, 0700);
        *slash = '/';
    }
    FILE *f = fopen(name, "w");
    CU_ASSERT_PTR_NOT_NULL(f);
    if (f != NULL) {
        va_start(args, fmt);
        vfprintf(f, fmt, args);
        va_end(args);
        fclose(f);
    }
}

static void start_afresh(void)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    if (system(command) != 0 || mkdir(root, 0700) != 0) {
        fprintf(stderr, "%s: cannot be made anew\n", root);
        exit(1);
    }
}

static void put_meminfo(unsigned long long available_kib, unsigned long long swap_kib)
{
    put("/proc/meminfo",
        "MemTotal:       16777216 kB\nMemFree:          123456 kB\nMemAvailable:   %8llu kB\n"
        "SwapTotal:       9999999 kB\nSwapFree:       %llu kB\n",
        available_kib, swap_kib);
}

static void check_left(uint64_t bytes, enum memory_bound bound)
{
    struct memory_left left = memory_left_on_node(root);
    CU_ASSERT_EQUAL(left.bytes, bytes);
    CU_ASSERT_EQUAL(left.bound, bound);
}

static void test_machine(void)
{
    start_afresh();
    CU_ASSERT_EQUAL(memory_left_on_node(root).bytes, MEMORY_UNKNOWN);
    CU_ASSERT_EQUAL(memory_in_total(root), MEMORY_UNKNOWN);
    put("/proc/meminfo", "MemFree: 5 kB\nnonsense\n");
    CU_ASSERT_EQUAL(memory_left_on_node(root).bytes, MEMORY_UNKNOWN);
    put_meminfo(8 * MIB, 0);
    check_left(8 * GIB, MEMORY_OF_MACHINE);
    CU_ASSERT_EQUAL(memory_in_total(root), 16 * GIB);
    put_meminfo(8 * MIB, 2 * MIB);
    check_left(10 * GIB, MEMORY_OF_MACHINE);
}

static void test_version_1(void)
{
    start_afresh();
    put_meminfo(8 * MIB, 0);
    put("/proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a/b\n0::/\n");
    check_left(8 * GIB, MEMORY_OF_MACHINE);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "%llu\n", 9 * GIB);
    check_left(8 * GIB, MEMORY_OF_MACHINE);
    put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "%llu\n", 4 * GIB);
    put("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "%llu\n", 3 * GIB);
    check_left(1 * GIB, MEMORY_OF_CGROUP);
    CU_ASSERT_EQUAL(memory_in_total(root), 4 * GIB);
    put("/sys/fs/cgroup/memory/a/memory.stat",
        "inactive_file 1\ntotal_inactive_file %llu\ntotal_active_file %llu\n", 512 * MIB, 1 * GIB);
    check_left(2 * GIB + 512 * MIB, MEMORY_OF_CGROUP);
    put("/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "%llu\n", 2 * GIB);
    put("/sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "%llu\n", 2 * GIB + 4096);
    check_left(0, MEMORY_OF_CGROUP); /* more in use than allowed: 0 bytes are left */
}

static void test_version_2(void)
{
    start_afresh();
    put_meminfo(8 * MIB, 4 * MIB);
    put("/proc/self/cgroup", "0::/user.slice/job\n");
    put("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/job/memory.current", "%llu\n", 1 * GIB);
    check_left(12 * GIB, MEMORY_OF_MACHINE);
    put("/sys/fs/cgroup/user.slice/memory.max", "%llu\n", 3 * GIB);
    put("/sys/fs/cgroup/user.slice/memory.current", "%llu\n", 1 * GIB);
    check_left(6 * GIB, MEMORY_OF_CGROUP); /* including all of the swap */
    put("/sys/fs/cgroup/user.slice/memory.swap.max", "0\n");
    put("/sys/fs/cgroup/user.slice/memory.swap.current", "0\n");
    check_left(2 * GIB, MEMORY_OF_CGROUP);
    CU_ASSERT_EQUAL(memory_in_total(root), 3 * GIB);
}

/* In a container the root of the file system is the cgroup. */
static void test_container(void)
{
    start_afresh();
    put_meminfo(8 * MIB, 0);
    put("/proc/self/cgroup", "0::/outside/of/it\n");
    put("/sys/fs/cgroup/memory.max", "%llu\n", 1 * GIB);
    put("/sys/fs/cgroup/memory.current", "%llu\n", 256 * MIB);
    check_left(768 * MIB, MEMORY_OF_CGROUP);
    put("/proc/self/cgroup", "0::/\n");
    check_left(768 * MIB, MEMORY_OF_CGROUP);
    put("/proc/self/cgroup", "no colons\n:\n");
    check_left(8 * GIB, MEMORY_OF_MACHINE);
}

/* The shadow memory of AddressSanitizer counts as data, too. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

static void test_limits(void)
{
    struct rlimit before, now;
    CU_ASSERT_EQUAL(getrlimit(RLIMIT_DATA, &before), 0);
    now = before;
    now.rlim_cur = 3 * GIB;
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_DATA, &now), 0);
    struct memory_left left = memory_left_of_process();
    CU_ASSERT_EQUAL(left.bound, MEMORY_OF_DATA);
    CU_ASSERT(left.bytes <= 3 * GIB);
    CU_ASSERT(left.bytes > 1 * GIB || IS_SANITIZED);
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_DATA, &before), 0);
}

static void test_too_much(void)
{
    struct memory_left left = {10 * GIB, MEMORY_OF_MACHINE};
    CU_ASSERT_FALSE(memory_is_too_much(0.0, left));
    CU_ASSERT_FALSE(memory_is_too_much(8.99 * (double)GIB, left));
    CU_ASSERT_TRUE(memory_is_too_much(9.01 * (double)GIB, left));
    CU_ASSERT_TRUE(memory_is_too_much(1e300, left));
    left.bytes = MEMORY_UNKNOWN;
    CU_ASSERT_FALSE(memory_is_too_much(1e300, left));
}

static void check_text(double bytes, const char *wanted)
{
    char text[32];
    memory_say_bytes(bytes, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, wanted);
}

static void test_text(void)
{
    check_text(0.0, "0 bytes");
    check_text(1023.0, "1023 bytes");
    check_text(1024.0, "1.0 KiB");
    check_text(1.5 * (double)GIB, "1.5 GiB");
    check_text(230.0 * (double)MIB, "230 MiB");
    check_text(1e40, "8673617379884035735552 EiB");
    static const enum memory_bound bounds[] = {MEMORY_OF_MACHINE, MEMORY_OF_CGROUP,
                                               MEMORY_OF_ADDRESSES, MEMORY_OF_DATA};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        char text[128];
        memory_say_left((struct memory_left){50 * GIB, bounds[i]}, text, sizeof text);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "45.0 GiB"));
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"the machine", test_machine},
        {"cgroups of version 1", test_version_1},
        {"cgroups of version 2", test_version_2},
        {"a container", test_container},
        {"limits of the process", test_limits},
        {"too much", test_too_much},
        {"what is said", test_text},
    };
    if (mkdtemp(root) == NULL) {
        return 1;
    }
    int status = suite_run("memory", tests, sizeof tests / sizeof *tests);
    start_afresh();
    (void)rmdir(root);
    return status;
}
