/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng.c - measures nanoseconds per operation on random streams, for both generators.
 *
 *     bench_rng [--quick]
 *
 * Each operation cycles through a few hundred streams in the first-level cache. The result thus
 * depends on the number of operations that the processor overlaps, as in a simulation, where
 * successive events belong to different LPs. Exceptions:
 *   one stream   all draws or undos are on one stream, so that each waits for the previous one
 *   answer       each drawn number determines the next stream: time from a call to its result
 *
 * `ratio` is the time divided by that of a draw with CLCG4. The operations take turns; medians over
 * the turns are printed. The lower half of the table compares the code of rng_clcg4_plain.h
 * ("plain") with the code selected for this processor ("used").
 */
#include <stdio.h>

#include "base/rng.h"
#include "support/measure.h"

#define STREAMS   256 /* number of streams, a power of two */
#define TURNS_MAX 15

struct bench {
    tw_rng_stream streams[STREAMS];
    rng_lanes lanes[STREAMS];
    struct rng_stream_jumper jumper;
    struct tw_rng rng;
    double sum; /* sum of the results; its use keeps the compiler from removing draws */
    size_t next;
};

/* Makes the compiler assume that memory has changed, so that the code that follows reads it
 * again. */
static inline void forget(void)
{
    __asm__ volatile("" ::: "memory");
}

#define BENCH_LOOP(name, statement)                                                                \
    static void name(struct bench *b, size_t n)                                                    \
    {                                                                                              \
        double sum = 0.0;                                                                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            tw_rng_stream *g = &b->streams[i & (STREAMS - 1)];                                     \
            statement;                                                                             \
            (void)g;                                                                               \
        }                                                                                          \
        b->sum += sum;                                                                             \
    }

#define LANES(b, i) (b)->lanes[(i) & (STREAMS - 1)]

BENCH_LOOP(run_draw, sum += rng_draw(g))
BENCH_LOOP(run_undo, rng_undo(g))
BENCH_LOOP(run_rewind_1, rng_stream_rewind(g, 1))
BENCH_LOOP(run_rewind_10, rng_stream_rewind(g, 10))
BENCH_LOOP(run_rewind_1000, rng_stream_rewind(g, 1000))
BENCH_LOOP(run_exponential, sum += -log(rng_draw(g)))
BENCH_LOOP(run_place, rng_stream_place(g, &b->rng, 1000000 + i))
BENCH_LOOP(run_jump, rng_jumper_next(&b->jumper, g))
BENCH_LOOP(run_draw_one, forget(); sum += rng_draw(b->streams))
BENCH_LOOP(run_undo_one, forget(); rng_undo(b->streams))
BENCH_LOOP(run_answer, sum = rng_draw(g + (sum > 2.0)))

BENCH_LOOP(run_plain_draw, LANES(b, i) = rng_plain_step(LANES(b, i));
           sum += rng_plain_value(LANES(b, i)))
BENCH_LOOP(run_lanes_draw, LANES(b, i) = rng_lanes_step(LANES(b, i));
           sum += rng_lanes_value(LANES(b, i)))

static const struct rng_factors back = RNG_FACTORS(RNG_B0, RNG_B1, RNG_B2, RNG_B3);
BENCH_LOOP(run_plain_undo, LANES(b, i) = rng_plain_mul(LANES(b, i), &back);
           sum += rng_plain_value(LANES(b, i)))
BENCH_LOOP(run_lanes_undo, LANES(b, i) = rng_lanes_step_back(LANES(b, i));
           sum += rng_lanes_value(LANES(b, i)))

struct operation {
    const char *name;
    void (*run)(struct bench *b, size_t n);
};

static const struct operation operations[] = {
    {"draw", run_draw},
    {"undo", run_undo},
    {"rewind 1", run_rewind_1},
    {"rewind 10", run_rewind_10},
    {"rewind 1000", run_rewind_1000},
    {"exponential", run_exponential},
    {"place a stream", run_place},
    {"jumper, next", run_jump},
    {"draw, one stream", run_draw_one},
    {"undo, one stream", run_undo_one},
    {"draw, answer", run_answer},
};

