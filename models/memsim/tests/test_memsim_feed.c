/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The assignment of CTAs to SMs in memsim: in turn, in the order in which a launch first names
 * them, for any number of CTAs; and the message for SMs that do not exist.
 */
/* test: libs=memsim_model,warpscope */
#include "feed.h"
#include "support/suite.h"

enum { SMS = 5, LAUNCHES = 6, CTAS = 2000, ACCESSES = 3000 };

static uint64_t seed;

static void feed_begin(struct ms_feed *f, struct ms_script *script, bool round_robin)
{
    struct model_error error;
    CU_ASSERT_TRUE_FATAL(ms_script_init(script, 1, SMS, "", &error));
    *f = (struct ms_feed){
        .script = script, .sms = SMS, .round_robin = round_robin, .rank = 0, .ranks = 1};
}

static void test_round_robin(void)
{
    static unsigned sm_of[CTAS]; /* 1 + SM; 0: not named yet */
    static uint64_t wanted[LAUNCHES][SMS];
    struct ms_script script;
    struct ms_feed f;
    struct model_error error;
    memset(wanted, 0, sizeof wanted);
    feed_begin(&f, &script, true);
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        unsigned named = 0;
        uint64_t ctas = launch % 2 == 0 ? CTAS : 20;
        memset(sm_of, 0, sizeof sm_of);
        ms_feed_launch(&f, "kernel");
        for (unsigned i = 0; i < ACCESSES; i++) {
            uint64_t cta = random_below(&seed, ctas);
            struct memtrace_access access = {
                .address = i, .cta = cta << 32 | cta, .sm = 77, .size = 4, .type = MEMTRACE_LOAD};
            sm_of[cta] = sm_of[cta] != 0 ? sm_of[cta] : named++ % SMS + 1;
            wanted[launch][sm_of[cta] - 1]++;
            CU_ASSERT_TRUE_FATAL(ms_feed_add(&f, &access, &error));
        }
    }
    CU_ASSERT_TRUE(ms_script_seal(&script, &error));
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        for (unsigned sm = 0; sm < SMS; sm++) {
            uint64_t begin, end;
            ms_script_span(&script, 0, sm, launch, &begin, &end);
            CU_ASSERT_EQUAL(end - begin, wanted[launch][sm]);
        }
    }
    CU_ASSERT_EQUAL(f.sms_named, SMS);
    ms_feed_fini(&f);
    ms_script_fini(&script);
}

static void test_no_such_sm(void)
{
    static const struct {
        unsigned sm;
        const char *text; /* NULL: the SM exists */
    } cases[] = {{SMS - 1, NULL},
                 {SMS, "SM 5, and there are 5 SMs; give more with --sms, or --cta-schedule"},
                 {MS_SMS_MAX - 1, "give more with --sms, or --cta-schedule=round-robin"},
                 {MS_SMS_MAX, "more are not possible, but --cta-schedule=round-robin"}};
    struct ms_script script;
    struct ms_feed f;
    feed_begin(&f, &script, false);
    ms_feed_launch(&f, "kernel");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct model_error error = {""};
        struct memtrace_access access = {.sm = cases[i].sm, .size = 4, .type = MEMTRACE_LOAD};
        CU_ASSERT_EQUAL(ms_feed_add(&f, &access, &error), cases[i].text == NULL);
        if (cases[i].text != NULL && strstr(error.text, cases[i].text) == NULL) {
            printf("wanted \"%s\", got \"%s\"\n", cases[i].text, error.text);
            CU_FAIL("another message");
        }
    }
    CU_ASSERT_EQUAL(f.sms_named, SMS);
    ms_feed_fini(&f);
    ms_script_fini(&script);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"CTAs in turn", test_round_robin},
        {"SMs that there are none of", test_no_such_sm},
    };
    seed = suite_seed();
    suite_print_seed("memsim feed", seed);
    return suite_run("memsim feed", tests, sizeof tests / sizeof *tests);
}
