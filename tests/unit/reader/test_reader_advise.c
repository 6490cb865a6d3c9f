/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the rules of warpscope advise on synthetic figures. Each rule gives its advice with its
 * figure, and none for a healthy run, for one just below its limit, or for unknown figures.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"
#include "support/suite.h"

/* An optimistic run of a million events on 2 of 8 processors, with nothing to change. */
static struct advise_facts healthy(void)
{
    struct advise_facts f = {.e.scheduler = WS_SCHED_OPTIMISTIC,
                             .e.ranks = 2,
                             .e.processors = 8,
                             .e.lps = 1024,
                             .e.kps_per_pe = 64,
                             .batch = 16,
                             .gvt_interval = 64,
                             .max_optimism = (double)NAN,
                             .e.sum.processed = 1e6,
                             .e.sum.undone = 50e3,
                             .e.sum.remote = 20e3,
                             .e.sum.gvts = 1000,
                             .span = 1000,
                             .e.lp_events = 2e3,
                             .e.lps_events = 1e6,
                             .bound = (double)NAN,
                             .has_placement = true,
                             .events = 1e6,
                             .remote_now = 20e3,
                             .remote_new = 15e3,
                             .balance_now = 1.04,
                             .balance_new = 1.01,
                             .speed_up = 100,
                             .in_order = 1.9,
                             .lookahead = 0.5,
                             .window_events = 40,
                             .slow_rank = 1,
                             .slow_times = 1.1,
                             .slow_by_types = true,
                             .hot_lp = 7,
                             .path_lp = 8,
                             .hot_type = "router",
                             .hot_part = 0.002,
                             .map = "found.map"};
    return f;
}

/* ---- What a rule is for, and what is just not enough ----------------------------------------- */

