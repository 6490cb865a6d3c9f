/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracing of streams while kernels run, on a device of threads: files have the accesses of each launch, whatever
 * ends first; faults, full disks and existing files cost one message, and never the program's results. Each case
 * runs in a process of its own, as tracing ends with the process.
 *
 * test: libs=warpscope_cuda_trace timeout=60
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_calls.h"
#include "format/memtrace.h"
#include "support/suite.h"

enum { TEXT_MAX = 4000, LAUNCHES_MAX = 64 };

static char folder[] = "cuda_tracer_XXXXXX", text[TEXT_MAX + 1];

/* ---- Kernels --------------------------------------------------------------------------------- */

struct kernel {
    uint64_t slot, number;       /* the number is each record's address */
    uint32_t warps;              /* of 32 records */
    bool faults, hangs, is_busy; /* a busy kernel that hangs records accesses for ever */
    const char *untraced;        /* of the kernel's table */
    int refusal;                 /* error with which CUDA does not launch it; 0: none */
};

static void warp_record(const struct kernel *k, uint32_t warp)
{
    struct ws_slot_record records[32];
    for (unsigned i = 0; i < 32; i++) {
        records[i] = (struct ws_slot_record){.what = 4, .address = k->number, .cta = warp};
    }
    device_record((void *)(uintptr_t)k->slot, records, 32);
}

static void kernel_run(void *user)
{
    struct kernel *k = user;
    for (uint32_t w = 0; w < k->warps && k->slot != 0; w++) {
        warp_record(k, w);
    }
    if (k->faults) {
        __atomic_store_n(&fake_error, 700, __ATOMIC_RELEASE);
    }
    for (uint32_t w = k->warps; k->hangs; w++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (k->is_busy) {
            warp_record(k, w);
        }
    }
    free(k);
}

/* Returns whether the launch is traced. */
static bool launch(struct fake_stream *stream, const char *name, struct kernel kernel)
{
    struct ws_stream_key key = fake_key(stream);
    struct ws_tracer_ticket ticket;
    struct kernel *k = malloc(sizeof *k);
    const struct ws_traced_kernel table = {name, 0, 1, kernel.untraced};
    ws_tracer_launch(&ticket, &key, &table);
    *k = kernel;
    k->slot = ticket.slot;
    int error = kernel.refusal;
    if (error == 0) {
        error = fake_put(stream, (struct fake_operation){.function = kernel_run, .user = k});
    } else {
        free(k);
    }
    ws_tracer_launched(&ticket, error);
    return ticket.slot != 0;
}

/* Of the leak sanitizer; NULL without it. */
void __lsan_disable(void) __attribute__((weak));

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Runs a case in a child with this directory; its messages go to text. Returns its exit status. */
static int run(void (*function)(void), const char *directory)
{
    char path[100];
    snprintf(path, sizeof path, "%s/messages", folder);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("WARPSCOPE_MEMTRACE", directory, 1);
        if (freopen(path, "w", stderr) == NULL) {
            _exit(9);
        }
        if (__lsan_disable !=
            NULL) { /* a fault leaves behind what waits in streams: no leak of the tracer */
            __lsan_disable();
        }
        function();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    FILE *f = fopen(path, "r");
    size_t n = f == NULL ? 0 : fread(text, 1, TEXT_MAX, f);
    text[n] = '\0';
    if (f != NULL) {
        fclose(f);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

/* Messages of the tracer; the leak sanitizer has its own of processes that fork beside threads. */
static unsigned messages(void)
{
    unsigned n = 0;
    for (const char *p = text; (p = strstr(p, "warpscope: memory trace: ")) != NULL; p++) {
        n++;
    }
    return n;
}

/* Contents of a trace: for each launch, its name, its number of records, and whether all have one address. */
static struct {
    unsigned launches;
    char name[LAUNCHES_MAX][600];
    uint64_t records[LAUNCHES_MAX], address[LAUNCHES_MAX];
    bool is_pure;
} trace;

static void trace_read(const char *directory, const char *file)
{
    char path[200], error[300];
    struct memtrace_access a;
    enum memtrace_item item = MEMTRACE_ITEM_ERROR;
    snprintf(path, sizeof path, "%s/%s", directory, file);
    memset(&trace, 0, sizeof trace);
    trace.is_pure = true;
    struct memtrace_reader *r = memtrace_reader_open(path, error, sizeof error);
    CU_ASSERT_PTR_NOT_NULL(r);
    while (r != NULL && (item = memtrace_reader_next(r, &a)) < MEMTRACE_ITEM_END) {
        if (item == MEMTRACE_ITEM_LAUNCH && trace.launches < LAUNCHES_MAX) {
            snprintf(trace.name[trace.launches++], 600, "%.599s", memtrace_reader_kernel(r));
        } else if (item == MEMTRACE_ITEM_ACCESS) {
            unsigned l = trace.launches - 1;
            trace.is_pure =
                trace.is_pure && (trace.records[l] == 0 || a.address == trace.address[l]);
            trace.address[l] = a.address;
            trace.records[l]++;
        }
    }
    CU_ASSERT(r != NULL && item == MEMTRACE_ITEM_END);
    memtrace_reader_close(r);
}

static const char *fresh(void)
{
    static char path[100];
    static unsigned n;
    snprintf(path, sizeof path, "%s/a/%u", folder, ++n);
    return path;
}

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
    ws_tracer_untraced(&in_graph, "since a graph launches it");
    for (int i = 0; i < 2; i++) {
        ws_tracer_untraced(&in_graph, "since a graph launches it");
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
        ws_tracer_stream_end(&key);
    }
    fake_stream_wait(s);
    ws_tracer_place_end(&fake_calls, 0);
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
        CU_ASSERT_EQUAL(trace.launches, i == 4 ? 2 : 1); /* the last one has a note */
        CU_ASSERT_EQUAL(trace.records[0], 64);
    }
    CU_ASSERT_STRING_EQUAL(trace.name[1],
                           MEMTRACE_UNTRACED " captured: all accesses, since a graph launches it");
    CU_ASSERT_EQUAL(messages(), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "captures"));
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
        ws_tracer_launch(&ticket, &key, &(struct ws_traced_kernel){"k", 0, 1, NULL});
        ws_tracer_launched(&ticket, 100);
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
    static const CU_TestInfo tests[] = {
        {"launches in order", launches_in_order},
        {"faults are marked", faults_are_marked},
        {"refusals are marked", refusals_are_marked},
        {"notes of kernels", notes_of_kernels},
        {"endless kernels end", endless_kernels_end},
        {"endless kernels that record", endless_kernels_that_record_end},
        {"files are kept", files_are_kept},
        {"full disks", full_disks},
        {"limits", limits},
        {"streams end", streams_end},
        {"killed programs", killed_programs},
        {"no GPU is named", no_gpu_is_named},
        {"options", options}};
    char command[100];
    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    int status = suite_run("cuda tracer", tests, sizeof tests / sizeof tests[0]);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? status : EXIT_FAILURE;
}
