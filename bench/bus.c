/*
 * bus.c - what the operations of the bus cost, and how many records per second that allows.
 *
 *     bench_bus [--quick]
 *
 * No simulation runs: records are delivered at once and nothing guards the callbacks, which do
 * nothing. Each operation is measured in turns with the others; medians over the turns are printed
 * beside what was wanted and what XPTI's reference dispatcher takes on a machine of this kind.
 *
 * The projection below is XPTI's: a point is made and then visited ten times; with so much per
 * visit, and a given time in callbacks, so many records per second take 1 % of the time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bus/points.h"
#include "measure.h"
#include "st_bus.h"

#define ITEMS_MAX 10000
#define TURNS_MAX 15
#define TEXT_MAX  48

/* What is inserted, made and looked up. */
struct items {
    size_t n;
    char (*texts)[TEXT_MAX];
    uint32_t *order; /* of look-ups: at random */
    uint64_t *ids;   /* of points */
    uint32_t *strings;
    struct strings table;
    struct points points;
    st_stream_id silent, one, two;
    uintptr_t sum; /* of what is found, so that it has to be */
};

static void forget(void)
{
    __asm__ volatile("" ::: "memory");
}

static void ignore(const st_record *record, void *arg)
{
    (void)record, (void)arg;
}

/* ---- Operations: n times each -------------------------------------------------------------------
 */

static void notify(st_stream_id stream, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        forget();
        ST_NOTIFY(stream, ST_TASK, ST_POINT(), &i, sizeof i);
    }
}

static void notify_silent(struct items *b)
{
    notify(b->silent, b->n);
}

static void notify_one(struct items *b)
{
    notify(b->one, b->n);
}

static void notify_two(struct items *b)
{
    notify(b->two, b->n);
}

static void scope_one(struct items *b)
{
    for (size_t i = 0; i < b->n; i++) {
        forget();
        ST_SCOPE(b->one, ST_TASK, ST_POINT());
    }
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

/* XPTI's composite: each point is visited ten times. */
static void visit_points(struct items *b)
{
    size_t n_all = b->n;
    b->n /= 10;
    point_create(b);
    for (size_t i = 0; i < b->n * 10; i++) {
        const struct point_entry *entry = points_find(&b->points, b->ids[b->order[i] % b->n]);
        ST_NOTIFY(b->one, ST_TASK, &entry->point, NULL, 0);
    }
    b->n = n_all;
}

/* ---- The table ----------------------------------------------------------------------------------
 */

struct operation {
    const char *name;
    void (*run)(struct items *b);
    double goal_ns, xpti_ns; /* 0: none */
};

/* In this order: some use what those before have made. */
static const struct operation operations[] = {
    {"notify, nobody listens", notify_silent, 1, 35},
    {"notify, 1 subscriber", notify_one, 5, 57},
    {"notify, 2 subscribers", notify_two, 8, 88},
    {"scope begin + end, 1 subscriber", scope_one, 12, 114},
    {"string, insert", string_insert, 60, 371},
    {"string, insert again", string_again, 0, 0},
    {"string, by id", string_lookup, 2, 21},
    {"point, create", point_create, 150, 1078},
    {"point, create again", point_again, 0, 0},
    {"point, by id", point_find, 10, 78},
    {"point, create and 10 visits, each", visit_points, 0, 55},
};
#define OPERATIONS (sizeof operations / sizeof *operations)

static void items_open(struct items *b, size_t n)
{
    *b = (struct items){.n = n};
    b->texts = measure_alloc(n, sizeof *b->texts);
    b->order = measure_alloc(n, sizeof *b->order);
    b->ids = measure_alloc(n, sizeof *b->ids);
    b->strings = measure_alloc(n, sizeof *b->strings);
    b->points.strings = &b->table;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        snprintf(b->texts[i], TEXT_MAX, "handler_of_packets_%zu", i);
        random = random * 6364136223846793005u + 1442695040888963407u;
        b->order[i] = (uint32_t)((random >> 33) % n);
    }
    st_stream_open("silent", 1, 0, &b->silent);
    st_stream_open("one", 1, 0, &b->one);
    st_stream_open("two", 1, 0, &b->two);
    st_subscribe(b->one, ST_TASK_BEGIN, ST_SPECULATIVE, ignore, b);
    st_subscribe(b->one, ST_TASK_END, ST_SPECULATIVE, ignore, b);
    st_subscribe(b->two, ST_TASK_BEGIN, ST_SPECULATIVE, ignore, b);
    st_subscribe(b->two, ST_TASK_BEGIN, ST_SPECULATIVE, ignore, NULL);
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

static void print_row(const struct operation *o, double ns)
{
    char goal[32] = "-", ratio[32] = "-", xpti[32] = "-";
    if (o->goal_ns > 0) {
        snprintf(goal, sizeof goal, "%.0f", o->goal_ns);
        snprintf(ratio, sizeof ratio, "%.2f", ns / o->goal_ns);
    }
    if (o->xpti_ns > 0) {
        snprintf(xpti, sizeof xpti, "%.0f", o->xpti_ns);
    }
    printf("%-34s %8s %11.2f %7s %8s\n", o->name, goal, ns, ratio, xpti);
}

static void print_projection(double framework_ns)
{
    static const double handlers_ns[] = {10, 100, 500, 1000};
    printf("\nRecords per second that take 1 %% of the time, at %.2f ns per visit:\n",
           framework_ns);
    printf("%12s %14s\n", "callback ns", "records/s");
    for (size_t i = 0; i < sizeof handlers_ns / sizeof *handlers_ns; i++) {
        printf("%12.0f %14.0f\n", handlers_ns[i], 1e9 / (100 * (framework_ns + handlers_ns[i])));
    }
}

int main(int argc, char **argv)
{
    unsigned quick = 0;
    const tw_optdef table[] = {TWOPT_GROUP("Measuring"),
                               TWOPT_FLAG("quick", quick, "few operations: rough figures at once"),
                               TWOPT_END()};
    measure_options(table, "Nanoseconds per operation of the bus.", argc, argv);
    const size_t turns = quick != 0 ? 3 : TURNS_MAX;
    double ns[OPERATIONS][TURNS_MAX];
    struct items items;
    unsetenv("ROSS_TRACE_ENABLE");
    items_open(&items, quick != 0 ? 1000 : ITEMS_MAX);
    for (size_t turn = 0; turn < turns; turn++) {
        for (size_t o = 0; o < OPERATIONS; o++) {
            const double start = measure_seconds();
            operations[o].run(&items);
            ns[o][turn] = 1e9 * (measure_seconds() - start) / (double)items.n;
        }
    }
    printf("%-34s %8s %11s %7s %8s\n", "operation", "goal ns", "measured ns", "ratio", "XPTI ns");
    double last = 0;
    for (size_t o = 0; o < OPERATIONS; o++) {
        last = measure_median(ns[o], turns);
        print_row(&operations[o], last);
    }
    print_projection(last);
    bool found = items.sum != 0;
    items_close(&items);
    measure_flush();
    return found ? 0 : 1;
}