static void random_rollbacks(struct advise_facts *f, bool enough)
{
    f->e.sum.undone = 600e3;
    f->e.random_rollbacks = enough;
    f->has_bound = true;
}
static void kps(struct advise_facts *f, bool enough)
{
    f->e.kps_per_pe = 2;
    f->e.sum.undone = enough ? 310e3 : 99e3;
}
static void kps_of_few(struct advise_facts *f, bool enough)
{
    f->e.kps_per_pe = 64;
    f->e.sum.undone = 310e3;
    f->e.lps = enough ? 1024 : 1022; /* 8 LPs per KP, and fewer */
}
static void kps_placed(struct advise_facts *f, bool enough)
{
    kps(f, true);
    f->remote_now = enough ? 20e3 : 200e3; /* the placement changes first */
}
static void bound(struct advise_facts *f, bool enough)
{
    f->e.sum.undone = enough ? 310e3 : 199e3;
    f->e.kps_per_pe = 512;
    f->has_bound = true;
    f->bound = 0.25;
}
static void bound_rounds(struct advise_facts *f, bool enough)
{
    bound(f, true);
    f->e.sum.gvts = enough ? 1001 : 999; /* a quarter of those that the bound needs */
}
static void bound_given(struct advise_facts *f, bool enough)
{
    bound(f, true);
    f->max_optimism = enough ? 0.3 : 0.2;
}
static void batch_large(struct advise_facts *f, bool enough)
{
    f->is_batch_given = true;
    f->batch = enough ? 1024 : 1023;
    f->e.sum.undone = 310e3;
    f->e.kps_per_pe = 512;
}
static void batch_waste(struct advise_facts *f, bool enough)
{
    batch_large(f, true);
    f->e.sum.undone = enough ? 110e3 : 90e3;
}
static void batch_small(struct advise_facts *f, bool enough)
{
    f->is_batch_given = true;
    f->batch = enough ? 3 : 4;
}
static void gvt_often(struct advise_facts *f, bool enough)
{
    f->is_gvt_given = true;
    f->gvt_interval = enough ? 3 : 4;
    f->e.sum.gvts = 8000;
}
static void gvt_given(struct advise_facts *f, bool enough)
{
    gvt_often(f, true);
    f->is_gvt_given = enough; /* an adaptive interval is as it must be */
}
static void gvt_rare(struct advise_facts *f, bool enough)
{
    f->is_gvt_given = true;
    f->gvt_interval = 5000;
    f->e.sum.gvts = enough ? 100 : 130;
}
static void placement_remote(struct advise_facts *f, bool enough)
{
    f->remote_now = 200e3;
    f->remote_new = enough ? 139e3 : 141e3;
}
static void placement_uneven(struct advise_facts *f, bool enough)
{
    f->balance_now = 1.6;
    f->balance_new = enough ? 1.27 : 1.29;
    f->is_by_time = true;
}
static void placement_worse(struct advise_facts *f, bool enough)
{
    placement_remote(f, true);
    f->balance_new = enough ? 1.1 : 1.2; /* uneven for the sake of few remote events */
}
static void slow(struct advise_facts *f, bool enough)
{
    f->slow_times = enough ? 1.6 : 1.4;
}
static void slow_untyped(struct advise_facts *f, bool enough)
{
    f->slow_by_types = false;
    f->slow_times = enough ? 2.1 : 1.9;
}
static void hot(struct advise_facts *f, bool enough)
{
    f->hot_part = enough ? 0.6 : 0.54;
}
static void hot_path(struct advise_facts *f, bool enough)
{
    f->e.ranks = 8;
    f->in_order = 7.0;
    f->speed_up = enough ? 5.5 : 8.5;
    f->path_lps = 2;
}
static void hot_path_many(struct advise_facts *f, bool enough)
{
    hot_path(f, true);
    f->path_lps = enough ? 4 : 0; /* more than can be named */
}
static void ranks_processors(struct advise_facts *f, bool enough)
{
    f->e.processors = enough ? 1 : 2;
}
static void ranks_path(struct advise_facts *f, bool enough)
{
    f->e.ranks = 6;
    f->speed_up = enough ? 4.2 : 5.2;
}
static void ranks_none(struct advise_facts *f, bool enough)
{
    f->speed_up = enough ? 1.1 : 1.3;
}
static void ranks_more(struct advise_facts *f, bool enough)
{
    f->more_ranks = 8;
    f->more_in_order = enough ? 4.1 : 3.9;
    f->more_remote = 0.03;
}
static void ranks_more_remote(struct advise_facts *f, bool enough)
{
    ranks_more(f, true);
    f->more_remote = enough ? 0.1 : 0.11;
}
static void ranks_more_now(struct advise_facts *f, bool enough)
{
    ranks_more(f, true);
    f->more_in_order = 4.5;
    f->in_order = enough ? 2.9 : 3.1;
}
static void one_rank(struct advise_facts *f, bool enough)
{
    f->e.ranks = 1;
    f->e.scheduler = enough ? WS_SCHED_OPTIMISTIC : WS_SCHED_SEQUENTIAL;
}
static void windows_narrow(struct advise_facts *f, bool enough)
{
    f->e.scheduler = WS_SCHED_CONSERVATIVE;
    f->e.sum.undone = 0;
    f->e.sum.gvts = enough ? 63e3 : 62e3; /* 7.9 and 8.1 events of a rank */
}
static void windows_wide(struct advise_facts *f, bool enough)
{
    f->e.sum.undone = 310e3;
    f->e.kps_per_pe = 512;
    f->window_events = enough ? 130 : 126;
}
static void windows_waste(struct advise_facts *f, bool enough)
{
    windows_wide(f, true);
    f->e.sum.undone = enough ? 210e3 : 190e3;
}
static void windows_later(struct advise_facts *f, bool enough)
{
    windows_wide(f, true);
    f->e.kps_per_pe = enough ? 512 : 2; /* more KPs first */
}
static void sequential(struct advise_facts *f, bool enough)
{
    f->e.sum.undone = enough ? 510e3 : 490e3;
    f->e.kps_per_pe = 512;
}

