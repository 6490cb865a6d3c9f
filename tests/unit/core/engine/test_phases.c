/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_phases.c - the clock of the phases: no time is lost or counted twice, and the timed turns
 * represent all turns.
 */
#include "base/clock.h"
#include "support/hand_engine.h"
#include "support/suite.h"

#define PHASES_MAX 8

static void spin(uint64_t ticks)
{
    uint64_t start = clock_ticks();
    while (clock_ticks() - start < ticks) {
    }
}

static uint64_t sum_of(const struct tw_phase_ticks *ticks)
{
    uint64_t sum = 0;
    for (int i = 0; i < TW_PHASES; i++) {
        sum += ticks->of[i];
    }
    return sum;
}

/* The naive model. It uses the clock's own readings, because the system could run other code
 * between these and separate readings. */
struct model {
    uint64_t wanted[TW_PHASES];
    uint64_t last; /* last reading */
};

/* The clock has just switched from this phase, which gets the elapsed time less the switch's
 * cost. */
static void model_switch(struct model *m, const struct phase_clock *clock, enum tw_phase was,
                         uint64_t weight)
{
    uint64_t passed = clock->since > m->last ? clock->since - m->last : 0;
    uint64_t cost = passed < clock->switch_ticks ? passed : clock->switch_ticks;
    m->wanted[was] += weight * (passed - cost);
    m->wanted[TW_PHASE_timing] += cost;
    m->last = clock->since;
}

static void check_against(const struct phase_clock *clock, const struct model *m)
{
    for (int i = 0; i < TW_PHASES; i++) {
        CU_ASSERT_EQUAL(clock->ticks.of[i], m->wanted[i]);
    }
}

/* Random nesting. */
static void test_exact(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("phases", seed);
    struct phase_clock clock = {0};
    enum tw_phase before[PHASES_MAX];
    enum tw_phase now = TW_PHASE_other;
    int depth = 0;
    phase_clock_start(&clock, PHASE_TIMES_EXACT);
    uint64_t start = clock.since;
    struct model m = {.last = start};
    for (int i = 0; i < 2000; i++) {
        spin(random_below(&seed, 20000));
        enum tw_phase was = now;
        if (depth > 0 && (depth == PHASES_MAX || random_below(&seed, 2) == 0)) {
            CU_ASSERT_EQUAL(phase_enter(&clock, before[--depth]), now);
            now = before[depth];
        } else {
            enum tw_phase next = (enum tw_phase)random_below(&seed, TW_PHASE_timing);
            before[depth++] = phase_enter(&clock, next);
            CU_ASSERT_EQUAL(before[depth - 1], now);
            now = next;
        }
        model_switch(&m, &clock, was, 1);
        phase_turn(&clock);
    }
    phase_clock_stop(&clock);
    model_switch(&m, &clock, now, 1);
    check_against(&clock, &m);
    CU_ASSERT_EQUAL(sum_of(&clock.ticks), clock.since - start); /* C2 */
    for (int i = 0; i < TW_PHASES; i++) {
        CU_ASSERT_EQUAL(clock.ticks.of[i], clock.once.of[i]); /* each turn has weight 1 */
    }
    uint64_t sum = sum_of(&clock.ticks);
    phase_enter(&clock, TW_PHASE_gvt); /* stopped */
    phase_turn(&clock);
    CU_ASSERT_EQUAL(sum_of(&clock.ticks), sum);
}

/* The stated cost of a switch is its real cost. Both are measured repeatedly and the minimum
 * counts, because the processor may be busy or slow. */
static void test_cost(void)
{
    uint64_t said = UINT64_MAX;
    uint64_t taken = UINT64_MAX;
    bool alike = false;
    for (int i = 0; i < 1000 && !alike; i++) {
        struct phase_clock clock = {0};
        phase_clock_start(&clock, PHASE_TIMES_EXACT);
        uint64_t start = clock.since;
        for (int n = 0; n < 16; n++) {
            phase_enter(&clock, TW_PHASE_gvt);
        }
        uint64_t took = (clock.since - start) / 16;
        taken = took < taken ? took : taken;
        said = clock.switch_ticks < said ? clock.switch_ticks : said;
        alike = i >= 10 && said <= 3 * taken && taken <= 3 * said;
    }
    printf("(%" PRIu64 " ticks, taken %" PRIu64 ") ", said, taken);
    CU_ASSERT(said > 0);
    CU_ASSERT(alike);
}

