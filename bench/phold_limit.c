/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold_limit.c - measures the limit of PHOLD's speed on one core: that of a bare loop, with which
 * the engine is compared.
 *
 *     bench_phold_limit [--lps=N,...] [--remote=X] [--start-events=N] [--end=T | --events=N] ...
 *
 * For each event the loop takes the earliest event from the queue and draws u. If u <= remote, it
 * draws the destination. It then draws the offset, takes its logarithm, and adds the next event to
 * the queue. The draws, the random streams, the logarithm and the order of events are the same as
 * in models/phold; memory is prefetched. There is no rollback, no cancelling, no tie breaking, no
 * GVT, and no handler called through a pointer; an event has 16 bytes.
 *
 * --history adds the minimum that Time Warp needs: events of 64 bytes that store the random stream
 * of the receiver before the event. The last 16384 executed events are retained; then their memory
 * is used again.
 *
 * The program really executes PHOLD. With --end=T it executes exactly as many events as phold
 * --synch=1 with the same LPs, remote, lookahead, mean, start events and end time.
 * tests/system/bench/test_bench.sh compares the two numbers, and checks the order of events by
 * --check. Only two events of one LP at the same time could be executed in another order than in
 * the engine, because the loop draws no tie-breaking numbers. There are no such events unless mean
 * = lookahead.
 *
 * The output has a line per number of LPs, with medians over the runs. Initialisation does not
 * count. An engine that reaches half of these rates spends as much time on its own work as PHOLD
 * itself takes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "limit_queue.h"
#include "support/measure.h"
#include "text/json.h"

#define SIZES_MAX  64
#define RUNS_MAX   999
#define HISTORY    16384u      /* number of events in the history, a power of two */
#define EVENTS_MAX (1ul << 31) /* maximum number of pending events, and therefore of LPs */
/* Maximum end time, as a multiple of the mean offset, so that the number of days fits its type. */
#define MEAN_OFFSETS 1e12

/* Options of the program. They do not change after the command line has been read. */
struct limit_settings {
    char lps[1024];
    double remote;
    double lookahead;
    double mean;
    unsigned start_events;
    double end;
    unsigned long long events;
    unsigned runs;
    unsigned history;
    unsigned check;
    unsigned json;
};

struct limit_lp {
    tw_rng_stream rng;
    long state;
    char pad[64 - sizeof(tw_rng_stream) - sizeof(long)];
};

/* An event in runs with --history. */
struct limit_event {
    double recv_ts;
    double send_ts;
    uint32_t src;
    uint32_t dest;
    uint64_t hops;
    tw_rng_stream saved; /* random stream of the receiver before the event */
};

_Static_assert(sizeof(struct limit_lp) == 64 && sizeof(struct limit_event) == 64, "cache lines");

struct limit_sim {
    const struct limit_settings *settings;
    uint32_t n_lps;
    struct limit_lp *lp;
    struct limit_queue queue;
    struct limit_event *event; /* with --history: array of all events */
    uint32_t *history;         /* with --history: ring buffer of indices of executed events */
    uint64_t processed;        /* number of executed events */
    struct arena arena;
};

/* ---- Model ----------------------------------------------------------------------------------- */

static inline double draw_offset(const struct limit_settings *s, tw_rng_stream *g)
{
    return -(s->mean - s->lookahead) * log(rng_draw(g)) + s->lookahead;
}

static inline uint32_t draw_destination(const struct limit_sim *sim, tw_rng_stream *g)
{
    const double x = rng_draw(g) * (double)sim->n_lps;
    return x < (double)sim->n_lps ? (uint32_t)x : sim->n_lps - 1;
}

/* Adds the event with index `executed` to the history. Returns the index of the oldest event in the
 * history, whose memory the caller reuses. */
static inline uint32_t keep_history(struct limit_sim *sim, uint32_t executed)
{
    uint32_t *slot = &sim->history[sim->processed & (HISTORY - 1)];
    uint32_t oldest = *slot;
    *slot = executed;
    __builtin_prefetch(&sim->event[sim->history[(sim->processed + 8) & (HISTORY - 1)]], 1);
    return oldest;
}

static inline void execute(struct limit_sim *sim, struct limit_entry now, bool history)
{
    struct limit_lp *lp = &sim->lp[now.lp];
    uint32_t dest = now.lp;
    uint32_t ref = now.ref + 1; /* without history, ref holds the number of hops */
    if (history) {
        sim->event[now.ref].saved = lp->rng;
        ref = keep_history(sim, now.ref);
    }
    if (rng_draw(&lp->rng) <= sim->settings->remote) {
        dest = draw_destination(sim, &lp->rng);
    }
    double ts = now.ts + draw_offset(sim->settings, &lp->rng);
    if (history) {
        struct limit_event *next = &sim->event[ref];
        next->recv_ts = ts;
        next->send_ts = now.ts;
        next->src = now.lp;
        next->dest = dest;
        next->hops = sim->event[now.ref].hops + 1;
    }
    limit_push(&sim->queue, (struct limit_entry){ts, dest, ref});
    sim->processed++;
}