static const struct {
    const char *subject;
    void (*change)(struct advise_facts *f, bool enough);
    const char *options, *launcher;
    const char *figure; /* in the evidence */
    const char *advice; /* in the advice */
    bool has_condition;
} cases[] = {
    {"random-rollbacks", random_rollbacks, "--random-rollbacks=0", "", "60 %", "out", false},
    {"nkp", kps, "--nkp=16", "", "31 % of the executed", "16 KPs per rank instead of 2", false},
    {"nkp", kps_of_few, "--nkp=256", "", "8 LPs share a KP", "256 KPs", false},
    {"nkp", kps_placed, "--nkp=16", "", "31 %", "16 KPs", false},
    {"max-opt-lookahead", bound, "--max-opt-lookahead=0.25", "", "more than 0.25", "wait", false},
    {"max-opt-lookahead", bound_rounds, "--max-opt-lookahead=0.25", "", "31 %", "0.25", false},
    {"max-opt-lookahead", bound_given, "--max-opt-lookahead=0.25", "", "31 %", "0.25", false},
    {"batch", batch_large, "--batch=16", "", "after 1024 events", "batches of 16", false},
    {"batch", batch_waste, "--batch=16", "", "11 %", "batches of 16", false},
    {"batch", batch_small, "--batch=16", "", "every 3 of its", "batches of 16", false},
    {"gvt-interval", gvt_often, "--gvt-interval=64", "", "every 62.5", "adapts", false},
    {"gvt-interval", gvt_given, "--gvt-interval=64", "", "8000 GVT", "adapts", false},
    {"gvt-interval", gvt_rare, "--gvt-interval=64", "", "5e+03 executed", "adapts", false},
    {"placement", placement_remote, "--lp-map=found.map", "", "200,000", "map", false},
    {"placement", placement_uneven, "--lp-map=found.map", "",
     "Handler time of the busiest rank "
     "beside the mean: 1.60, with METIS 1.27",
     "map", false},
    {"placement", placement_worse, "--lp-map=found.map", "", "139,000", "map", false},
    {"slow-rank", slow, "", "", "Rank 1 takes 1.6 times", "processor", false},
    {"slow-rank", slow_untyped, "", "", "Rank 1 takes 2.1 times", "--event-times=1", false},
    {"hot-lps", hot, "", "",
     "LP 7 (router) has 60 % of the events: whatever the placement, no run "
     "is more than 1.667 times",
     "No option mends that", false},
    {"hot-lps", hot_path, "", "", "2 LPs have half of the critical path, LP 8 most",
     "No option mends that", false},
    {"hot-lps", hot_path_many, "", "", "4 LPs have half", "No option mends that", false},
    {"ranks", ranks_processors, "", "-n 1", "2 ranks shared 1 processor", "--synch=1", false},
    {"ranks", ranks_path, "", "-n 5", "4.200 times", "Run on 5 ranks.", false},
    {"ranks", ranks_none, "", "-n 1", "1.100 times", "Run on 1 rank, with --synch=1.", false},
    {"ranks", ranks_more, "", "-n 8", "reach 4.1 times", "partition --ranks=8", false},
    {"ranks", ranks_more_remote, "", "-n 8", "10.0 % of the events", "Run on 8 ranks", false},
    {"ranks", ranks_more_now, "", "-n 8", "as placed now 2.9", "Run on 8 ranks", false},
    {"synch", one_rank, "--synch=1", "", "no event can come late", "sequential", false},
    {"synch", windows_narrow, "--synch=3", "", "7.9 events", "optimistic", true},
    {"synch", windows_wide, "--synch=2 --cons-lookahead=0.499999", "", "65 events of a rank",
     "conservative", true},
    {"synch", windows_waste, "--synch=2 --cons-lookahead=0.499999", "", "21.0 %", "conservative",
     true},
    {"synch", windows_later, "--synch=2 --cons-lookahead=0.499999", "", "31.0 %", "conservative",
     true},
    {"synch", sequential, "--synch=1", "-n 1", "at most 0.98 times", "sequential", true},
};
#define N_CASES (sizeof cases / sizeof cases[0])

static const struct advise_item *find(const struct advise_list *list, const char *subject)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (strcmp(list->items[i].subject, subject) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Checks what holds for every list: sentences, gains, and each option at most once. */
static void list_check(const struct advise_list *list, const char *name)
{
    char seen[2048] = " ";
    for (uint32_t i = 0; i < list->n; i++) {
        const struct advise_item *item = &list->items[i];
        bool is_keep = item->verdict == ADVISE_KEEP;
        size_t evidence = strlen(item->evidence), advice = strlen(item->advice);
        bool good = evidence > 0 && evidence < ADVISE_TEXT - 1 && advice < ADVISE_TEXT - 1 &&
                    item->evidence[evidence - 1] == '.' && is_keep == (advice == 0) &&
                    (advice == 0 || item->advice[advice - 1] == '.') && item->least >= 0.0 &&
                    item->least <= item->most && item->most <= 1.0 && item->weight <= 1.0 &&
                    (item->verdict == ADVISE_CHANGE || item->options[0] == '\0') &&
                    (i == 0 || item->weight <= list->items[i - 1].weight);
        char copy[ADVISE_OPTIONS];
        snprintf(copy, sizeof copy, "%s", item->has_condition ? "" : item->options);
        for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
            char option[ADVISE_OPTIONS + 2];
            snprintf(option, sizeof option, " %.*s=", (int)strcspn(word, "="), word);
            good = good && strstr(seen, option) == NULL;
            strncat(seen, option, sizeof seen - strlen(seen) - 1);
        }
        if (!good) {
            printf("%s: %s: %s | %s | %s\n", name, item->subject, item->evidence, item->advice,
                   item->options);
        }
        CU_ASSERT_TRUE(good);
    }
}

