/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flight recorders: the buffers keep the last records, and at least as many bytes as requested; the
 * file has them in order and counts the others; the GVT from which on nothing is missing is right.
 * Conditions that save the records.
 *
 * test: alone=yes
 */
#include <math.h>
#include <time.h>

#include "record/flight_trigger.h"
#include "support/stream_bench.h"
#include "support/suite.h"

/* ---- Rings ----------------------------------------------------------------------------------- */

/* Puts random records in two channels and compares what is left with the model. */
static void run_ring(uint64_t *random, uint64_t size, unsigned gvt_every)
{
    static uint64_t step_of[2][MODEL_RECORDS_MAX]; /* step at which a record was put */
    struct stream_model *e = calloc(1, sizeof(*e));
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = size, .n_channels = 2, .overwrites = true});
    uint64_t n = 1 + random_below(random, MODEL_RECORDS_MAX);
    for (uint64_t k = 0; k < n; k++) {
        unsigned channel = random_below(random, 5) == 0;
        uint32_t payload = (uint32_t)random_below(random, 200);
        step_of[channel][e->n[channel]] = k;
        e->sizes[channel][e->n[channel]] = payload;
        model_put(&b.stream, channel, e->n[channel]++, payload);
        if (random_below(random, gvt_every) == 0) {
            stream_gvt_advanced(&b.stream, (double)k);
        }
        if (random_below(random, 500) == 0) {
            CU_ASSERT(stream_check(&b.stream));
        }
    }
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 0);
    b.stream.gvt = (double)n;
    struct stream_totals totals = bench_finish(&b);
    e->ring = true;
    CU_ASSERT_EQUAL(model_compare(&b.io, e), 0);
    CU_ASSERT_EQUAL(e->wrong, 0);
    CU_ASSERT_EQUAL(totals.written, e->seen[0] + e->seen[1]);
    CU_ASSERT_EQUAL(totals.written + totals.overwritten, n);
    CU_ASSERT_EQUAL(totals.lost + totals.dropped, 0);
    CU_ASSERT_EQUAL(e->end.overwritten, totals.overwritten);
    uint64_t kept = 0;
    for (unsigned channel = 0; channel < 2; channel++) {
        uint64_t first = e->n[channel] - e->seen[channel];
        CU_ASSERT(e->seen[channel] == 0 || e->next[channel] == e->n[channel]);
        CU_ASSERT(first == 0 || (double)step_of[channel][first - 1] <= e->end.kept_gvt);
        for (uint64_t i = first; i < e->n[channel]; i++) {
            kept += fmt_row_bytes(fmt_schema_builtin(model_kinds[channel])->row_size,
                                  e->sizes[channel][i]);
        }
    }
    CU_ASSERT(totals.overwritten == 0 || kept >= size);
    bench_end(&b);
    free(e);
}