/* For any period of the work, timed turns meet each part of it equally often. */
static void sample_evenly(unsigned stride)
{
    struct phase_clock clock = {0};
    unsigned timed[PHASE_STRIDE] = {0};
    const unsigned turns = 500 * stride * stride;
    uint64_t weights = 0;
    phase_clock_start(&clock, PHASE_TIMES_SAMPLED);
    CU_ASSERT_EQUAL(clock.stride, PHASE_STRIDE);
    clock.stride = stride;
    for (unsigned turn = 0; turn < turns; turn++) {
        phase_turn(&clock);
        timed[turn % stride] += clock.timing;
        weights += clock.timing ? clock.weight : 0;
    }
    for (unsigned i = 0; i < stride; i++) { /* 500 each, standard deviation 22 */
        CU_ASSERT(timed[i] > 380 && timed[i] < 620);
    }
    /* Distances are uniform: the standard deviation is 0.0032 at most. */
    double mean = (double)weights / turns;
    CU_ASSERT(mean > 0.99 && mean < 1.01);
}

static void test_turns_are_sampled_evenly(void)
{
    sample_evenly(PHASE_STRIDE);
    sample_evenly(PHASE_STRIDE_READ);
}

/* Turns of equal work: the time of a timed turn counts once for each turn that it represents. The
 * tests above show that the choice is fair and covers all turns. */
static void test_estimate(void)
{
    struct phase_clock clock = {0};
    struct model m = {{0}, 0};
    double shares[TW_PHASES];
    unsigned timed_turns = 0;
    phase_clock_start(&clock, PHASE_TIMES_SAMPLED);
    uint64_t start = clock_ticks();
    for (unsigned turn = 0; turn < 200 * 2 * PHASE_STRIDE; turn++) {
        bool was_timing = clock.timing;
        phase_turn(&clock);
        if (was_timing) { /* the rest of the previous turn */
            model_switch(&m, &clock, TW_PHASE_other, PHASE_STRIDE);
        }
        m.last = clock.since;
        timed_turns += clock.timing;
        enum tw_phase before = phase_enter(&clock, TW_PHASE_event_processing);
        model_switch(&m, &clock, TW_PHASE_other, PHASE_STRIDE);
        spin(3000);
        phase_enter(&clock, TW_PHASE_priority_queue);
        model_switch(&m, &clock, TW_PHASE_event_processing, PHASE_STRIDE);
        spin(1000);
        phase_enter(&clock, before);
        model_switch(&m, &clock, TW_PHASE_priority_queue, PHASE_STRIDE);
    }
    phase_clock_stop(&clock);
    model_switch(&m, &clock, TW_PHASE_other, PHASE_STRIDE);
    uint64_t passed = clock_ticks() - start;
    check_against(&clock, &m);
    CU_ASSERT(timed_turns > 350 && timed_turns < 450);
    uint64_t stood_for = (uint64_t)timed_turns * PHASE_STRIDE;
    uint64_t costs = stood_for * clock.switch_ticks;
    CU_ASSERT(clock.ticks.event_processing + costs >= stood_for * 3000);
    CU_ASSERT(clock.ticks.priority_queue + costs >= stood_for * 1000);

    phase_clock_shares(&clock, passed, shares);
    double sum = 0.0;
    for (int i = 0; i < TW_PHASES; i++) {
        sum += shares[i];
        CU_ASSERT(shares[i] >= 0.0);
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, (double)passed, 1e-6 * (double)passed);
    CU_ASSERT_DOUBLE_EQUAL(shares[TW_PHASE_timing], (double)clock.ticks.timing, 0.5);
}

/* Intervals that are always timed, in turns that are timed or not. By the clock's own readings,
 * their whole length is booked, less the part booked as timing meanwhile. */
