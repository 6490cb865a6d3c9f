/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Domains and hooks: results of attaching and detaching, the order of calls, changes during a call,
 * and random changes against a naive model.
 *
 * test: alone=yes
 */
#include "support/fake_engine.h"
#include "support/suite.h"

#include "bus/sources/hooks.h"

static unsigned calls[16], n_calls;

static void note(const st_hook_context *context, void *arg)
{
    (void)context;
    if (n_calls < 16) {
        calls[n_calls++] = (unsigned)(uintptr_t)arg;
    }
}

static void *tag(unsigned number)
{
    return (void *)(uintptr_t)number;
}

static void test_results(void)
{
    st_domain *cache = st_domain_create("cache");
    CU_ASSERT_PTR_EQUAL(st_domain_create("cache"), cache);
    CU_ASSERT(st_domain_create("other") != cache && st_domain_lp(1) != st_domain_kp(1));
    CU_ASSERT_STRING_EQUAL(cache->name, "cache");
    CU_ASSERT_STRING_EQUAL(st_domain_lp(7)->name, "LP 7");
    CU_ASSERT_EQUAL(st_hook_attach(cache, ST_AT(3), note, tag(1)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_attach(cache, ST_AT(4), note, tag(1)), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_hook_attach(cache, ST_AT(3), note, tag(2)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_attach(cache, 0, note, tag(3)), ST_INVALID);
    CU_ASSERT_EQUAL(st_hook_attach(cache, ST_AT(3), NULL, tag(3)), ST_INVALID);
    CU_ASSERT_EQUAL(st_hook_attach(NULL, ST_AT(3), note, tag(3)), ST_INVALID);
    CU_ASSERT_EQUAL(st_hook_attach(st_domain_create(""), ST_AT(3), note, tag(3)), ST_INVALID);
    CU_ASSERT_EQUAL(st_hook_attach(st_domain_create(NULL), ST_AT(3), note, tag(3)), ST_INVALID);
    CU_ASSERT_EQUAL(st_hook_detach(cache, note, tag(9)), ST_NOT_FOUND);
    n_calls = 0;
    ST_HOOK(cache, 3, NULL, NULL);
    ST_HOOK(cache, 4, NULL, NULL); /* the duplicate has changed nothing */
    CU_ASSERT(n_calls == 2 && calls[0] == 1 && calls[1] == 2);
    /* A hook that is detached and attached again goes to the end. */
    CU_ASSERT_EQUAL(st_hook_detach(cache, note, tag(1)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_detach(cache, note, tag(1)), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_hook_attach(cache, ST_AT(3), note, tag(1)), ST_OK);
    n_calls = 0;
    ST_HOOK(cache, 3, NULL, NULL);
    CU_ASSERT(n_calls == 2 && calls[0] == 2 && calls[1] == 1);
    CU_ASSERT_EQUAL(fake.observer_depth, 0);
    hooks_check(&g_st_hooks);
}

static void other(const st_hook_context *context, void *arg)
{
    (void)context, (void)arg;
}

/* Counts and lists the hooks of a domain. */
static void test_list(void)
{
    st_hook_info list[3] = {{NULL, NULL, 0}};
    st_domain *domain = st_domain_create("listed");
    CU_ASSERT_EQUAL(st_hook_list(domain, NULL, 0), 0);
    CU_ASSERT_EQUAL(st_hook_list(NULL, list, 3), 0);
    CU_ASSERT_EQUAL(st_hook_list(st_domain_create(NULL), list, 3), 0);
    CU_ASSERT_EQUAL(st_hook_attach(domain, ST_AT(1), note, tag(1)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_attach(domain, ST_AT(2), other, tag(2)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_attach(domain, ST_AT_ALL, note, tag(3)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_detach(domain, note, tag(1)), ST_OK);
    CU_ASSERT_EQUAL(st_hook_list(domain, list, 1), 2);
    CU_ASSERT(list[0].hook == other && list[0].arg == tag(2) && list[0].positions == ST_AT(2));
    CU_ASSERT_PTR_NULL(list[1].arg);
    CU_ASSERT_EQUAL(st_hook_list(domain, list, 3), 2);
    CU_ASSERT(list[1].hook == note && list[1].arg == tag(3) && list[1].positions == ST_AT_ALL);
}

static void test_position_names(void)
{
    st_domain *domain = st_domain_create("named positions");
    char text[] = "tag lookup";
    CU_ASSERT_PTR_NULL(st_domain_position_name(domain, 3));
    CU_ASSERT_EQUAL(st_domain_name_position(domain, 3, text), ST_OK);
    text[0] = 'b';
    CU_ASSERT_STRING_EQUAL(st_domain_position_name(domain, 3), "tag lookup");
    CU_ASSERT_PTR_NULL(st_domain_position_name(domain, 4));
    CU_ASSERT_EQUAL(st_domain_name_position(domain, 3, "tag lookup"), ST_OK);
    CU_ASSERT_EQUAL(st_domain_name_position(domain, 3, "hit"), ST_DUPLICATE);
    CU_ASSERT_STRING_EQUAL(st_domain_position_name(domain, 3), "hit");
    CU_ASSERT_EQUAL(st_domain_name_position(domain, 64, "far"), ST_INVALID);
    CU_ASSERT_EQUAL(st_domain_name_position(domain, 1, ""), ST_INVALID);
    CU_ASSERT_EQUAL(st_domain_name_position(domain, 1, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_domain_name_position(NULL, 1, "a"), ST_INVALID);
    CU_ASSERT_EQUAL(st_domain_name_position(st_domain_create(""), 1, "a"), ST_INVALID);
    CU_ASSERT_EQUAL(st_domain_name_position(st_domain_pe(), 1, "a"), ST_INVALID);
    CU_ASSERT_STRING_EQUAL(st_domain_position_name(st_domain_pe(), ST_POS_COMMIT), "commit");
    CU_ASSERT_PTR_NULL(st_domain_position_name(st_domain_pe(), ST_POSITIONS));
    CU_ASSERT_PTR_NULL(st_domain_position_name(domain, 64));
}

/* Arguments are not evaluated at a position without hooks. */
static void test_unhooked(void)
{
    unsigned evaluated = 0;
    st_domain *domain = st_domain_create("quiet");
    ST_HOOK(domain, 0, (evaluated++, NULL), NULL);
    CU_ASSERT_EQUAL(evaluated, 0);
    st_hook_invoke(domain, 99, NULL, NULL);
}

/* Before tw_init() there is neither a virtual time nor a guard. */
static void test_without_a_run(void)
{
    tw_pe *pe = g_tw_pe;
    const char *before = fake.observer;
    st_domain *domain = st_domain_create("early");
    g_tw_pe = NULL;
    fake.observer = NULL;
    CU_ASSERT_EQUAL(st_hook_attach(domain, ST_AT(0), note, tag(1)), ST_OK);
    n_calls = 0;
    ST_HOOK(domain, 0, NULL, NULL);
    CU_ASSERT_EQUAL(n_calls, 1);
    CU_ASSERT_PTR_NULL(fake.observer);
    g_tw_pe = pe;
    fake.observer = before;
}

/* The engine calls only the probes that some hook needs; without hooks it does not even read a
 * clock. */
static void test_probes(void)
{
#define ONE(probe) PROBE_BIT(probe)
    static const uint32_t wanted[ST_POSITIONS] = {[ST_POS_BEFORE_EVENT] = ONE(event_starting),
                                                  [ST_POS_AFTER_EVENT] = ONE(event_executed),
                                                  [ST_POS_COMMIT] = ONE(event_committed),
                                                  [ST_POS_UNDO] = ONE(event_undone),
                                                  [ST_POS_STRAGGLER] = ONE(rollback_begin),
                                                  [ST_POS_SEND] = ONE(event_sent),
                                                  [ST_POS_QUEUE_PUSH] = ONE(queue_pushed),
                                                  [ST_POS_QUEUE_POP] = ONE(queue_popped),
                                                  [ST_POS_ROLLBACK_END] = ONE(rollback_end),
                                                  [ST_POS_RECEIVE] = ONE(message_received),
                                                  [ST_POS_ANTI_MESSAGE] =
                                                      ONE(message_received) | ONE(message_sent),
                                                  [ST_POS_GVT_BEGIN] = ONE(gvt_started),
                                                  [ST_POS_GVT_END] = ONE(gvt_finished),
                                                  [ST_POS_FOSSILS] = ONE(fossils_collected),
                                                  [ST_POS_LP_INIT] = ONE(lp_init),
                                                  [ST_POS_LP_FINAL] = ONE(lp_final)};
#undef ONE
    CU_ASSERT_EQUAL(fake.probes.wanted, 0);
    st_domain *domains[] = {st_domain_pe(), st_domain_kp(2), st_domain_lp(3)};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned p = 0; p < ST_POSITIONS; p++) {
            CU_ASSERT_EQUAL(st_hook_attach(domains[i], ST_AT(p), note, tag(1)), ST_OK);
            CU_ASSERT_EQUAL(fake.probes.wanted, wanted[p]);
            CU_ASSERT_EQUAL(st_hook_detach(domains[i], note, tag(1)), ST_OK);
            CU_ASSERT_EQUAL(fake.probes.wanted, 0);
        }
    }
    st_domain *own = st_domain_create("own");
    CU_ASSERT_EQUAL(st_hook_attach(own, ST_AT_ALL, note, tag(1)), ST_OK);
    CU_ASSERT_EQUAL(fake.probes.wanted, 0); /* a domain of the model: no probe of the engine */
    CU_ASSERT_EQUAL(st_hook_detach(own, note, tag(1)), ST_OK);
}

static void execute_one(void)
{
    struct fake_event event;
    fake_event_init(&event, 0, 3, 0.0, 2.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    if (PROBE_IS_WANTED(&fake.probes, event_starting)) {
        PROBE_CALL(&fake.probes, event_starting, &event.view, NULL);
    }
    fake_execute(&event);
    fake_leave();
    fake_commit(&event);
}

static void test_clocks(void)
{
    fake.clock_reads = 0;
    n_calls = 0;
    execute_one();
    CU_ASSERT_EQUAL(n_calls, 0);
    CU_ASSERT_EQUAL(st_hook_attach(st_domain_lp(3), ST_AT_ALL, note, tag(1)), ST_OK);
    execute_one();
    CU_ASSERT_EQUAL(n_calls, 3);
    CU_ASSERT_EQUAL(st_hook_detach(st_domain_lp(3), note, tag(1)), ST_OK);
    execute_one();
    CU_ASSERT_EQUAL(n_calls, 3);
    CU_ASSERT_EQUAL(fake.clock_reads, 0); /* hooks themselves need no clock */
}

/* ---- Changes during a call ------------------------------------------------------------------- */

static void detach_next(const st_hook_context *context, void *arg)
{
    note(context, tag(50));
    st_hook_detach(context->domain, note, arg);
    st_hook_detach(context->domain, detach_next, arg); /* the hook that is running */
    st_hook_attach(context->domain, ST_AT_ALL, note, tag(60));
}

static void test_changes_during_a_call(void)
{
    st_domain *domain = st_domain_create("changing");
    st_hook_attach(domain, ST_AT(0), detach_next, tag(1));
    st_hook_attach(domain, ST_AT(0), note, tag(1));
    st_hook_attach(domain, ST_AT(0), note, tag(2));
    n_calls = 0;
    ST_HOOK(domain, 0, NULL, NULL);
    CU_ASSERT(n_calls == 2 && calls[0] == 50 && calls[1] == 2);
    n_calls = 0;
    ST_HOOK(domain, 0, NULL, NULL);
    CU_ASSERT(n_calls == 2 && calls[0] == 2 && calls[1] == 60);
    hooks_check(&g_st_hooks);
}

/* ---- Random ---------------------------------------------------------------------------------- */

#define N_DOMAINS 200u
#define N_ARGS    4u

static void test_random(void)
{
    static uint64_t positions[N_DOMAINS][N_ARGS]; /* 0: not attached */
    uint64_t random = suite_seed();
    unsigned bad = 0;
    suite_print_seed("bus/hooks", random);
    memset(positions, 0, sizeof(positions));
    for (unsigned i = 0; i < 20000 && bad == 0; i++) {
        unsigned d = (unsigned)random_below(&random, N_DOMAINS);
        unsigned a = (unsigned)random_below(&random, N_ARGS);
        unsigned position = (unsigned)random_below(&random, 64);
        st_domain *domain = d % 2 == 0 ? st_domain_lp(d / 2) : st_domain_kp(d / 2);
        bool attached = positions[d][a] != 0;
        if (random_below(&random, 2) == 0) {
            uint64_t set = random_bits(&random) & random_bits(&random);
            st_result want = set == 0 ? ST_INVALID : attached ? ST_DUPLICATE : ST_OK;
            bad += st_hook_attach(domain, set, note, tag(a)) != want;
            positions[d][a] = want == ST_OK ? set : positions[d][a];
        } else {
            bad += st_hook_detach(domain, note, tag(a)) != (attached ? ST_OK : ST_NOT_FOUND);
            positions[d][a] = 0;
        }
        n_calls = 0;
        st_hook_invoke(domain, position, NULL, NULL);
        unsigned want = 0;
        for (a = 0; a < N_ARGS; a++) {
            want += (positions[d][a] & ST_AT(position)) != 0;
        }
        bad += n_calls != want;
        if (i % 256 == 0) {
            hooks_check(&g_st_hooks);
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"results", test_results},
        {"list", test_list},
        {"names of positions", test_position_names},
        {"unhooked", test_unhooked},
        {"without a run", test_without_a_run},
        {"what the engine calls", test_probes},
        {"no clock is read", test_clocks},
        {"changes during a call", test_changes_during_a_call},
        {"random", test_random},
    };
    MPI_Init(&argc, &argv);
    fake_begin(8);
    if (fake_setup() != TW_OK) {
        return EXIT_FAILURE;
    }
    int status = suite_run("bus/hooks", tests, sizeof(tests) / sizeof(tests[0]));
    fake_finish();
    fake_end();
    MPI_Finalize();
    return status;
}
