/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_probe_table.c - functions are added and removed at random, also from inside the calls of
 * their own probe and of nested calls; against a list of the functions that must be called.
 *
 * Rules for a call: functions that existed before it and remain are called once each, in the order
 * in which they were added. A removed function is not called any more. An added function is not
 * called this time. A function beyond the capacity is refused.
 *
 * test: alone=yes
 */
#include <setjmp.h>

#include "engine/probe.h"
#include "support/suite.h"

#define LISTENERS  10
#define NEST_MAX   3
#define STEPS      20000
#define CALLED_MAX 64

/* Listener i is added with &listener[i] as its context. */
struct listener {
    bool present;
    uint64_t since; /* number among all additions */
};

/* A call in progress, in the naive model. */
struct call {
    uint64_t began;  /* additions before the call */
    uint64_t called; /* number of the latest function called */
    bool was_called[LISTENERS];
};

static struct probe_table table;
static struct listener listener[LISTENERS];
static struct call call[NEST_MAX];
static unsigned depth, bad;
static uint64_t additions, random_state, n_called;

static void change_at_random(void);

static void listen(void *ctx, tw_lp *lp)
{
    struct listener *l = ctx;
    struct call *c = &call[depth - 1];
    (void)lp;
    bad += !l->present || l->since > c->began || l->since <= c->called;
    c->called = l->since;
    c->was_called[l - listener] = true;
    n_called++;
    change_at_random();
}

/* Returns the number of missed functions among those present from the beginning to the end of a
 * call. */
static unsigned missed(const struct call *c, const bool *stayed)
{
    unsigned n = 0;
    for (int i = 0; i < LISTENERS; i++) {
        n += stayed[i] && listener[i].present && listener[i].since <= c->began && !c->was_called[i];
    }
    return n;
}

static void call_all(void)
{
    bool present[LISTENERS];
    for (int i = 0; i < LISTENERS; i++) {
        present[i] = listener[i].present;
    }
    call[depth++] = (struct call){.began = additions};
    PROBE_CALL(&table, lp_init, NULL);
    depth--;
    bad += missed(&call[depth], present);
}

static void change_at_random(void)
{
    struct listener *l = &listener[random_below(&random_state, LISTENERS)];
    switch (random_below(&random_state, 5)) {
    case 0:
    case 1:
        if (l->present) {
            PROBE_REMOVE(&table, lp_init, listen, l);
            l->present = false;
        } else {
            PROBE_ADD(&table, lp_init, listen, l);
            *l = (struct listener){true, ++additions};
        }
        break;
    case 2:
        if (depth < NEST_MAX) {
            call_all();
        }
        break;
    default:
        break;
    }
}

static void test_random(void)
{
    table = (struct probe_table){0};
    for (unsigned i = 0; i < STEPS; i++) {
        change_at_random();
        call_all();
        unsigned n = 0;
        for (int k = 0; k < LISTENERS; k++) {
            n += listener[k].present;
        }
        bad += n != table.lp_init.n || PROBE_IS_WANTED(&table, lp_init) != (n > 0);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(n_called > STEPS);
}

/* All orders of three functions: the one at `at` removes the one at `gone`. */
static int trail[8];
static int n_trail, at, gone;
static char names[] = "abc";

static void leave_trail(void *ctx, const tw_pe *pe)
{
    int i = (int)((char *)ctx - names);
    (void)pe;
    trail[n_trail++] = i;
    if (i == at) {
        PROBE_REMOVE(&table, turn, leave_trail, &names[gone]);
        PROBE_ADD(&table, turn, leave_trail, &names[gone]); /* from the next call on */
    }
}

static void test_small(void)
{
    for (at = 0; at < 3; at++) {
        for (gone = 0; gone < 3; gone++) {
            table = (struct probe_table){0};
            for (int i = 0; i < 3; i++) {
                PROBE_ADD(&table, turn, leave_trail, &names[i]);
            }
            n_trail = 0;
            PROBE_CALL(&table, turn, NULL);
            CU_ASSERT_EQUAL(n_trail, gone > at ? 2 : 3);
            n_trail = 0;
            PROBE_CALL(&table, turn, NULL);
            CU_ASSERT(n_trail >= 2 && table.turn.n == 3);
        }
    }
    PROBE_REMOVE(&table, turn, leave_trail, NULL); /* no function is left */
    CU_ASSERT_EQUAL(table.turn.n, 3);
}

/* Replaces the engine's function, which ends the program. */
static jmp_buf when_refused;
static const char *refused;

void probe_refuse_function(const char *probe)
{
    refused = probe;
    longjmp(when_refused, 1);
}

static void test_full(void)
{
    static unsigned n;
    table = (struct probe_table){0};
    n = 0;
    refused = NULL;
    if (setjmp(when_refused) == 0) {
        for (; n < PROBE_FUNCTIONS_MAX + 1; n++) {
            PROBE_ADD(&table, turn, leave_trail, NULL);
        }
    }
    CU_ASSERT_EQUAL(n, PROBE_FUNCTIONS_MAX);
    CU_ASSERT_EQUAL(table.turn.n, PROBE_FUNCTIONS_MAX);
    CU_ASSERT_EQUAL(table.added, PROBE_FUNCTIONS_MAX);
    CU_ASSERT(refused != NULL && strcmp(refused, "turn") == 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"one removes another", test_small},
        {"at random", test_random},
        {"no place left", test_full},
    };
    random_state = suite_seed();
    suite_print_seed("probe table", random_state);
    return suite_run("probe table", tests, sizeof tests / sizeof *tests);
}
