/* SPDX-License-Identifier: BSD-3-Clause */
/* handler_clock.c - see handler_clock.h. */
#include "record/trace/handler_clock.h"

#include "base/processor_time.h"
#include "record/base/probe_set.h"

/* Number of pairs of clock readings that handler_clock_init() makes. The shortest time between the
 * two readings of a pair is the duration of a reading. */
#define READINGS 1000u

/* Returns the number of events up to and including the next timed event: 1 to 2N - 1, drawn by a
 * linear congruential generator (Knuth's MMIX). */
static uint32_t next_gap(struct handler_clock *clock)
{
    clock->random = clock->random * 6364136223846793005u + 1442695040888963407u;
    const uint64_t range = 2 * (uint64_t)clock->every - 1;
    return (uint32_t)(1 + ((clock->random >> 32) * range >> 32));
}

static void handler_begins(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct handler_clock *clock = ctx;
    (void)e;
    (void)ahead;
    clock->taken = HANDLER_NOT_TIMED;
    if (--clock->left == 0) {
        clock->left = clock->every == 1 ? 1 : next_gap(clock);
        clock->runs = true;
        clock->excluded = 0;
        clock->begin = clock_ticks();
    }
}

static void rollback_begins(void *ctx, const tw_event *e, enum probe_rollback why)
{
    struct handler_clock *clock = ctx;
    (void)e;
    (void)why;
    if (clock->runs) {
        clock->pause = clock_ticks();
    }
}

static void rollback_ends(void *ctx, tw_kp *kp, enum probe_rollback why, uint64_t events_undone)
{
    struct handler_clock *clock = ctx;
    (void)kp;
    (void)why;
    (void)events_undone;
    if (clock->runs) {
        clock->excluded += clock_ticks() - clock->pause;
    }
}

/* Reads how often the thread had to leave its processor, unless it was read during the last
 * millisecond. Returns true if that rose. */
static bool switches_rose(struct handler_clock *clock)
{
    const uint64_t now = clock_ticks(), before = clock->switches;
    if (now - clock->looked < clock->millisecond) {
        return false;
    }
    clock->looked = now;
    clock->switches = processor_switches();
    return clock->switches > before;
}

/* Returns ns, the time of a long handler; -ns if the thread's switches rose since the reading before. */
static __attribute__((noinline)) int64_t mark(struct handler_clock *clock, int64_t ns)
{
    return switches_rose(clock) ? -ns : ns;
}

void handler_clock_read(struct handler_clock *clock)
{
    const int64_t ticks =
        (int64_t)(clock_ticks() - clock->begin - clock->excluded - clock->reading);
    clock->runs = false;
    const int64_t ns = ticks > 0 ? (int64_t)((double)ticks * clock->ns_per_tick + 0.5) : 0;
    const int64_t time = __builtin_expect(ns < HANDLER_LONG_NS, 1) ? ns : mark(clock, ns);
    clock->timed += time >= 0;
    clock->timed_ns += time >= 0 ? (uint64_t)time : 0;
    clock->taken = time;
}

static void gvt_advances(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    (void)pe;
    (void)gvt;
    (void)switches_rose(ctx);
}

void handler_clock_init(struct handler_clock *clock, uint32_t every)
{
    *clock = (struct handler_clock){.every = every,
                                    .left = 1,
                                    .taken = HANDLER_NOT_TIMED,
                                    .reading = UINT64_MAX,
                                    .random = 1 + g_tw_pe->id};
    for (unsigned i = 0; every != 0 && i < READINGS; i++) {
        const uint64_t begin = clock_ticks();
        const uint64_t ticks = clock_ticks() - begin;
        clock->reading = ticks < clock->reading ? ticks : clock->reading;
    }
}

void handler_clock_attach(struct handler_clock *clock, struct probe_table *table, bool on)
{
    if (clock->every != 0) {
        clock->ns_per_tick = 1e9 / run_ticks_per_second();
        clock->millisecond = (uint64_t)(1e-3 * run_ticks_per_second());
        clock->switches = processor_switches();
        PROBE_SET(on, table, gvt_advanced, gvt_advances, clock);
        PROBE_SET(on, table, event_starting, handler_begins, clock);
        PROBE_SET(on, table, rollback_begin, rollback_begins, clock);
        PROBE_SET(on, table, rollback_end, rollback_ends, clock);
    }
}