static void test_rings(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("rings", random);
    static const uint64_t sizes[] = {1, 100, 5000, 70000, 300000, 1 << 20};
    for (unsigned i = 0; i < 24; i++) {
        run_ring(&random, sizes[i % 6], i % 2 == 0 ? 20 : 3000);
    }
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static void test_conditions(void)
{
    static const char *const bad[] = {"efficiency",
                                      "efficiency:",
                                      "efficiency:0",
                                      "efficiency:1.1",
                                      "efficiency:-1",
                                      "efficiency:101%",
                                      "efficiency:nan",
                                      "efficiency:5s",
                                      "efficiency:%",
                                      "efficiency<0.5",
                                      "gvt-stuck",
                                      "gvt-stuck:10",
                                      "gvt-stuck:0s",
                                      "gvt-stuck:-1s",
                                      "gvt-stuck:1e999s",
                                      "gvt-stuck:10s,",
                                      ",gvt-stuck:10s",
                                      "efficiency:0.5,,gvt-stuck:1s",
                                      "gvt-stuck:s",
                                      "gvt-stuck:1e-300s",
                                      "gvt-stuck:0.999s",
                                      " ",
                                      "x"};
    struct flight_trigger t;
    char error[300];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        error[0] = '\0';
        CU_ASSERT_FALSE(flight_trigger_read(&t, bad[i], error, sizeof(error)));
        CU_ASSERT_PTR_NOT_NULL(strstr(error, "--flight-trigger: "));
    }
    CU_ASSERT(flight_trigger_read(&t, "", error, sizeof(error)));
    CU_ASSERT(t.efficiency <= 0.0 && t.stuck <= 0.0);
    CU_ASSERT(flight_trigger_read(&t, "efficiency:25%,gvt-stuck:1.5s", error, sizeof(error)));
    CU_ASSERT_DOUBLE_EQUAL(t.efficiency, 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(t.stuck, 1.5, 1e-12);
    CU_ASSERT(flight_trigger_read(&t, "gvt-stuck:1s", error, sizeof(error)));
}

/* Advances the run by seconds, in which `processed` events are executed and `undone` undone. */
static bool fires(struct flight_trigger *t, struct flight_state *s, double seconds,
                  uint64_t processed, uint64_t undone, double gvt)
{
    char reason[100] = "";
    s->seconds += seconds;
    s->processed += processed;
    s->net += processed - undone;
    s->gvt = gvt;
    bool fired = flight_trigger_fires(t, s, reason, sizeof(reason));
    CU_ASSERT_EQUAL(fired, reason[0] != '\0');
    return fired;
}

static void test_efficiency(void)
{
    struct flight_trigger t;
    struct flight_state s = {.seconds = 5.0, .processed = 1000, .net = 100};
    char error[300];
    CU_ASSERT(flight_trigger_read(&t, "efficiency:0.5", error, sizeof(error)));
    CU_ASSERT_FALSE(fires(&t, &s, 0.0, 0, 0, 1.0));       /* the past does not count */
    CU_ASSERT_FALSE(fires(&t, &s, 0.5, 5000, 4000, 2.0)); /* less than a period */
    CU_ASSERT(fires(&t, &s, 0.5, 5000, 4000, 3.0));
    CU_ASSERT_FALSE(fires(&t, &s, 1.5, 5000, 4000, 4.0)); /* still low */
    CU_ASSERT_FALSE(fires(&t, &s, 1.5, 5000, 2500, 5.0)); /* not below */
    CU_ASSERT(fires(&t, &s, 1.5, 5000, 2501, 6.0));
    CU_ASSERT_FALSE(fires(&t, &s, 1.5, 5000, 0, 7.0));
    CU_ASSERT_FALSE(fires(&t, &s, 1.5, 900, 900, 8.0)); /* too few events */
    CU_ASSERT(fires(&t, &s, 0.0, 100, 1000, 8.0));      /* more undone than executed */
}

static void test_stuck(void)
{
    struct flight_trigger t;
    struct flight_state s = {.seconds = 100.0};
    char error[300];
    CU_ASSERT(flight_trigger_read(&t, "gvt-stuck:10s", error, sizeof(error)));
    CU_ASSERT_FALSE(fires(&t, &s, 0.0, 0, 0, 0.0));
    CU_ASSERT_FALSE(fires(&t, &s, 9.5, 0, 0, 0.0));
    CU_ASSERT(fires(&t, &s, 1.0, 0, 0, 0.0));
    CU_ASSERT_FALSE(fires(&t, &s, 100.0, 0, 0, 0.0)); /* once for each GVT */
    CU_ASSERT_FALSE(fires(&t, &s, 100.0, 0, 0, 0.5));
    CU_ASSERT(fires(&t, &s, 10.0, 0, 0, 0.5));
    CU_ASSERT(flight_trigger_read(&t, "gvt-stuck:1s", error, sizeof(error)));
    unsigned saves = 0;
    for (int i = 0; i < 10000; i++) { /* 100 s, in which GVT advances once per 0.15 s */
        saves += fires(&t, &s, 0.01, 0, 0, (double)(i / 15));
    }
    CU_ASSERT_EQUAL(saves, 0);
    for (int i = 0; i < 10000; i++) { /* 100 s, in which GVT advances once per 1.5 s */
        saves += fires(&t, &s, 0.01, 0, 0, 1000.0 + (double)(i / 150));
    }
    CU_ASSERT_EQUAL(saves, 66);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"rings", test_rings},
        {"conditions", test_conditions},
        {"efficiency", test_efficiency},
        {"stuck GVT", test_stuck},
    };
    return suite_run("record/ring", tests, sizeof(tests) / sizeof(tests[0]));
}
