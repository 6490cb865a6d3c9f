/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.c - measures the cost of the operations of the bus, and computes the number of records per
 * second that this cost allows.
 *
 *     bench_bus [--turns=N] [--trace-points=N] [--tp-frequency=P] [--overhead=LIST] [--rate=N]
 *               [--quick]
 *     bench_bus --num-threads=N [--turns=N] [--quick]
 *
 * No simulation runs, so records are delivered at once, and callbacks run without a guard
 * (engine/probe.h). The callbacks do nothing. Each turn measures all operations once; a measurement
 * takes less than a millisecond. The minimum over the turns is the undisturbed cost. The table
 * shows it beside the goal, and beside the cost that Intel documents for XPTI's framework (README
 * of xptifw, on a Core i7-8559U; the lower end of a range). The median shows how much other
 * programs disturb the measurement. On busy machines, more turns make an undisturbed turn more
 * likely.
 *
 * Machines differ, and virtual machines change their speed within minutes. The following properties
 * of the machine are therefore measured in the same turns, and printed below the table:
 *   a cycle                        a third of the time of a dependent multiplication
 *   plain instructions in a cycle  half as many while another program shares the core
 *   a call through a pointer
 *   a page's first use             a large part of the cost of new points
 *
 * The last part of the output is a projection like that of XPTI: the rate of records that a given
 * overhead allows, and the overhead that a given rate causes. N points are
 * created, and each point is visited 100 / P times. The cost of creation and visits is divided by
 * the number of visits.
 *
 * With --num-threads, bench_bus_threads (bus_threads.c) measures the bus for threads instead.
 */
#define _GNU_SOURCE /* required for MAP_ANONYMOUS */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bus/tables/points.h"
#include "bus_notify.h"
#include "support/measure.h"

#define ITEMS_MAX 10000
#define TURNS     51
#define TEXT_MAX  48

/* Inputs and results of the operations. */
struct items {
    size_t n;
    /* For visit_points(), whose time is the input of the projection. n_points:
     * number of points; n_visits: total number of visits to these points. */
    size_t n_points, n_visits;
    char (*texts)[TEXT_MAX]; /* strings to insert, also used as names of points */
    uint32_t *order;         /* indices in random order, for look-ups */
    uint64_t *ids;           /* ids of the points */
    uint32_t *strings;       /* ids of the strings */
    struct strings table;
    struct points points;
    struct bus_streams streams;
    st_callback volatile callback; /* a callback that does nothing */
    uintptr_t sum; /* sum of the results; its use keeps the compiler from removing operations */
};

/* ---- Operations: each is performed n times --------------------------------------------------- */

#define NOTIFY(stream)                                                                             \
    static void notify_##stream(struct items *b)                                                   \
    {                                                                                              \
        bus_notify(b->streams.stream, b->n);                                                       \
    }
NOTIFY(silent)
NOTIFY(one)
NOTIFY(two)

static void scope_one(struct items *b)
{
    bus_scopes(b->streams.one, b->n);
}

static void string_insert(struct items *b)
{
    strings_fini(&b->table);
    for (size_t i = 0; i < b->n; i++) {
        b->strings[i] = strings_insert(&b->table, b->texts[i]);
    }
}

static void string_again(struct items *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->sum += strings_insert(&b->table, b->texts[b->order[i]]);
    }
}

static void string_lookup(struct items *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->sum += (uintptr_t)strings_text(&b->table, b->strings[b->order[i]]);
    }
}

static void make_points(struct items *b)
{
    struct point_entry *entry = NULL;
    for (size_t i = 0; i < b->n; i++) {
        points_make(&b->points, b->texts[i], "program.c", (uint32_t)i, 1, &entry);
        b->ids[i] = entry->point.id;
    }
}

static void point_create(struct items *b)
{
    points_fini(&b->points);
    strings_fini(&b->table);
    make_points(b);
}

static void point_again(struct items *b)
{
    struct point_entry *entry = NULL;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t k = b->order[i];
        points_make(&b->points, b->texts[k], "program.c", k, 1, &entry);
        b->sum += entry->point.id;
    }
}

static void point_find(struct items *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->sum += (uintptr_t)points_find(&b->points, b->ids[b->order[i]]);
    }
}

/* Creates points, and visits each point several times in random order. XPTI measures the same
 * composite operation. */
