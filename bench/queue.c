/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.c - measures nanoseconds per operation of the pending queue, and of heaps in the same run.
 *
 *     bench_queue [--largest=6] [--operations=1000000]
 *
 * The mixes of operations have a constant number of pending events, except push-pop:
 *   hold      pops the smallest event, adds lookahead and an exponential time to its time, and
 *             pushes it again
 *   push-pop  pushes all events, then pops all; the time is that of one push and one pop
 *   cancel    like hold, but cancels each fourth event and pushes a new one in its place
 *   rollback  like hold, but occasionally pops 64 events and pushes them back, latest first
 *   tick      all of the n events except one have the same integer time. The exceptional event is
 *             popped and pushed again, each time 1/n later, until it reaches this time; then the
 *             other events move on to the next integer
 *
 * Events are as large as the engine's, and each event is written to when it is popped. The heaps,
 * for comparison, hold the same 16-byte entries, also cancel events by marking them, and do no
 * other work.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "event/pending.h"
#include "support/measure.h"

#define DELAYS      16384 /* number of precomputed offsets, a power of two */
#define LOOKAHEAD   0.1
#define UNDO        64 /* number of events that a rollback pushes back */
#define UNDO_EVERY  1024
#define EVENT_BYTES 128
#define PASSES      3

enum mix { MIX_HOLD, MIX_PUSH_POP, MIX_CANCEL, MIX_ROLLBACK, MIX_TICK, MIXES };

static const char *const mix_names[MIXES] = {"hold", "push-pop", "cancel", "rollback", "tick"};

/* ---- Heaps for comparison -------------------------------------------------------------------- */

struct heap {
    struct pending_entry *entry;
    size_t n;
};

static inline bool entry_before(const struct pending_entry *a, const struct pending_entry *b)
{
    return a->ts != b->ts ? a->ts < b->ts : event_compare(a->event, b->event) < 0;
}

static inline void heap_push(struct heap *h, tw_event *event, size_t ways)
{
    struct pending_entry entry = {event->recv_ts, event};
    size_t i = h->n++;
    event->state.owner = EVENT_PENDING;
    while (i > 0 && entry_before(&entry, &h->entry[(i - 1) / ways])) {
        h->entry[i] = h->entry[(i - 1) / ways];
        i = (i - 1) / ways;
    }
    h->entry[i] = entry;
}

static inline tw_event *heap_pop(struct heap *h, size_t ways)
{
    if (h->n == 0) {
        return NULL;
    }
    tw_event *top = h->entry[0].event;
    struct pending_entry entry = h->entry[--h->n];
    size_t i = 0;
    for (size_t first = 1; first < h->n; first = ways * i + 1) {
        size_t end = first + ways < h->n ? first + ways : h->n;
        size_t least = first;
        for (size_t k = first + 1; k < end; k++) {
            least = entry_before(&h->entry[k], &h->entry[least]) ? k : least;
        }
        if (!entry_before(&h->entry[least], &entry)) {
            break;
        }
        h->entry[i] = h->entry[least];
        i = least;
    }
    h->entry[i] = entry;
    return top;
}

/* ---- Common interface of all queues ---------------------------------------------------------- */

enum queue_kind { QUEUE_LADDER, QUEUE_HEAP4, QUEUE_HEAP2, QUEUES };

struct bench {
    enum queue_kind kind;
    struct pending *ladder;
    struct heap heap;
    tw_event **spare; /* events that are not in the queue */
    size_t n_spare;
    struct arena arena; /* memory of the events, as in the engine */
    size_t n;
    double *delays;
    size_t next_delay;
};

static void bench_drop(void *ctx, tw_event *event)
{
    struct bench *b = ctx;
    b->spare[b->n_spare++] = event;
}

static inline void bench_push(struct bench *b, enum queue_kind kind, tw_event *event)
{
    if (kind == QUEUE_LADDER) {
        pending_push(b->ladder, event);
    } else {
        heap_push(&b->heap, event, kind == QUEUE_HEAP4 ? 4 : 2);
    }
}

static inline tw_event *bench_pop(struct bench *b, enum queue_kind kind)
{
    if (kind == QUEUE_LADDER) {
        tw_event *event = pending_pop(b->ladder);
        __builtin_prefetch(pending_ahead(b->ladder, 2));
        return event;
    }
    for (;;) {
        tw_event *event = heap_pop(&b->heap, kind == QUEUE_HEAP4 ? 4 : 2);
        if (event == NULL || event->state.owner != EVENT_CANCELLED) {
            return event;
        }
        bench_drop(b, event);
    }
}

