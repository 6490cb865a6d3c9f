/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracing of streams while kernels run: files have the accesses of each launch, and faults, refusals and
 * kernels that never end cost one message, and never the program's results.
 *
 * test: libs=warpscope_cuda_trace timeout=60
 */
#include "traced_kernels.h"

static void many_launches(void)
{
    setenv("WARPSCOPE_MEMTRACE_RING", "64", 1);
    struct fake_stream *a = fake_stream_create(), *b = fake_stream_create();
    for (uint32_t i = 0; i < 30; i++) {
        launch(a, "_Z5firsti", (struct kernel){.number = i, .warps = 7 * i % 50});
        launch(b, "second", (struct kernel){.number = i, .warps = i % 3});
    }
}

static void launches_in_order(void)
{
    const char *directory = fresh();
    struct stat st;
    char path[200];
    CU_ASSERT_EQUAL(run(many_launches, directory), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    for (unsigned stream = 1; stream <= 2; stream++) {
        char name[32];
        snprintf(name, sizeof name, "MemTrace-pipe-%u", stream);
        trace_read(directory, name);
        CU_ASSERT_EQUAL(trace.launches, 30);
        CU_ASSERT(trace.is_pure);
        for (uint32_t i = 0; i < trace.launches; i++) {
            uint64_t warps = stream == 1 ? 7 * i % 50 : i % 3;
            CU_ASSERT_STRING_EQUAL(trace.name[i], stream == 1 ? "first(int)" : "second");
            CU_ASSERT_EQUAL(trace.records[i], 32 * warps);
            CU_ASSERT(warps == 0 || trace.address[i] == i);
        }
    }
    snprintf(path, sizeof path, "%s/MemTrace-pipe-1", directory);
    CU_ASSERT(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
}

static void fault(void)
{
    struct fake_stream *s = fake_stream_create();
    launch(s, "good", (struct kernel){.number = 1, .warps = 4});
    launch(s, "bad", (struct kernel){.number = 2, .warps = 5, .faults = true});
    fake_stream_wait(s);
    if (launch(s, "late", (struct kernel){.warps = 1})) {
        launch(s, "later", (struct kernel){.warps = 1});
    }
}

static void faults_are_marked(void)
{
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(fault, directory), 0);
    trace_read(directory, "MemTrace-pipe-1");
    CU_ASSERT_EQUAL(trace.launches, 3);
    CU_ASSERT_EQUAL(trace.records[0], 128);
    CU_ASSERT_EQUAL(trace.records[1], 160);
    CU_ASSERT_STRING_EQUAL(trace.name[2], MEMTRACE_INCOMPLETE
                           " launch 1, bad, did not end: an illegal memory access was encountered");
    CU_ASSERT_EQUAL(trace.records[2], 0);
    CU_ASSERT_EQUAL(messages(), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "bad did not end"));
}

static void refusal(void)
{
    struct fake_stream *s = fake_stream_create();
    launch(s, "good", (struct kernel){.number = 1, .warps = 1});
    launch(s, "wrong", (struct kernel){.refusal = 9}); /* the program's own error */
    launch(s, "bad", (struct kernel){.refusal = 218});
    launch(s, "good", (struct kernel){.number = 1, .warps = 1});
}

static void refusals_are_marked(void)
{
    static const char mark[] = MEMTRACE_INCOMPLETE " a launch of bad could not run: ";
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(refusal, directory), 0);
    trace_read(directory, "MemTrace-pipe-1");
    CU_ASSERT_EQUAL(trace.launches, 3);
    CU_ASSERT_STRING_EQUAL(trace.name[1], "good");
    CU_ASSERT_EQUAL(trace.records[1], 32);
    CU_ASSERT_EQUAL(strncmp(trace.name[2], mark, sizeof mark - 1), 0);
}

static void untraced(void)
{
    static const struct ws_traced_kernel in_graph = {"_Z5graphv", 0, 1, NULL};
    struct fake_stream *s = fake_stream_create();
    launch(s, "whole", (struct kernel){.number = 1, .warps = 1});
    ws_tracer->untraced(&in_graph, "since a graph launches it");
    for (int i = 0; i < 2; i++) {
        ws_tracer->untraced(&in_graph, "since a graph launches it");
        launch(s, "_Z4parti", (struct kernel){.warps = 1, .untraced = "tex.1d (2), suld.b (1)"});
        launch(s, "_Z5otherv", (struct kernel){.untraced = "all accesses, since it is odd"});
    }
}

/* Each kernel of which not all accesses are traced has one note at the end. */
static void notes_of_kernels(void)
{
    static const char *const names[] = {"whole",
                                        "part(int)",
                                        "other()",
                                        "part(int)",
                                        "other()",
                                        MEMTRACE_UNTRACED " part(int): tex.1d (2), suld.b (1)",
                                        MEMTRACE_UNTRACED " other(): all accesses, since it is odd",
                                        MEMTRACE_UNTRACED
                                        " graph(): all accesses, since a graph launches it"};
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(untraced, directory), 0);
    trace_read(directory, "MemTrace-pipe-1");
    CU_ASSERT_EQUAL(trace.launches, sizeof names / sizeof names[0]);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        CU_ASSERT_STRING_EQUAL(trace.name[i], names[i]);
        CU_ASSERT_EQUAL(trace.records[i], i == 0 || i == 1 || i == 3 ? 32 : 0);
    }
}

static void hang(void)
{
    setenv("WARPSCOPE_MEMTRACE_PATIENCE", "1", 1);
    struct fake_stream *s = fake_stream_create();
    launch(s, "endless", (struct kernel){.number = 1, .warps = 4, .hangs = true});
}

static void endless_kernels_end(void)
{
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(hang, directory), 0);
    trace_read(directory, "MemTrace-pipe-1");
    CU_ASSERT_EQUAL(trace.launches, 2);
    CU_ASSERT_EQUAL(trace.records[0], 128);
    CU_ASSERT_PTR_NOT_NULL(strstr(trace.name[1], "was running when the program ended"));
    CU_ASSERT_EQUAL(messages(), 1);
}

static void hang_busily(void)
{
    setenv("WARPSCOPE_MEMTRACE_PATIENCE", "1", 1);
    struct fake_stream *s = fake_stream_create();
    launch(s, "busy", (struct kernel){.number = 1, .warps = 4, .hangs = true, .is_busy = true});
}

/* Records that a kernel still writes do not make the program wait for it. */
static void endless_kernels_that_record_end(void)
{
    const char *directory = fresh();
    CU_ASSERT_EQUAL(run(hang_busily, directory), 0);
    trace_read(directory, "MemTrace-pipe-1");
    CU_ASSERT_EQUAL(trace.launches, 2);
    CU_ASSERT_TRUE(trace.records[0] > 128 && trace.is_pure);
    CU_ASSERT_PTR_NOT_NULL(strstr(trace.name[1], "was running when the program ended"));
    CU_ASSERT_EQUAL(messages(), 1);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"launches in order", launches_in_order},
        {"faults are marked", faults_are_marked},
        {"refusals are marked", refusals_are_marked},
        {"notes of kernels", notes_of_kernels},
        {"endless kernels end", endless_kernels_end},
        {"endless kernels that record", endless_kernels_that_record_end}};
    return traced_suite_run("cuda tracer", tests, sizeof tests / sizeof tests[0]);
}