static void visit_points(struct items *b)
{
    const size_t n_all = b->n;
    b->n = b->n_points;
    point_create(b);
    for (size_t i = 0; i < b->n_visits; i++) {
        const struct point_entry *entry = points_find(&b->points, b->ids[b->order[i] % b->n]);
        ST_NOTIFY(b->streams.one, ST_TASK, &entry->point, NULL, 0);
    }
    b->n = n_all;
}

/* ---- Properties of the machine --------------------------------------------------------------- */

/* Latency of a multiplication in cycles, on x86-64 and most other machines. */
#define MULTIPLICATION_CYCLES 3
#define PAGE_BYTES            4096
#define PAGES_ONE_IN          50 /* number of items per page in touch_pages() */

static void multiply(struct items *b)
{
    uintptr_t product = b->sum | 1;
    for (size_t i = 0; i < b->n; i++) {
        product *= 0x9e3779b97f4a7c15u;
        /* This statement prevents the compiler from merging the multiplications. */
        __asm__ volatile("" : "+r"(product));
    }
    b->sum += product & 1;
}

/* Performs eight independent additions. */
#define PLAIN_STEP                                                                                 \
    do {                                                                                           \
        v[0] += i, v[1] ^= i, v[2] -= i, v[3] += n, v[4] ^= n, v[5] -= n, v[6] += i, v[7] ^= n;    \
        __asm__ volatile(""                                                                        \
                         : "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3]), "+r"(v[4]), "+r"(v[5]), \
                           "+r"(v[6]), "+r"(v[7]));                                                \
    } while (0)
#define PLAIN_INSTRUCTIONS (3 * 8 + 2) /* number of instructions in an iteration of add_up() */

static void add_up(struct items *b)
{
    const size_t n = b->n;
    size_t v[8] = {0};
    for (size_t i = 0; i < n; i++) {
        PLAIN_STEP;
        PLAIN_STEP;
        PLAIN_STEP;
    }
    b->sum += v[0] & 1;
}

static void call_pointer(struct items *b)
{
    const st_callback callback = b->callback;
    for (size_t i = 0; i < b->n; i++) {
        callback(NULL, NULL);
    }
}

static void touch_pages(struct items *b)
{
    const size_t n = b->n / PAGES_ONE_IN;
    unsigned char *pages =
        mmap(NULL, n * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        measure_fail("out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        pages[i * PAGE_BYTES] = 1;
    }
    munmap(pages, n * PAGE_BYTES);
}

/* ---- Table ----------------------------------------------------------------------------------- */

struct operation {
    const char *name;
    void (*run)(struct items *b);
    double goal_ns, xpti_ns; /* cost to aim for, and documented cost of XPTI, in ns; 0: none */
    size_t one_in;           /* number of items per operation; 0: each item is an operation */
};

enum { MULTIPLY, PLAIN, CALL, TOUCH, VISIT = 14 };

/* All operations in the order of execution. Some operations use the results of earlier ones. */
static const struct operation operations[] = {
    [MULTIPLY] = {"multiplication", multiply, 0, 0, 0},
    [PLAIN] = {"sums", add_up, 0, 0, 0},
    [CALL] = {"call", call_pointer, 0, 0, 0},
    [TOUCH] = {"page", touch_pages, 0, 0, PAGES_ONE_IN},
    {"notify, no subscriber", notify_silent, 1, 0, 0},
    {"notify, 1 subscriber", notify_one, 5, 10, 0},
    {"notify, 2 subscribers", notify_two, 8, 0, 0},
    {"scope begin + end, 1 subscriber", scope_one, 12, 0, 0},
    {"string, insert", string_insert, 60, 150, 0},
    {"string, insert again", string_again, 0, 0, 0},
    {"string, by id", string_lookup, 2, 40, 0},
    {"point, create", point_create, 150, 1100, 0},
    {"point, create again", point_again, 0, 275, 0},
    {"point, by id", point_find, 10, 35, 0},
    [VISIT] = {"point, made and visited, a visit", visit_points, 0, 55, 0},
};
#define OPERATIONS (sizeof operations / sizeof *operations)
/* Index of the first operation of the bus. The operations before it measure properties of the
 * machine. */
#define FIRST_OPERATION (TOUCH + 1)

/* Nanoseconds per operation: minimum and median over the turns. */
struct times {
    double least, median;
};

static void items_open(struct items *b, size_t n, size_t n_points, size_t n_visits)
{
    *b = (struct items){.n = n, .n_points = n_points, .n_visits = n_visits};
    const size_t n_texts = n > n_points ? n : n_points;
    const size_t n_order = n > n_visits ? n : n_visits;
    b->texts = measure_alloc(n_texts, sizeof *b->texts);
    b->order = measure_alloc(n_order, sizeof *b->order);
    b->ids = measure_alloc(n_texts, sizeof *b->ids);
    b->strings = measure_alloc(n, sizeof *b->strings);
    b->points.strings = &b->table;
    b->callback = bus_ignore;
    uint64_t random = 1;
    for (size_t i = 0; i < n_texts; i++) {
        snprintf(b->texts[i], TEXT_MAX, "handler_of_packets_%zu", i);
    }
    for (size_t i = 0; i < n_order; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        b->order[i] = (uint32_t)((random >> 33) % n);
    }
    bus_streams_open(&b->streams);
}

static void items_close(struct items *b)
{
    points_fini(&b->points);
    strings_fini(&b->table);
    free(b->texts);
    free(b->order);
    free(b->ids);
    free(b->strings);
}

static void print_row(const struct operation *o, struct times ns)
{
    char goal[32] = "-", ratio[32] = "-", xpti[32] = "-";
    if (o->goal_ns > 0) {
        snprintf(goal, sizeof goal, "%.0f", o->goal_ns);
        snprintf(ratio, sizeof ratio, "%.2f", ns.least / o->goal_ns);
    }
    if (o->xpti_ns > 0) {
        snprintf(xpti, sizeof xpti, "%.0f", o->xpti_ns);
    }
    printf("%-33s %7s %8.2f %6s %9.2f %7s\n", o->name, goal, ns.least, ratio, ns.median, xpti);
}

/* Prints the minimum and the median of each property of the machine. */
static void print_machine(const struct times *ns)
{
    const double cycle_ns = ns[MULTIPLY].least / MULTIPLICATION_CYCLES;
    const double median_ns = ns[MULTIPLY].median / MULTIPLICATION_CYCLES;
    printf("%-41s %8.3f %16.3f\n", "a cycle", cycle_ns, median_ns);
    printf("%-41s %8.2f %16.2f\n", "a call through a pointer", ns[CALL].least, ns[CALL].median);
    printf("%-41s %8.0f %16.0f\n", "a page's first use", ns[TOUCH].least, ns[TOUCH].median);
    printf("%-41s %8.2f %16.2f\n", "plain instructions in a cycle",
           PLAIN_INSTRUCTIONS * cycle_ns / ns[PLAIN].least,
           PLAIN_INSTRUCTIONS * cycle_ns / ns[PLAIN].median);
}

static void print_table(const struct times *ns)
{
    printf("%-33s %7s %8s %6s %9s %7s\n", "operation", "goal ns", "least ns", "ratio", "median ns",
           "XPTI ns");
    for (size_t o = FIRST_OPERATION; o < OPERATIONS; o++) {
        print_row(&operations[o], ns[o]);
    }
    printf("\nThe machine meanwhile:\n");
    print_machine(ns);
}

/* Measures all operations in turns, and stores the statistics of operation o in times[o]. */
static void measure_all(struct items *items, size_t turns, struct times *times)
{
    double *const all = measure_alloc(OPERATIONS * turns, sizeof *all);
    for (size_t turn = 0; turn < turns; turn++) {
        for (size_t o = 0; o < OPERATIONS; o++) {
            const double start = measure_seconds();
            operations[o].run(items);
            size_t n = items->n / (operations[o].one_in != 0 ? operations[o].one_in : 1);
            n = o == VISIT ? items->n_visits : n;
            all[o * turns + turn] = 1e9 * (measure_seconds() - start) / (double)n;
        }
    }
    for (size_t o = 0; o < OPERATIONS; o++) {
        double *ns = all + o * turns;
        times[o].median = measure_median(ns, turns); /* sorts ns, so that ns[0] is the minimum */
        times[o].least = ns[0];
    }
    free(all);
}

/* ---- Projection ------------------------------------------------------------------------------- */

#define PROJECTION_OVERHEADS_MAX 16

struct projection {
    unsigned long n_points;   /* number of points that are created */
    double frequency_percent; /* number of created points, in per cent of the number of visits */
    unsigned long rate;       /* records per second whose overhead is to be computed; 0: none */
    /* Members that run() sets. */
    size_t n_visits;                                    /* number of visits to all points */
    size_t n_overheads;                                 /* number of overheads */
    double overheads_percent[PROJECTION_OVERHEADS_MAX]; /* overheads in per cent of the time */
};

/* Assumed durations of callbacks in ns. */
static const double handlers_ns[] = {10, 100, 500, 1000};
#define HANDLERS (sizeof handlers_ns / sizeof *handlers_ns)

/* Prints tables of the rates and of the overheads. framework_ns: cost of a visit in ns, without
 * callbacks, but including its share of the cost of creating the points. */
static void projection_print(const struct projection *p, double framework_ns)
{
    printf("\n%lu points are made and visited %zu times: %.2f ns per visit.\n", p->n_points,
           p->n_visits, framework_ns);
    printf("\nRecords per second that take so much of the time:\n%12s", "callback ns");
    for (size_t o = 0; o < p->n_overheads; o++) {
        printf(" %12g %%", p->overheads_percent[o]);
    }
    for (size_t h = 0; h < HANDLERS; h++) {
        printf("\n%12.0f", handlers_ns[h]);
        for (size_t o = 0; o < p->n_overheads; o++) {
            printf(" %14.0f",
                   1e9 * p->overheads_percent[o] / 100 / (framework_ns + handlers_ns[h]));
        }
    }
    printf("\n");
    if (p->rate == 0) {
        return;
    }
    printf("\nThe time that %lu records per second take:\n%12s %14s\n", p->rate, "callback ns",
           "overhead %");
    for (size_t h = 0; h < HANDLERS; h++) {
        printf("%12.0f %14.3g\n", handlers_ns[h],
               (double)p->rate * (framework_ns + handlers_ns[h]) * 1e-9 * 100);
    }
}

/* ---- Command line ----------------------------------------------------------------------------- */

/* Runs bench_bus_threads, which is linked with the bus for threads, and prints its output. */
static void run_threads(unsigned n, unsigned n_turns, bool is_quick)
{
    char folder[PATH_MAX];
    struct program_args args = {0};
    program_folder(folder);
    program_add(&args, "%s/bench_bus_threads", folder);
    program_add_words(&args, "--num-threads=%u --turns=%u --quick=%d", n, n_turns, is_quick);
    char *output = program_output(&args);
    fputs(output, stdout);
    free(output);
}

static unsigned quick, n_threads, turns = TURNS;
static char overheads[256] = "1";
static struct projection p = {.frequency_percent = 10};

static const tw_optdef table[] = {
    TWOPT_GROUP("Measuring"),
    TWOPT_UINT("turns", turns, "<1..100000> turns, the least of which counts"),
    TWOPT_FLAG("quick", quick, "few operations: rough figures at once"),
    TWOPT_UINT("num-threads", n_threads,
               "<1..256> instead: operations of so many threads at once, in a program that is no "
               "simulation"),
    TWOPT_GROUP("Projection"),
    TWOPT_ULONG("trace-points", p.n_points, "<10..100000> points that are made (default 1000)"),
    TWOPT_DOUBLE(
        "tp-frequency", p.frequency_percent,
        "<0.1..100> new points among the visited ones, in per cent: 10 is ten visits of each"),
    TWOPT_CHAR("overhead", overheads,
               "shares of the time that records may take, in per cent: 0.5,1,2"),
    TWOPT_ULONG("rate", p.rate, "records per second: which share do they take?"),
    TWOPT_END()};

static void run(void)
{
    struct items items;
    struct times times[OPERATIONS];
    if (n_threads != 0) {
        run_threads(n_threads, turns, quick != 0);
        return;
    }
    p.n_points = p.n_points != 0 ? p.n_points : quick != 0 ? 100 : 1000;
    p.n_visits = (size_t)((double)p.n_points * 100 / p.frequency_percent + 0.5);
    p.n_overheads = measure_list_real("overhead", overheads, 0, 100, p.overheads_percent,
                                      PROJECTION_OVERHEADS_MAX);
    unsetenv("ROSS_TRACE_ENABLE");
    items_open(&items, quick != 0 ? 1000 : ITEMS_MAX, p.n_points, p.n_visits);
    measure_all(&items, quick != 0 ? 3 : turns, times);
    print_table(times);
    projection_print(&p, times[VISIT].least);
    if (items.sum == 0) {
        measure_fail("no results");
    }
    items_close(&items);
}

const struct measure_program measure_program = {"Nanoseconds per operation of the bus.", table,
                                                run};