static inline void bench_cancel(struct bench *b, enum queue_kind kind, tw_event *event)
{
    if (kind == QUEUE_LADDER) {
        pending_cancel(b->ladder, event);
    } else {
        event->state.owner = EVENT_CANCELLED;
    }
}

static inline double bench_delay(struct bench *b)
{
    return b->delays[b->next_delay++ & (DELAYS - 1)];
}

/* ---- Mixes of operations --------------------------------------------------------------------- */

static inline void mix_hold(struct bench *b, enum queue_kind kind, size_t ops)
{
    for (size_t i = 0; i < ops; i++) {
        tw_event *event = bench_pop(b, kind);
        event->recv_ts += bench_delay(b);
        bench_push(b, kind, event);
    }
}

static inline void mix_push_pop(struct bench *b, enum queue_kind kind, size_t ops)
{
    for (size_t done = 0; done < ops; done += b->n) {
        while (b->n_spare > 0) {
            tw_event *event = b->spare[--b->n_spare];
            __builtin_prefetch(b->spare[b->n_spare < 8 ? 0 : b->n_spare - 8], 1);
            event->recv_ts += bench_delay(b);
            bench_push(b, kind, event);
        }
        for (tw_event *event; (event = bench_pop(b, kind)) != NULL;) {
            b->spare[b->n_spare++] = event;
        }
    }
}

static inline void mix_cancel(struct bench *b, enum queue_kind kind, size_t ops)
{
    tw_event *last = NULL;
    for (size_t i = 0; i < ops; i++) {
        tw_event *event = bench_pop(b, kind);
        double now = event->recv_ts;
        event->recv_ts = now + bench_delay(b);
        bench_push(b, kind, event);
        if (i % 4 == 0 && b->n_spare > 0) {
            if (last != NULL && last->recv_ts > now) {
                bench_cancel(b, kind, last);
                last = b->spare[--b->n_spare];
                last->recv_ts = now + bench_delay(b);
                bench_push(b, kind, last);
            } else {
                last = event;
            }
        }
    }
}

static inline void mix_rollback(struct bench *b, enum queue_kind kind, size_t ops)
{
    tw_event *undo[UNDO];
    size_t n_undo = b->n / 2 < UNDO ? b->n / 2 : UNDO;
    for (size_t i = 0; i < ops; i++) {
        if (i % UNDO_EVERY == 0) {
            for (size_t k = 0; k < n_undo; k++) {
                undo[k] = bench_pop(b, kind);
            }
            for (size_t k = n_undo; k-- > 0;) {
                bench_push(b, kind, undo[k]);
            }
        }
        tw_event *event = bench_pop(b, kind);
        event->recv_ts += bench_delay(b);
        bench_push(b, kind, event);
    }
}

static inline bool is_ticker(const tw_event *event)
{
    return event->tie == 0.0;
}

static inline void mix_tick(struct bench *b, enum queue_kind kind, size_t ops)
{
    double step = 1.0 / (double)b->n;
    for (size_t i = 0; i < ops; i++) {
        tw_event *event = bench_pop(b, kind);
        event->recv_ts += is_ticker(event) ? step : 1.0;
        bench_push(b, kind, event);
    }
}

static inline void mix_run(struct bench *b, enum queue_kind kind, enum mix mix, size_t ops)
{
    switch (mix) {
    case MIX_HOLD:
        mix_hold(b, kind, ops);
        break;
    case MIX_PUSH_POP:
        mix_push_pop(b, kind, ops);
        break;
    case MIX_CANCEL:
        mix_cancel(b, kind, ops);
        break;
    case MIX_ROLLBACK:
        mix_rollback(b, kind, ops);
        break;
    default:
        mix_tick(b, kind, ops);
        break;
    }
}

/* Performs `ops` operations of a mix. Each kind of queue has its own copy of the loops, which
 * avoids the cost of calls through pointers. */
static void bench_run(struct bench *b, enum mix mix, size_t ops)
{
    switch (b->kind) {
    case QUEUE_LADDER:
        mix_run(b, QUEUE_LADDER, mix, ops);
        break;
    case QUEUE_HEAP4:
        mix_run(b, QUEUE_HEAP4, mix, ops);
        break;
    default:
        mix_run(b, QUEUE_HEAP2, mix, ops);
        break;
    }
}

/* ---- Measurement ----------------------------------------------------------------------------- */