PREFETCHING void fetch_ahead(const struct limit_sim *sim, bool history)
{
    size_t n;
    const struct limit_entry *ahead = limit_ahead(&sim->queue, &n);
    for (size_t i = 0; i < n; i++) {
        __builtin_prefetch(&sim->lp[ahead[i].lp], 1);
        if (history) {
            __builtin_prefetch(&sim->event[ahead[i].ref], 1);
        }
    }
}

/* Executes events in time order, until the next event is at or past `end`, or at least `events`
 * events have been executed. The second condition is tested only after each day of the queue. */
static inline void run(struct limit_sim *sim, double end, uint64_t events, bool history, bool check)
{
    struct limit_queue *q = &sim->queue;
    double last = 0.0;
    while (sim->processed < events) {
        while (q->next < q->n_front) {
            struct limit_entry now = q->front[q->next];
            if (now.ts >= end) {
                return;
            }
            if (check && now.ts < last) {
                measure_fail("wrong: an event at %.17g comes after one at %.17g", now.ts, last);
            }
            last = now.ts;
            q->next++;
            execute(sim, now, history);
        }
        limit_advance(q);
        fetch_ahead(sim, history);
    }
}

/* Calls run() with constants, so that the compiler makes a copy of the loop without conditions for
 * each combination. */
static void sim_run(struct limit_sim *sim, double end, uint64_t events)
{
    if (sim->settings->check) {
        run(sim, end, events, sim->settings->history, true);
    } else if (sim->settings->history) {
        run(sim, end, events, true, false);
    } else {
        run(sim, end, events, false, false);
    }
}

/* ---- Setup ----------------------------------------------------------------------------------- */

static void *sim_alloc(struct limit_sim *sim, size_t n, size_t size)
{
    void *memory = arena_alloc(&sim->arena, n * size, 64);
    if (memory == NULL) {
        measure_fail("out of memory for %" PRIu32 " LPs", sim->n_lps);
    }
    return memory;
}

/* Sets up the LPs and adds their start events to the queue. LP k draws from model stream k, as in
 * the engine. The first draws of an LP are the offsets of its start events. */
static void sim_start_lps(struct limit_sim *sim)
{
    struct tw_rng family = rng_model_family();
    struct rng_stream_jumper jumper;
    uint32_t n_events = 0;
    rng_jumper_init(&jumper, &family, 0, 1);
    for (uint32_t k = 0; k < sim->n_lps; k++) {
        rng_jumper_next(&jumper, &sim->lp[k].rng);
        for (unsigned i = 0; i < sim->settings->start_events; i++) {
            double ts = draw_offset(sim->settings, &sim->lp[k].rng);
            uint32_t ref = sim->settings->history ? n_events++ : 0;
            limit_push(&sim->queue, (struct limit_entry){ts, k, ref});
        }
    }
}

static void sim_open(struct limit_sim *sim, const struct limit_settings *settings, uint32_t n_lps)
{
    uint64_t n_events = (uint64_t)n_lps * settings->start_events;
    *sim = (struct limit_sim){.settings = settings, .n_lps = n_lps};
    arena_init(&sim->arena, SIZE_MAX);
    limit_queue_init(&sim->queue, n_events, settings->mean);
    sim->lp = sim_alloc(sim, n_lps, sizeof *sim->lp);
    if (settings->history) {
        sim->event = sim_alloc(sim, n_events + HISTORY, sizeof *sim->event);
        sim->history = sim_alloc(sim, HISTORY, sizeof *sim->history);
        for (uint32_t i = 0; i < HISTORY; i++) {
            sim->history[i] = (uint32_t)n_events + i;
            sim->event[sim->history[i]].hops = 0; /* this write obtains the memory in advance */
        }
    }
    sim_start_lps(sim);
}

static void sim_close(struct limit_sim *sim)
{
    limit_queue_fini(&sim->queue);
    arena_fini(&sim->arena);
}

/* ---- Measurement ----------------------------------------------------------------------------- */

struct limit_result {
    uint32_t n_lps;
    uint64_t events;
    double seconds[RUNS_MAX];
};

static void measure_run(const struct limit_settings *s, struct limit_result *result, unsigned n)
{
    struct limit_sim sim;
    double end = s->end > 0.0 ? s->end : INFINITY;
    uint64_t events = s->end > 0.0 ? UINT64_MAX : s->events;
    sim_open(&sim, s, result->n_lps);
    double start = measure_seconds();
    sim_run(&sim, end, events);
    result->seconds[n] = measure_seconds() - start;
    result->events = sim.processed;
    sim_close(&sim);
}

