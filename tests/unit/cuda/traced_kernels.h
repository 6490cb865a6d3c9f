/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced_kernels.h - kernels on a device of threads, cases in processes of their own, as tracing ends with the
 * process, and what their traces and messages say.
 */
#ifndef WARPSCOPE_TESTS_TRACED_KERNELS_H
#define WARPSCOPE_TESTS_TRACED_KERNELS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
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

static inline void warp_record(const struct kernel *k, uint32_t warp)
{
    struct ws_slot_record records[32];
    for (unsigned i = 0; i < 32; i++) {
        records[i] = (struct ws_slot_record){.what = 4, .address = k->number, .cta = warp};
    }
    device_record((void *)(uintptr_t)k->slot, records, 32);
}

static inline void kernel_run(void *user)
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
static inline bool launch(struct fake_stream *stream, const char *name, struct kernel kernel)
{
    struct ws_stream_key key = fake_key(stream);
    struct ws_tracer_ticket ticket;
    struct kernel *k = malloc(sizeof *k);
    const struct ws_traced_kernel table = {name, 0, 1, kernel.untraced};
    ws_tracer->launch(&ticket, &key, &table);
    *k = kernel;
    k->slot = ticket.slot;
    int error = kernel.refusal;
    if (error == 0) {
        error = fake_put(stream, (struct fake_operation){.function = kernel_run, .user = k});
    } else {
        free(k);
    }
    ws_tracer->launched(&ticket, error);
    return ticket.slot != 0;
}

/* Of the leak sanitizer; NULL without it. */
void __lsan_disable(void) __attribute__((weak));

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Runs a case in a child with this directory; its messages go to text. Returns its exit status. */
static inline int run(void (*function)(void), const char *directory)
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
static inline unsigned messages(void)
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

static inline void trace_read(const char *directory, const char *file)
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

/* Runs the tests in a new directory. */
static inline int traced_suite_run(const char *name, const CU_TestInfo *tests, size_t n)
{
    char command[100];
    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    int status = suite_run(name, tests, n);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? status : EXIT_FAILURE;
}

#endif