static tw_event *make_event(struct bench *b, size_t i)
{
    tw_event *event = arena_alloc(&b->arena, EVENT_BYTES, 64);
    if (event == NULL) {
        measure_fail("out of memory");
    }
    *event =
        (tw_event){.prio = 1.0, .tie = (double)i, .state.owner = EVENT_NEW, .state.lineage_len = 1};
    event->recv_ts = bench_delay(b);
    return event;
}

static void bench_open(struct bench *b, enum queue_kind kind, enum mix mix, size_t n,
                       double *delays)
{
    size_t n_spare = mix == MIX_CANCEL ? n / 2 + 2048 : 0;
    *b = (struct bench){.kind = kind, .n = n, .delays = delays};
    arena_init(&b->arena, SIZE_MAX);
    b->spare = measure_alloc(n + n_spare, sizeof(tw_event *));
    b->heap.entry = measure_alloc(2 * n + 2048, sizeof(struct pending_entry));
    b->ladder = pending_create(bench_drop, b);
    if (b->ladder == NULL) {
        measure_fail("out of memory");
    }
    for (size_t i = 0; i < n + n_spare; i++) {
        tw_event *event = make_event(b, i);
        if (mix == MIX_TICK) {
            event->recv_ts = is_ticker(event) ? 0.0 : 1.0;
        }
        if (i < n && mix != MIX_PUSH_POP) {
            bench_push(b, kind, event);
        } else {
            b->spare[b->n_spare++] = event;
        }
    }
}

static void bench_close(struct bench *b)
{
    pending_destroy(b->ladder);
    free(b->heap.entry);
    free(b->spare);
    arena_fini(&b->arena);
}

static unsigned largest = 6, operations = 1000000;

/* Returns nanoseconds per operation in the steady state, for the fastest of PASSES passes. A pass
 * of the ladder queue is long enough to contain its occasional work. */
static double bench_measure(enum queue_kind kind, enum mix mix, size_t n, double *delays)
{
    struct bench b;
    size_t ops = kind == QUEUE_LADDER ? 6 * n : n;
    ops = ops < operations ? operations : ops;
    if (kind != QUEUE_LADDER && ops > (size_t)2 * operations) {
        ops = (size_t)2 * operations;
    }
    size_t cycle = mix == MIX_PUSH_POP ? n : mix == MIX_TICK ? 2 * n : 1;
    ops = (ops + cycle - 1) / cycle * cycle;
    bench_open(&b, kind, mix, n, delays);
    bench_run(&b, mix, ops);
    double best = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        double start = measure_cpu_seconds();
        bench_run(&b, mix, ops);
        best = fmin(best, measure_cpu_seconds() - start);
    }
    bench_close(&b);
    return 1e9 * best / (double)ops;
}

static double *make_delays(void)
{
    double *delays = measure_alloc(DELAYS, sizeof *delays);
    uint64_t x = 88172645463325252U;
    for (size_t i = 0; i < DELAYS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        delays[i] = LOOKAHEAD - log(((double)(x >> 11) + 0.5) / 9007199254740992.0);
    }
    return delays;
}

static const tw_optdef table[] = {
    TWOPT_GROUP("Pending queue"),
    TWOPT_UINT("largest", largest, "<2..7> power of ten of pending events to end with"),
    TWOPT_UINT("operations", operations, "<1..> least operations of a pass"),
    TWOPT_END(),
};

static void run(void)
{
    double *delays = make_delays();
    printf("ladder queue: ns per operation; heaps: times as long as the ladder queue\n");
    printf("%-9s %9s", "mix", "pending");
    printf(" %10s %12s %12s\n", "ladder ns", "4-ary heap", "binary heap");
    for (int mix = 0; mix < MIXES; mix++) {
        size_t n = 100;
        for (unsigned power = 2; power <= largest; power++, n *= 10) {
            double ns[QUEUES];
            for (int kind = 0; kind < QUEUES; kind++) {
                ns[kind] = bench_measure((enum queue_kind)kind, (enum mix)mix, n, delays);
            }
            printf("%-9s %9zu %10.1f %12.2f %12.2f\n", mix_names[mix], n, ns[QUEUE_LADDER],
                   ns[QUEUE_HEAP4] / ns[QUEUE_LADDER], ns[QUEUE_HEAP2] / ns[QUEUE_LADDER]);
            measure_flush();
        }
    }
    free(delays);
}

const struct measure_program measure_program = {
    "Nanoseconds per operation of the pending queue, and of heaps.", table, run};
