/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ends of tracing: existing files, full disks, limits, streams and programs that end, options, no GPU. Each
 * costs one message, and never the program's results.
 *
 * test: libs=warpscope_cuda_trace timeout=60
 */
#include "traced_kernels.h"

static void once(void)
{
    struct fake_stream *s = fake_stream_create();
    if (launch(s, "k", (struct kernel){.number = 1, .warps = 1})) {
        fake_stream_wait(s);
    }
    launch(fake_stream_create(), "k", (struct kernel){.number = 1, .warps = 1});
}

static void files_are_kept(void)
{
    const char *directory = fresh();
    char path[200], command[500];
    struct stat before, after;
    snprintf(path, sizeof path, "%s/MemTrace-pipe-1", directory);
    CU_ASSERT_EQUAL(run(once, directory), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    CU_ASSERT_EQUAL(stat(path, &before), 0);
    CU_ASSERT_EQUAL(run(once, directory), 0);
    CU_ASSERT_EQUAL(messages(), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the file exists"));
    CU_ASSERT(stat(path, &after) == 0 && after.st_mtime == before.st_mtime &&
              after.st_ino == before.st_ino);
    snprintf(command, sizeof command, "rm %s; : >%s.part-12", path, path);
    CU_ASSERT_EQUAL(system(command), 0);
    CU_ASSERT_EQUAL(run(once, directory), 0);
    CU_ASSERT_EQUAL(messages(), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "another process writes"));
    snprintf(path, sizeof path, "%s/messages/below", folder);
    CU_ASSERT_EQUAL(run(once, path), 0);
    CU_ASSERT_EQUAL(messages(), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "cannot create the directory"));
}

static void write_much(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 2 << 20, .rlim_max = 2 << 20});
    struct fake_stream *s = fake_stream_create();
    for (int i = 0; i < 20; i++) {
        launch(s, "k", (struct kernel){.number = 1, .warps = 1000});
        fake_stream_wait(s);
    }
}

static void full_disks(void)
{
    CU_ASSERT_EQUAL(run(write_much, fresh()), 0);
    CU_ASSERT_EQUAL(messages(), 2); /* at once, and at the end where the beginning is */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "cannot write"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "MemTrace-pipe-1.part-"));
}

static void limited(void)
{
    setenv("WARPSCOPE_MEMTRACE_LIMIT", "100", 1);
    struct fake_stream *s = fake_stream_create();
    for (int i = 0; i < 5; i++) {
        launch(s, "k", (struct kernel){.number = 1, .warps = 2});
        fake_stream_wait(s);
    }
}

static void limits(void)
{
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(limited, directory), 0);
    trace_read(directory, "MemTrace-pipe-1");
    uint64_t sum = 0;
    for (unsigned i = 0; i < trace.launches; i++) {
        sum += trace.records[i];
    }
    CU_ASSERT_EQUAL(sum, 100);
    CU_ASSERT_PTR_NOT_NULL(strstr(trace.name[trace.launches - 1], "after the limit of 100"));
}

static void destroyed(void)
{
    struct fake_stream *s = fake_stream_create();
    struct ws_stream_key key = fake_key(s);
    for (int i = 0; i < 3; i++) {
        launch(s, "k", (struct kernel){.number = 1, .warps = 2});
        ws_tracer->stream_end(&key);
    }
    fake_stream_wait(s);
    ws_tracer->place_end(&fake_calls, 0);
    launch(s, "after", (struct kernel){.number = 1, .warps = 2});
    s->is_capturing = true;
    launch(s, "captured", (struct kernel){.number = 1, .warps = 2});
    launch(s, "captured", (struct kernel){.number = 1, .warps = 2});
    s->is_capturing = false;
    if (fork() == 0) {
        launch(s, "child", (struct kernel){.number = 1, .warps = 2});
        exit(0);
    }
}

static void streams_end(void)
{
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(destroyed, directory), 0);
    for (unsigned i = 1; i <= 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "MemTrace-pipe-%u", i);
        trace_read(directory, name);
        CU_ASSERT_EQUAL(trace.launches, 1);
        CU_ASSERT_EQUAL(trace.records[0], 64);
    }
    CU_ASSERT_EQUAL(messages(), 0); /* hooks trace launches of graphs */
}

/* Waits until the file has more than its header, and is killed. */
static void killed(void)
{
    struct stat st = {0};
    char path[200];
    struct fake_stream *s = fake_stream_create();
    launch(s, "k", (struct kernel){.number = 1, .warps = 3});
    snprintf(path, sizeof path, "%s/MemTrace-pipe-1.part-%ld", getenv("WARPSCOPE_MEMTRACE"),
             (long)getpid());
    while (stat(path, &st) != 0 || st.st_size < 96 * 24) {
        usleep(1000);
    }
    raise(SIGKILL);
}

static void killed_programs(void)
{
    CU_ASSERT_EQUAL(run(killed, fresh()), 1000);
}

static void off(void)
{
    unsetenv("WARPSCOPE_MEMTRACE");
    struct fake_stream *s = fake_stream_create();
    if (launch(s, "k", (struct kernel){.warps = 2})) {
        _exit(1);
    }
}

static void wrong_ring(void)
{
    setenv("WARPSCOPE_MEMTRACE_RING", "65", 1);
    once();
}

static void options(void)
{
    CU_ASSERT_EQUAL(run(off, "x"), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    CU_ASSERT_EQUAL(run(wrong_ring, "x"), 0);
    CU_ASSERT_STRING_EQUAL(text,
                           "warpscope: memory trace: WARPSCOPE_MEMTRACE_RING=65: must be a power "
                           "of two, 64 to 64M (records); the program runs untraced\n");
    CU_ASSERT_EQUAL(run(once, "x%q"), 0);
    CU_ASSERT_EQUAL(messages(), 1);
}

static int no_device(void **host, uint64_t *device, size_t bytes)
{
    (void)bytes;
    *host = NULL;
    *device = 0;
    return 100;
}

static void without_gpu(void)
{
    struct ws_calls calls = fake_calls;
    struct ws_stream_key key = {.calls = &calls, .handle = fake_stream_create()};
    struct ws_tracer_ticket ticket;
    calls.host_alloc = no_device;
    for (int i = 0; i < 2; i++) {
        ws_tracer->launch(&ticket, &key, &(struct ws_traced_kernel){"k", 0, 1, NULL});
        ws_tracer->launched(&ticket, 100);
    }
}

static void no_gpu_is_named(void)
{
    CU_ASSERT_EQUAL(run(without_gpu, fresh()), 0);
    CU_ASSERT_EQUAL(messages(), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "no GPU can be used"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "memtrace record -- PROGRAM"));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"files are kept", files_are_kept},
                                        {"full disks", full_disks},
                                        {"limits", limits},
                                        {"streams end", streams_end},
                                        {"killed programs", killed_programs},
                                        {"no GPU is named", no_gpu_is_named},
                                        {"options", options}};
    return traced_suite_run("cuda tracer: ends", tests, sizeof tests / sizeof tests[0]);
}
