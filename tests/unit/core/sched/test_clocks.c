/* SPDX-License-Identifier: BSD-3-Clause */
/* The bound of optimism by the clocks of other ranks, which the test writes to their boards: what it
 * allows, how its width follows waiting and undone events, and when there is none. */
#include <math.h>

#include "base/clock.h"
#include "engine/pe/pe.h"
#include "sched/clocks.h"
#include "support/suite.h"

#define RANKS 3

static struct comm_board boards[RANKS];
static struct comm_board *board_of[RANKS] = {&boards[0], &boards[1], &boards[2]};

/* Makes rank 1, whose next event is at `next`. */
static void begin(struct pe *pe, struct clocks *c, double next)
{
    static tw_event event;
    event = (tw_event){.recv_ts = next, .state.owner = EVENT_NEW};
    *pe = (struct pe){.reach = 2.0, .gvt = {.clocks_least = -INFINITY, .boards = board_of}};
    pe->comm.rank = 1;
    pe->comm.n_ranks = RANKS;
    pe->comm.cores = RANKS;
    pe->pending = pending_create(NULL, NULL);
    pending_push(pe->pending, &event);
    *c = clocks_begin((double)clock_ticks());
}

static void show(double first, double last)
{
    atomic_store(&boards[0].clock, first);
    atomic_store(&boards[2].clock, last);
}

static void test_width(void)
{
    struct pe pe;
    struct clocks c;
    begin(&pe, &c, 11.0);
    show(10.0, 30.0);
    CU_ASSERT(clocks_end(&c, &pe) == 12.0 && !c.holds);
    show(8.0, 30.0); /* was not read again, since the next event is within what was allowed */
    CU_ASSERT(clocks_end(&c, &pe) == 12.0);
    pe.gvt.clocks_least = 7.0; /* a message of this rank made the receiver the hindmost */
    CU_ASSERT(clocks_end(&c, &pe) == 10.0 && c.holds);
    show(10.5, INFINITY);
    CU_ASSERT(clocks_end(&c, &pe) == 12.5 && !c.holds);
    clocks_show(&pe);
    CU_ASSERT(atomic_load(&boards[1].clock) == 11.0);
    pending_destroy(pe.pending);
}

/* A rank executes only so many events while the hindmost clock stands still. */
static void test_patience(void)
{
    struct pe pe;
    struct clocks c;
    begin(&pe, &c, 11.0);
    show(10.0, 10.0);
    CU_ASSERT(clocks_end(&c, &pe) == 12.0);
    pe.counters.events_processed = c.patience - 1;
    CU_ASSERT(clocks_end(&c, &pe) == 12.0 && !c.holds);
    pe.counters.events_processed++;
    CU_ASSERT(clocks_end(&c, &pe) == -INFINITY && c.holds);
    show(10.0, 11.5); /* it stands still */
    CU_ASSERT(clocks_end(&c, &pe) == -INFINITY && c.holds);
    show(10.25, 11.5);
    CU_ASSERT(clocks_end(&c, &pe) == 12.25 && !c.holds);
    pending_destroy(pe.pending);
}

static void test_none(void)
{
    struct pe pe;
    struct clocks c;
    begin(&pe, &c, 100.0);
    show(10.0, 10.0);
    CU_ASSERT(clocks_end(&c, &pe) == 12.0 && c.holds);
    pe.comm.cores = 1; /* ranks take turns */
    CU_ASSERT(clocks_end(&c, &pe) == INFINITY && !c.holds);
    pe.comm.cores = RANKS;
    pe.gvt.boards = NULL; /* as between hosts */
    CU_ASSERT(clocks_end(&c, &pe) == INFINITY);
    clocks_adapt(&c, &pe);
    pending_destroy(pe.pending);
}

static void test_where(void)
{
    CU_ASSERT(!clocks_are_shown(1, 4) && clocks_are_shown(2, 2) && clocks_are_shown(16, 64));
    CU_ASSERT(!clocks_are_shown(17, 64));
    CU_ASSERT(!clocks_are_shown(2, 1) && clocks_are_shown(3, 2) && clocks_are_shown(8, 2));
    CU_ASSERT(!clocks_are_shown(9, 2));
}

static void test_lead(void)
{
    struct bounds_tally since = {0, 0}, now = {1000, 80};
    uint64_t lead = 256;
    bounds_lead_adapt(&lead, 4096, false, &since, now);
    CU_ASSERT(lead == 512 && since.executed == 1000);
    now = (struct bounds_tally){2000, 160};
    bounds_lead_adapt(&lead, 4096, true, &since, now); /* 92 % were kept */
    CU_ASSERT(lead == 512);
    now = (struct bounds_tally){3000, 280};
    bounds_lead_adapt(&lead, 4096, true, &since, now);
    CU_ASSERT(lead == 256);
    bounds_lead_adapt(&lead, 300, true, &since, (struct bounds_tally){4000, 300});
    CU_ASSERT(lead == 300);
}

/* Lets a period pass in which this share of 10^6 events was undone. */
static void pass(struct clocks *c, struct pe *pe, double undone)
{
    pe->gvt.result.processed += 1000000;
    pe->gvt.result.net += (uint64_t)(1e6 * (1.0 - undone));
    clocks_adapt(c, pe);
}

static void test_adaptation(void)
{
    CU_ASSERT(clocks_factor(0.0, 0.0) == 1.0 && clocks_factor(0.001, 0.005) == 1.0);
    CU_ASSERT(clocks_factor(0.0, 0.1) > 1.0 && clocks_factor(0.1, 0.2) > 1.0);
    CU_ASSERT(clocks_factor(0.1, 0.0) < 1.0 && clocks_factor(0.2, 0.1) < 1.0);
    CU_ASSERT(clocks_factor(0.2, 0.1) * clocks_factor(0.1, 0.2) > 1.0); /* it recovers */

    struct pe pe;
    struct clocks c;
    begin(&pe, &c, 11.0);
    show(10.0, 10.0);
    clocks_end(&c, &pe);
    const uint64_t patience = c.patience;
    pe.gvt.result.waited_ticks = UINT64_MAX / 2; /* all ranks waited for all of the time */
    pass(&c, &pe, 0.0);
    CU_ASSERT(c.width > 2.0 && c.patience > patience);
    pe.gvt.result.waited_ticks = 0;
    const double width = c.width;
    pass(&c, &pe, 0.001); /* too few to change anything */
    CU_ASSERT(c.width == width);
    for (int i = 0; i < 10000; i++) {
        pass(&c, &pe, 0.5);
    }
    CU_ASSERT(c.width == 2.0 && c.patience == patience); /* never below the reach of messages */
    const struct clocks before = c;
    pe.gvt.result.processed += 100; /* a period that is too short */
    clocks_adapt(&c, &pe);
    CU_ASSERT(c.period.executed == before.period.executed && c.width == before.width);
    pending_destroy(pe.pending);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"the width", test_width},
        {"patience", test_patience},
        {"no clocks", test_none},
        {"where there are clocks", test_where},
        {"the lead of ranks that share processors", test_lead},
        {"adaptation", test_adaptation},
    };
    return suite_run("clocks of ranks", tests, sizeof tests / sizeof *tests);
}
