/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.c - see phases.h. */
#include <assert.h>

#include "base/clock.h"
#include "engine/pe/pe.h"

/* The cost of a switch is measured as the minimum over COST_ROUNDS rounds of COST_SWITCHES
 * switches. */
#define COST_ROUNDS   100
#define COST_SWITCHES 16

static const char *const mode_names[] = {"off", "sampled", "exact"};

const char *phase_times_name(enum phase_times mode)
{
    assert(mode <= PHASE_TIMES_EXACT);
    return mode_names[mode];
}

/* ---- Clock ----------------------------------------------------------------------------------- */

static void book(struct phase_clock *clock, enum tw_phase phase, uint64_t ticks, uint64_t weight)
{
    assert(phase < TW_PHASES && weight > 0);
    clock->ticks.of[phase] += ticks * weight;
    if (weight == 1) {
        clock->once.of[phase] += ticks;
    }
}

__attribute__((noinline)) void phase_clock_switch(struct phase_clock *clock, enum tw_phase phase)
{
    uint64_t now = clock_ticks();
    /* The clocks of different cores may differ slightly, so time may seem to run backwards. */
    uint64_t passed = now > clock->since ? now - clock->since : 0;
    uint64_t cost = passed < clock->switch_ticks ? passed : clock->switch_ticks;
    book(clock, clock->now, passed - cost, clock->weight);
    book(clock, TW_PHASE_timing, cost, 1);
    clock->since = now;
    clock->now = phase;
}

static void set_timing(struct phase_clock *clock, bool timing)
{
    clock->timing = timing;
    if (clock->flags != NULL) {
        *clock->flags =
            timing ? *clock->flags | PROBE_ENGINE_TIMED : *clock->flags & ~PROBE_ENGINE_TIMED;
    }
}

static void begin_timing(struct phase_clock *clock, uint64_t weight)
{
    set_timing(clock, true);
    clock->weight = weight;
    clock->since = clock_ticks();
}

/* xorshift64* (Vigna 2016): returns a random distance from 1 to 2 * stride - 1, whose mean is
 * `stride`. */
static uint64_t random_distance(struct phase_clock *clock)
{
    assert(clock->stride > 0);
    uint64_t x = clock->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    clock->random = x;
    clock->drawn_stride = clock->stride;
    return 1 + (x * 0x2545f4914f6cdd1du >> 33) % (2 * clock->stride - 1);
}

/* Starts a timed turn; or, after a timed turn, draws at random how many untimed turns follow,
 * possibly none. */
void phase_clock_next_turns(struct phase_clock *clock)
{
    clock->turns_left = 1;
    if (!clock->timing) {
        begin_timing(clock, clock->drawn_stride);
        return;
    }
    phase_clock_switch(clock, clock->now);
    uint64_t distance = random_distance(clock);
    if (distance > 1) {
        set_timing(clock, false);
        clock->turns_left = distance - 1;
    } else {
        clock->weight = clock->drawn_stride;
    }
}

static uint64_t measure_switch(void)
{
    struct phase_clock scratch = {.weight = 1};
    uint64_t least = UINT64_MAX;
    for (int round = 0; round < COST_ROUNDS; round++) {
        uint64_t start = clock_ticks();
        for (unsigned i = 0; i < COST_SWITCHES; i++) {
            phase_clock_switch(&scratch, (enum tw_phase)(i % TW_PHASES));
        }
        uint64_t ticks = (clock_ticks() - start) / (COST_SWITCHES + 1);
        least = ticks < least ? ticks : least;
    }
    return least;
}

void phase_clock_start(struct phase_clock *clock, enum phase_times mode)
{
    *clock = (struct phase_clock){.flags = clock->flags,
                                  .mode = mode,
                                  .now = TW_PHASE_other,
                                  .turns_left = UINT64_MAX,
                                  .stride = PHASE_STRIDE,
                                  .random = 0x9e3779b97f4a7c15u};
    if (mode == PHASE_TIMES_OFF) {
        return;
    }
    clock->switch_ticks = measure_switch();
    if (mode == PHASE_TIMES_EXACT) {
        begin_timing(clock, 1);
    } else {
        clock->turns_left = random_distance(clock);
    }
}

void phase_clock_stop(struct phase_clock *clock)
{
    phase_enter(clock, TW_PHASE_other);
    set_timing(clock, false);
    clock->mode = PHASE_TIMES_OFF;
    clock->turns_left = UINT64_MAX;
}

struct phase_mark phase_always_begin(struct phase_clock *clock, enum tw_phase phase)
{
    struct phase_mark before = {
        .phase = clock->now, .timing = clock->timing, .weight = clock->weight};
    if (clock->mode == PHASE_TIMES_OFF) {
        return before;
    }
    if (clock->timing) {
        phase_clock_switch(clock, phase);
        clock->weight = 1;
    } else {
        clock->now = phase;
        begin_timing(clock, 1);
    }
    return before;
}

void phase_always_end(struct phase_clock *clock, struct phase_mark before)
{
    phase_enter(clock, before.phase);
    clock->now = before.phase;
    set_timing(clock, before.timing);
    clock->weight = before.weight;
}

static double sum_of(const struct tw_phase_ticks *ticks)
{
    double sum = 0.0;
    for (int i = 0; i < TW_PHASES; i++) {
        sum += (double)ticks->of[i];
    }
    return sum;
}

void phase_clock_shares(const struct phase_clock *clock, uint64_t run_ticks,
                        double ticks[TW_PHASES])
{
    double measured = sum_of(&clock->once);
    double estimated = sum_of(&clock->ticks) - measured;
    double rest = (double)run_ticks - measured;
    double scale = estimated > 0.0 && rest > 0.0 ? rest / estimated : 1.0;
    for (int i = 0; i < TW_PHASES; i++) {
        double once = (double)clock->once.of[i];
        ticks[i] = once + scale * ((double)clock->ticks.of[i] - once);
    }
}

/* ---- Functions for probes -------------------------------------------------------------------- */

const struct tw_phase_ticks *pe_phase_ticks(const tw_pe *pe)
{
    struct phase_clock *clock = &pe_of(pe)->phases;
    clock->stride = PHASE_STRIDE_READ;
    phase_enter(clock, clock->now);
    return &clock->ticks;
}

enum tw_phase probe_phase_enter(enum tw_phase phase)
{
    struct phase_clock *clock = &pe_self()->phases;
    enum tw_phase before = clock->recording ? TW_PHASE_recording : clock->now;
    if (phase == TW_PHASE_recording && !clock->recording) {
        clock->recording = true;
        clock->before_recording = phase_always_begin(clock, phase);
    } else if (phase != TW_PHASE_recording && clock->recording) {
        clock->recording = false;
        phase_always_end(clock, clock->before_recording);
    }
    return before;
}