static void judge(struct advise_list *list, const struct advise_facts *f, const char *name)
{
    advise_judge(list, f);
    list_check(list, name);
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_CASES; i++) {
        struct advise_list list;
        struct advise_facts f = healthy();
        cases[i].change(&f, true);
        judge(&list, &f, cases[i].subject);
        const struct advise_item *item = find(&list, cases[i].subject);
        CU_ASSERT_PTR_NOT_NULL_FATAL(item);
        bool good = item->verdict == ADVISE_CHANGE &&
                    strcmp(item->options, cases[i].options) == 0 &&
                    strcmp(item->launcher, cases[i].launcher) == 0 &&
                    strstr(item->evidence, cases[i].figure) != NULL &&
                    strstr(item->advice, cases[i].advice) != NULL &&
                    item->has_condition == cases[i].has_condition && item->weight > 0.0;
        if (!good) {
            printf("case %zu, %s: verdict %d: %s | %s | %s | %s\n", i, cases[i].subject,
                   (int)item->verdict, item->evidence, item->advice, item->options, item->launcher);
        }
        CU_ASSERT_TRUE(good);
        f = healthy();
        cases[i].change(&f, false);
        judge(&list, &f, cases[i].subject);
        item = find(&list, cases[i].subject);
        if (item->verdict == ADVISE_CHANGE) {
            printf("case %zu, %s, is not enough: %s\n", i, cases[i].subject, item->evidence);
        }
        CU_ASSERT_TRUE(item->verdict != ADVISE_CHANGE);
    }
}

static void test_healthy(void)
{
    struct advise_list list;
    struct advise_facts f = healthy();
    judge(&list, &f, "healthy");
    for (uint32_t i = 0; i < list.n; i++) {
        if (list.items[i].verdict != ADVISE_KEEP) {
            printf("healthy: %s: %s\n", list.items[i].subject, list.items[i].evidence);
        }
        CU_ASSERT_TRUE(list.items[i].verdict == ADVISE_KEEP);
    }
}

/* Where nothing was recorded, no rule advises a change. */
static void test_unknown(void)
{
    struct advise_list list;
    double none = (double)NAN;
    static const enum ws_scheduler schedulers[] = {WS_SCHED_OPTIMISTIC, WS_SCHED_CONSERVATIVE,
                                                   WS_SCHED_SEQUENTIAL, WS_SCHED_UNKNOWN};
    for (int kind = 0; kind < 4; kind++) {
        struct advise_facts f = {.e.scheduler = schedulers[kind],
                                 .e.ranks = kind == 2 ? 1 : 3,
                                 .batch = none,
                                 .gvt_interval = none,
                                 .max_optimism = none,
                                 .e.sum.processed = none,
                                 .e.sum.undone = none,
                                 .e.sum.remote = none,
                                 .e.sum.gvts = none,
                                 .span = none,
                                 .e.lp_events = none,
                                 .e.lps_events = none,
                                 .bound = none,
                                 .placement_why = "record with --event-trace=3",
                                 .speed_up = none,
                                 .speed_up_why = "Not known: record it.",
                                 .in_order = none,
                                 .lookahead = none,
                                 .slow_times = none,
                                 .hot_part = none};
        judge(&list, &f, "unknown");
        for (uint32_t i = 0; i < list.n; i++) {
            CU_ASSERT_TRUE(list.items[i].verdict != ADVISE_CHANGE);
        }
        CU_ASSERT_EQUAL(find(&list, "hot-lps")->verdict, ADVISE_UNKNOWN);
    }
}

/* More ranks: as the processors, the model, and the LPs allow. */
static void test_more(void)
{
    struct advise_facts f = healthy();
    CU_ASSERT_EQUAL(advise_ranks_more(&f), 8);
    f.speed_up = 9.9;
    CU_ASSERT_EQUAL(advise_ranks_more(&f), 4);
    f.speed_up = 7.9; /* only 3 */
    CU_ASSERT_EQUAL(advise_ranks_more(&f), 0);
    f = healthy();
    f.e.lps = 47;
    CU_ASSERT_EQUAL(advise_ranks_more(&f), 5);
    f = healthy();
    f.e.sum.undone = 210e3; /* rollbacks first */
    CU_ASSERT_EQUAL(advise_ranks_more(&f), 0);
    f = healthy();
    f.e.processors = 3;
    CU_ASSERT_EQUAL(advise_ranks_more(&f), 0);
}

/* Without a map, the placement is advice in words only. */
static void test_no_map(void)
{
    struct advise_list list;
    struct advise_facts f = healthy();
    placement_remote(&f, true);
    f.map = NULL;
    judge(&list, &f, "no map");
    const struct advise_item *item = find(&list, "placement");
    CU_ASSERT_TRUE(item->verdict == ADVISE_CHANGE && item->options[0] == '\0');
    CU_ASSERT_PTR_NOT_NULL(strstr(item->advice, "--map=FILE"));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"cases", test_cases},
                                        {"a healthy run", test_healthy},
                                        {"nothing known", test_unknown},
                                        {"more ranks", test_more},
                                        {"no map", test_no_map}};
    return suite_run("advise", tests, sizeof tests / sizeof *tests);
}