static void print_columns(struct limit_result *results, size_t n, unsigned runs)
{
    printf("%10s %12s %10s %14s %10s\n", "LPs", "events", "seconds", "events/s", "ns/event");
    for (size_t i = 0; i < n; i++) {
        double seconds = measure_median(results[i].seconds, runs);
        double events = (double)results[i].events;
        printf("%10" PRIu32 " %12" PRIu64 " %10.4f %14.0f %10.2f\n", results[i].n_lps,
               results[i].events, seconds, events / seconds, 1e9 * seconds / events);
    }
}

static void print_json(const struct limit_settings *s, struct limit_result *results, size_t n)
{
    struct json_writer json = {.out = stdout};
    json_array_open(&json, NULL);
    for (size_t i = 0; i < n; i++) {
        double seconds = measure_median(results[i].seconds, s->runs);
        double events = (double)results[i].events;
        json_object_open(&json, NULL);
        json_put_u64(&json, "total_lps", results[i].n_lps);
        json_put_double(&json, "remote", s->remote);
        json_put_u64(&json, "start_events", s->start_events);
        json_put_bool(&json, "history", s->history != 0);
        json_put_u64(&json, "net_events", results[i].events);
        json_put_double(&json, "run_seconds", seconds);
        json_put_double(&json, "event_rate", events / seconds);
        json_put_double(&json, "nanoseconds_per_event", 1e9 * seconds / events);
        json_object_close(&json);
    }
    json_array_close(&json);
    fputc('\n', stdout);
}

/* ---- Command line ---------------------------------------------------------------------------- */

static const char about[] =
    "How fast PHOLD could run on one core: a bare loop with the model's draws and\n"
    "logarithms and a pending queue made for it, without anything else that a\n"
    "simulator does.";

static struct limit_settings s = {.lps = "1024,16384,262144,1048576",
                                  .remote = 0.1,
                                  .lookahead = 0.1,
                                  .mean = 1.0,
                                  .start_events = 1,
                                  .events = 10000000,
                                  .runs = 3};

static const tw_optdef table[] = {
    TWOPT_GROUP("Limit of PHOLD"),
    TWOPT_CHAR("lps", s.lps, "<LIST> numbers of LPs, separated by commas"),
    TWOPT_DOUBLE("remote", s.remote,
                 "<0..1> probability that an event goes to an LP drawn at random"),
    TWOPT_DOUBLE("lookahead", s.lookahead, "<0..> least offset of an event, at most the mean"),
    TWOPT_DOUBLE("mean", s.mean, "<1e-300..> mean offset of an event, the lookahead included"),
    TWOPT_UINT("start-events", s.start_events, "<1..2147483648> events of each LP at the start"),
    TWOPT_ULONGLONG("events", s.events, "<1..> events of a run, at least; if there is no --end"),
    TWOPT_DOUBLE("end", s.end, "<0..> virtual time at which a run ends; 0: after --events"),
    TWOPT_UINT("runs", s.runs, "<1..999> runs of each, of which the median is printed"),
    TWOPT_FLAG("history", s.history, "with events of 64 bytes, saved streams and a history"),
    TWOPT_FLAG("check", s.check, "stop when an event is earlier than the one before it"),
    TWOPT_FLAG("json", s.json, "print JSON instead of columns"),
    TWOPT_END(),
};

static void measure(void)
{
    unsigned long lps[SIZES_MAX];
    if (s.lookahead > s.mean) {
        measure_refuse("--lookahead: must be from 0 to the mean");
    }
    if (s.end > MEAN_OFFSETS * s.mean) {
        measure_refuse("--end: must be from 0 to %g mean offsets", MEAN_OFFSETS);
    }
    size_t n = measure_list("lps", s.lps, 1, EVENTS_MAX, lps, SIZES_MAX);
    struct limit_result *results = measure_alloc(n, sizeof *results);
    for (size_t i = 0; i < n; i++) {
        if (lps[i] > EVENTS_MAX / s.start_events) {
            measure_refuse("--start-events=%u: with --lps=%lu at most %lu", s.start_events, lps[i],
                           EVENTS_MAX / lps[i]);
        }
        results[i].n_lps = (uint32_t)lps[i];
    }
    for (unsigned k = 0; k < s.runs; k++) {
        for (size_t i = 0; i < n; i++) {
            measure_run(&s, &results[i], k);
        }
    }
    if (s.json) {
        print_json(&s, results, n);
    } else {
        print_columns(results, n, s.runs);
    }
    free(results);
}

const struct measure_program measure_program = {about, table, measure};