static void test_always(void)
{
    struct phase_clock clock = {0};
    uint64_t timed_turns = 0;
    uint64_t wanted = 0;
    phase_clock_start(&clock, PHASE_TIMES_SAMPLED);
    for (unsigned turn = 0; turn < 16 * PHASE_STRIDE; turn++) {
        phase_turn(&clock);
        bool timing = clock.timing;
        timed_turns += timing;
        enum tw_phase outer = phase_enter(&clock, TW_PHASE_rollbacks);
        enum tw_phase now = clock.now;
        struct phase_mark before = phase_always_begin(&clock, TW_PHASE_gvt);
        CU_ASSERT(clock.timing && clock.weight == 1);
        uint64_t start = clock.since - clock.ticks.timing;
        spin(2000);
        struct phase_mark inner = phase_always_begin(&clock, TW_PHASE_recording);
        spin(2000);
        phase_always_end(&clock, inner);
        CU_ASSERT(clock.timing && clock.weight == 1 && clock.now == TW_PHASE_gvt);
        phase_always_end(&clock, before);
        wanted += clock.since - clock.ticks.timing - start;
        CU_ASSERT(clock.timing == timing && clock.now == now);
        CU_ASSERT(!timing || clock.weight == PHASE_STRIDE);
        phase_enter(&clock, outer);
    }
    phase_clock_stop(&clock);
    CU_ASSERT(timed_turns > 5 && timed_turns < 30);
    CU_ASSERT_EQUAL(clock.ticks.gvt + clock.ticks.recording, wanted);
    CU_ASSERT(wanted + 16u * PHASE_STRIDE * 3 * clock.switch_ticks >= 16u * PHASE_STRIDE * 4000u);
    CU_ASSERT(clock.ticks.gvt == clock.once.gvt && clock.ticks.recording == clock.once.recording);
    CU_ASSERT(clock.once.rollbacks == 0);
}

static void test_off(void)
{
    struct phase_clock clock = {0};
    phase_clock_start(&clock, PHASE_TIMES_OFF);
    for (unsigned turn = 0; turn < 1000; turn++) {
        phase_turn(&clock);
        enum tw_phase outer = phase_enter(&clock, TW_PHASE_rollbacks);
        struct phase_mark before = phase_always_begin(&clock, TW_PHASE_gvt);
        CU_ASSERT_FALSE(clock.timing);
        phase_always_end(&clock, before);
        phase_enter(&clock, outer);
    }
    phase_clock_stop(&clock);
    CU_ASSERT_EQUAL(sum_of(&clock.ticks), 0);
}

static void on_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    (void)lp;
}

/* Instrumentation switches phases inside and outside of timed turns. */
static void test_recording(void)
{
    static tw_lptype type = {.event = on_event, .state_sz = 8};
    struct pe *pe = hand_begin(1, 8, &type, 1, SEQUENTIAL, 1.0);
    const struct tw_phase_ticks *ticks = pe_phase_ticks(&pe->head);
    CU_ASSERT_EQUAL(probe_phase_enter(probe_phase_enter(TW_PHASE_recording)), TW_PHASE_recording);
    CU_ASSERT_EQUAL(sum_of(ticks), 0); /* the clock does not run yet */
    unsigned often = 0;
    static const enum phase_times modes[] = {PHASE_TIMES_SAMPLED, PHASE_TIMES_EXACT};
    for (int i = 0; i < 2; i++) {
        phase_clock_start(&pe->phases, modes[i]);
        const uint64_t cost = pe->phases.switch_ticks;
        uint64_t last = 0;
        for (int n = 1; n <= 3000; n++) {
            phase_turn(&pe->phases);
            enum tw_phase outer = phase_enter(&pe->phases, TW_PHASE_event_processing);
            enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
            spin(1000);
            enum tw_phase inner = probe_phase_enter(TW_PHASE_recording);
            CU_ASSERT_EQUAL(inner, TW_PHASE_recording);
            probe_phase_enter(inner);
            spin(1000);
            CU_ASSERT(pe_phase_ticks(&pe->head)->recording + cost >= last + 2000);
            last = ticks->recording;
            probe_phase_enter(before);
            uint64_t weight = pe->phases.weight;
            CU_ASSERT(modes[i] == PHASE_TIMES_SAMPLED || weight == 1);
            CU_ASSERT(!pe->phases.timing || weight == 1 || weight == PHASE_STRIDE_READ ||
                      (weight == PHASE_STRIDE && often == 0));
            often += pe->phases.timing && weight == PHASE_STRIDE_READ;
            phase_enter(&pe->phases, outer);
        }
        phase_clock_stop(&pe->phases);
        CU_ASSERT(modes[i] == PHASE_TIMES_EXACT || often > 10);
        often = 0;
        CU_ASSERT(ticks->recording + 3000 * cost >= 3000 * 2000);
        CU_ASSERT_EQUAL(ticks->recording, pe->phases.once.recording);
    }
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"all is timed, at random", test_exact},
        {"what timing costs", test_cost},
        {"timed turns are spread evenly", test_turns_are_sampled_evenly},
        {"the estimate", test_estimate},
        {"what is always timed", test_always},
        {"off", test_off},
        {"recording", test_recording},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("phases", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
