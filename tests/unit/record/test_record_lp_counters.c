/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers of the counters of LPs: each gets every change once, whatever the other one takes and
 * whenever either joins or leaves.
 *
 * test: alone=yes
 */
#include <stdlib.h>

#include "record/sample/lp_counters.h"
#include "support/sampling_run.h"

enum { LPS_MOST = 300 };

/* The naive model: what each reader has still to get. */
static uint64_t due[LP_READERS_MAX][LPS_MOST];

/* Takes all changes for a reader, and compares them with the model. */
static void take_all(struct lp_counters *counters, unsigned reader)
{
    bool has[LPS_MOST] = {false};
    for (uint64_t w = 0; w < lp_counters_words(counters); w++) {
        uint64_t word = lp_counters_take_word(counters, reader, w);
        for (unsigned bit = 0; bit < 64; bit++) {
            uint64_t lp = 64 * w + bit;
            if ((word >> bit & 1) != 0) {
                CU_ASSERT_FATAL(lp < counters->n_lps);
                has[lp] = true;
            }
        }
    }
    for (uint64_t lp = 0; lp < counters->n_lps; lp++) {
        CU_ASSERT_EQUAL(has[lp], due[reader][lp] != 0);
        if (has[lp] || lp % 3 == 0) { /* an LP without changes may be taken */
            struct lp_counts change = lp_counters_take(counters, reader, lp);
            CU_ASSERT_EQUAL(change.events_aborted, due[reader][lp]);
            CU_ASSERT_EQUAL(change.events_processed + change.events_rolled_back +
                                change.network_sends + change.network_recvs + change.remote_events,
                            0);
        }
        due[reader][lp] = 0;
    }
}

static void step(struct lp_counters *counters, uint64_t *random)
{
    unsigned reader = (unsigned)random_below(random, LP_READERS_MAX);
    uint64_t what = random_below(random, 100);
    if (what < 90) {
        uint64_t lp = random_below(random, counters->n_lps);
        PROBE_CALL(&fake.probes, event_cancelled, &fake.lps[lp]);
        due[0][lp]++;
        due[1][lp]++;
    } else if (!counters->is_read[reader]) {
        CU_ASSERT_EQUAL_FATAL(lp_counters_join(counters, reader), TW_OK);
        memset(due[reader], 0, sizeof(due[reader]));
    } else if (what < 97) {
        take_all(counters, reader);
    } else {
        lp_counters_leave(counters, reader);
    }
}

static void test_readers(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("readers", random);
    for (int run = 0; run < 20; run++) {
        struct lp_counters counters;
        unsigned n_lps = 1 + (unsigned)random_below(&random, LPS_MOST);
        begin(n_lps);
        CU_ASSERT_EQUAL_FATAL(lp_counters_init(&counters, g_tw_lp, n_lps, N_KPS, true), TW_OK);
        lp_counters_attach(&counters, &fake.probes, true);
        memset(due, 0, sizeof(due));
        for (int i = 0; i < 3000; i++) {
            step(&counters, &random);
        }
        lp_counters_attach(&counters, &fake.probes, false);
        lp_counters_fini(&counters);
        fake_end();
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"readers", test_readers},
    };
    return root_mpi_run("record/lp counters", tests, sizeof(tests) / sizeof(tests[0]));
}