static const struct operation versions[] = {
    {"plain: step, number", run_plain_draw},
    {"used: step, number", run_lanes_draw},
    {"plain: back, number", run_plain_undo},
    {"used: back, number", run_lanes_undo},
};

#define OPERATIONS (sizeof operations / sizeof *operations)
#define VERSIONS   (sizeof versions / sizeof *versions)

/* Nanoseconds per operation. */
struct times {
    double operations[2][OPERATIONS][TURNS_MAX]; /* [enum rng_kind][operation][turn] */
    double versions[VERSIONS][TURNS_MAX];        /* [version][turn] */
};

static double measure(const struct operation *o, struct bench *b, size_t n)
{
    const double start = measure_seconds();
    o->run(b, n);
    return 1e9 * (measure_seconds() - start) / (double)n;
}

static void bench_open(struct bench *b, enum rng_kind kind)
{
    b->rng = rng_model_family();
    b->rng.kind = kind;
    rng_jumper_init(&b->jumper, &b->rng, 0, 1);
    for (size_t i = 0; i < STREAMS; i++) {
        rng_jumper_next(&b->jumper, &b->streams[i]);
        /* The count is so large that rewinding past the start is possible. */
        b->streams[i].count = UINT64_MAX >> 2;
        b->lanes[i] = rng_load(b->streams[i].c);
    }
}

static void take_turns(struct bench benches[2], struct times *times, size_t turns, size_t n)
{
    for (size_t turn = 0; turn < turns; turn++) {
        for (size_t o = 0; o < OPERATIONS; o++) {
            for (int kind = 0; kind < 2; kind++) {
                times->operations[kind][o][turn] = measure(&operations[o], &benches[kind], n);
            }
        }
        for (size_t v = 0; v < VERSIONS; v++) {
            times->versions[v][turn] = measure(&versions[v], &benches[RNG_CLCG4], n);
        }
    }
}

static unsigned quick;

static const tw_optdef table[] = {
    TWOPT_GROUP("Measuring"), TWOPT_FLAG("quick", quick, "few operations: rough figures at once"),
    TWOPT_END()};

static void run(void)
{
    const size_t turns = quick != 0 ? 3 : TURNS_MAX;
    const size_t n = quick != 0 ? 10000 : 400000;
    struct bench *benches = measure_alloc(2, sizeof *benches);
    struct times *times = measure_alloc(1, sizeof *times);
    bench_open(&benches[RNG_CLCG4], RNG_CLCG4);
    bench_open(&benches[RNG_FAST], RNG_FAST);
    take_turns(benches, times, turns, n);

    const double unit = measure_median(times->operations[RNG_CLCG4][0], turns);
    printf("%-20s %9s %7s %9s %7s\n", "operation", "clcg4 ns", "ratio", "fast ns", "ratio");
    for (size_t o = 0; o < OPERATIONS; o++) {
        const double clcg4 = measure_median(times->operations[RNG_CLCG4][o], turns);
        const double fast = measure_median(times->operations[RNG_FAST][o], turns);
        printf("%-20s %9.2f %7.2f %9.2f %7.2f\n", operations[o].name, clcg4, clcg4 / unit, fast,
               fast / unit);
    }
    for (size_t v = 0; v < VERSIONS; v++) {
        const double ns = measure_median(times->versions[v], turns);
        printf("%-20s %9.2f %7.2f\n", versions[v].name, ns, ns / unit);
    }
    if (benches[0].sum + benches[1].sum < 0.0) {
        measure_fail("no random numbers");
    }
    free(benches);
    free(times);
}

const struct measure_program measure_program = {"Nanoseconds per operation on random streams.",
                                                table, run};
