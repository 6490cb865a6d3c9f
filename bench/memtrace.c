/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_memtrace - measures the analysis of memory traces: the number of accesses that it processes
 * per second, and the memory that it needs. The program writes a trace of a workload to a temporary
 * directory, analyses the trace, and removes it.
 *
 *   stencil  each launch loads three neighbouring values of one array and stores one value in
 *            another; the two arrays change roles after each launch; 256 values per CTA, 32 at a
 *            time; groups of 80 CTAs run side by side, as on a GPU with 80 SMs
 *   random   random CTAs access random addresses, by loads, stores and atomics
 *
 * The second table has the rate at which the trace was written, and the size of the trace.
 *
 * The program prints rates for wall-clock time and for CPU time, which other programs on the
 * machine influence less.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "memtrace/analysis.h"
#include "support/measure.h"

#define SMS        80u
#define CTA_VALUES 256u
#define WARP       32u

struct bench {
    unsigned long records, addresses;
    enum { STENCIL, RANDOM } workload;
    enum { BY_START, BY_BYTES } match;
    enum { PLAIN, PACKED } form;
    char path[PATH_MAX]; /* path of the trace */
};

static const char *const workloads[] = {"stencil", "random"};

static void access_add(struct memtrace_writer *w, uint32_t type, uint64_t index, uint64_t array,
                       uint64_t cta)
{
    struct memtrace_access a = {.address = 0x7f0000000000u + (array << 40) + 8 * index,
                                .cta = memtrace_cta((uint32_t)cta, 0, 0),
                                .sm = (uint32_t)(cta % SMS),
                                .size = 8,
                                .type = type};
    memtrace_writer_add(w, &a);
}

/* Writes the accesses of a warp: three loads per thread from array `from`, then a store per thread
 * to the other array. first: index of the warp's first value; n: length of the arrays. */
static void warp_write(struct memtrace_writer *w, uint64_t first, uint64_t n, uint64_t from)
{
    for (uint64_t k = 0; k < 4; k++) {
        for (uint64_t i = first; i < first + WARP; i++) {
            uint64_t index = k == 3 ? i : (i + n + k - 1) % n;
            access_add(w, k == 3, index, k == 3 ? 1 - from : from, i / CTA_VALUES);
        }
    }
}

static void stencil_write(struct memtrace_writer *w, const struct bench *b)
{
    uint64_t n = b->addresses / 2 / CTA_VALUES * CTA_VALUES, done = 0;
    n = n == 0 ? CTA_VALUES : n;
    uint64_t ctas = n / CTA_VALUES;
    for (uint64_t launch = 0; done < b->records; launch++) {
        memtrace_writer_launch(w, launch == 0 ? "init" : launch % 2 ? "odd" : "even");
        /* The CTAs in a group run at the same time. */
        for (uint64_t group = 0; group < ctas; group += SMS) {
            for (uint64_t warp = 0; warp < CTA_VALUES; warp += WARP) {
                for (uint64_t c = group; c < group + SMS && c < ctas; c++) {
                    warp_write(w, c * CTA_VALUES + warp, n, launch % 2);
                    done += 4 * WARP;
                }
            }
        }
    }
}

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* this generator is splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void random_write(struct memtrace_writer *w, const struct bench *b)
{
    uint64_t seed = 1;
    for (uint64_t i = 0; i < b->records; i++) {
        if (i % (b->records / 10 + 1) == 0) {
            memtrace_writer_launch(w, i % 2 == 0 ? "one" : "two");
        }
        uint64_t kind = random_next(&seed) % 16;
        access_add(w,
                   kind < 9    ? 0
                   : kind < 15 ? 1
                               : 2,
                   random_next(&seed) % b->addresses, 0, random_next(&seed) % 1024);
    }
}

static void trace_write(struct bench *b)
{
    char error[512];
    if (snprintf(b->path, PATH_MAX, "%s/trace", program_make_folder("")) >= PATH_MAX) {
        measure_fail("the name of the trace is too long");
    }
    struct memtrace_writer *w =
        memtrace_writer_create_as(b->path, b->form == PACKED ? (unsigned)MEMTRACE_PACKED : 0u);
    if (w == NULL) {
        measure_fail("%s: cannot create", b->path);
    }
    if (b->workload == STENCIL) {
        stencil_write(w, b);
    } else {
        random_write(w, b);
    }
    if (!memtrace_writer_close(w, error, sizeof error)) {
        measure_fail("%s", error);
    }
}

static double megabytes_most(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0 * 1.048576;
}

/* Analyses the trace, prints a table, and returns the number of accesses. */
static uint64_t analyse(const struct bench *b)
{
    static const struct ws_memtrace_choice all;
    bool by_bytes = b->match == BY_BYTES;
    struct ws_memtrace m = {
        .book.actors.choice = &all, .depth = WS_MEMTRACE_COMMUNICATION, .by_bytes = by_bytes};
    char *path = (char *)(uintptr_t)b->path;
    double wall = measure_seconds(), cpu = measure_cpu_seconds();
    bool good = ws_memtrace_read(&m, &path, 1);
    wall = measure_seconds() - wall;
    cpu = measure_cpu_seconds() - cpu;
    if (!good) {
        measure_fail("the analysis failed");
    }
    uint32_t cells = by_bytes ? m.bytes_map.n : m.exact.n;
    printf("%-8s %-5s %10s %10s %10s %12s %12s %8s\n", "workload", "match", "records",
           by_bytes ? "ranges" : "addresses", "transfers", "records/s", "per CPU s", "MB");
    printf("%-8s %-5s %10" PRIu64 " %10" PRIu32 " %10zu %12.0f %12.0f %8.0f\n",
           workloads[b->workload], by_bytes ? "bytes" : "start", m.records, cells,
           m.book.sums[WS_BOOK_TRANSFERS].n, (double)m.records / wall, (double)m.records / cpu,
           megabytes_most());
    uint64_t records = m.records;
    ws_memtrace_free(&m);
    return records;
}

static struct bench b = {.records = 100000000, .addresses = 1000000};

static const tw_optdef table[] = {
    TWOPT_GROUP("Measuring"),
    TWOPT_ULONG("records", b.records, "<1..> accesses of the trace"),
    TWOPT_ULONG("addresses", b.addresses, "<1..> distinct addresses, no more than records"),
    TWOPT_WORD("workload", b.workload, "<stencil|random> accesses of this kind"),
    TWOPT_WORD("match", b.match, "<start|bytes> as of warpscope memtrace"),
    TWOPT_WORD("form", b.form, "<plain|packed> form of the trace"),
    TWOPT_END()};

static void run(void)
{
    b.addresses = b.addresses < b.records ? b.addresses : b.records;
    double cpu = measure_cpu_seconds();
    trace_write(&b);
    cpu = measure_cpu_seconds() - cpu;
    struct stat st;
    bool is_there = stat(b.path, &st) == 0;
    uint64_t read = analyse(&b);
    printf("\n%-8s %12s %12s\n%-8s %12.0f %12.2f\n", "form", "written/CPU s", "bytes/record",
           b.form == PACKED ? "packed" : "plain", (double)read / cpu,
           is_there ? (double)st.st_size / (double)read : 0.0);
}

const struct measure_program measure_program = {
    "Accesses per second of the analysis of memory traces.", table, run};
