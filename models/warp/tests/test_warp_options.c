/* SPDX-License-Identifier: BSD-3-Clause */
/* The distribution of the events of PHOLD, and the options of warp. */
/* test: libs=warp_model,no_instrumentation alone=yes */
#define MODEL_MESSAGE double
#include "model.h"
#include "support/model_engine.h"

/* Offsets have mean 1 and least value lookahead; destinations are uniform. */
static void test_chains(void)
{
    const unsigned n = 400000;
    const struct chains chains = {
        .ranks = 10, .kps = 4, .events = 1, .remote = 0.3, .lookahead = 0.2};
    const struct wp_source source = chains_source(&chains);
    double sum = 0, squares = 0;
    unsigned to[10] = {0}, kps[4] = {0}, stays = 0;
    struct wp_step step = {.rank = 7};
    CU_ASSERT_TRUE(source.start(source.ctx, 7, 0, &step.event));
    CU_ASSERT_FALSE(source.start(source.ctx, 7, 1, &step.event));
    for (unsigned i = 0; i < n; i++) {
        struct wp_step next;
        CU_ASSERT_EQUAL(source.next(source.ctx, step.rank, &step.event, &next), 1);
        double offset = next.event.at - step.event.at;
        CU_ASSERT_TRUE(offset > 0.2 - 1e-9);
        sum += offset;
        squares += offset * offset;
        stays += next.rank == step.rank;
        to[next.rank]++;
        kps[wp_kp(&next.event)]++;
        CU_ASSERT_EQUAL(next.event.id & (WP_ANTI | WP_COLOUR), 0);
        step = next;
    }
    double mean = sum / n;
    CU_ASSERT_TRUE(fabs(mean - 1) < 0.01);
    CU_ASSERT_TRUE(fabs(squares / n - mean * mean - 0.64) < 0.02);
    CU_ASSERT_TRUE(fabs((double)stays / n - (0.7 + 0.03)) < 0.005);
    for (unsigned i = 0; i < 10; i++) {
        CU_ASSERT_TRUE(fabs((double)to[i] / n - 0.1) < 0.01);
        CU_ASSERT_TRUE(i >= 4 || fabs((double)kps[i] / n - 0.25) < 0.01);
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

static void refused(const char *word)
{
    struct model_error error = {""};
    CU_ASSERT_FALSE(wp_settings_check(1, NULL, &error));
    if (strstr(error.text, word) == NULL) {
        printf("  \"%s\" lacks %s\n", error.text, word);
        CU_FAIL("message");
    }
}

static void test_options(void)
{
    struct wp_settings *s = wp_settings();
    const struct wp_settings defaults = *s;
    struct model_error error = {""};
    CU_ASSERT_TRUE(wp_settings_check(1, NULL, &error));
    s->machine.hop_ns = -2;
    refused("--hop");
    *s = defaults;
    s->cores = s->ranks + 1;
    refused("--cores");
    *s = defaults;
    s->slots = s->events;
    refused("--slots");
    *s = defaults;
    g_tw_synchronization_protocol = CONSERVATIVE;
    s->machine.latency_ns = 0;
    refused("--synch=2");
    *s = defaults;
    /* Every number of cores serves each rank once. */
    for (s->ranks = 1; s->ranks < 20; s->ranks++) {
        for (s->cores = 0; s->cores <= s->ranks; s->cores++) {
            CU_ASSERT_TRUE(wp_settings_check(1, NULL, &error));
            const struct wp_model *m = wp_model();
            uint32_t served = 0;
            for (uint32_t p = 0; p < m->processors; p++) {
                CU_ASSERT_TRUE(wp_ranks_of(m, p) > 0 && wp_processor_of(m, served) == p);
                served += wp_ranks_of(m, p);
            }
            CU_ASSERT_EQUAL(served, s->ranks);
        }
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"chains", test_chains},
        {"options", test_options},
    };
    return seeded_suite_run("warp options", tests, sizeof tests / sizeof *tests);
}
