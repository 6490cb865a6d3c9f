/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes of overlapping slices, against all pairs of slices and against a search from the first
 * lane.
 */
/* test: libs=warpscope_reading */
#include "support/suite.h"

#include "timeline/lanes.h"

enum { N = 300 };

struct slice {
    int64_t begin, end, parent; /* number of the parent, -1 none */
    uint32_t lane;
    bool inside;
};

static struct ws_task_id id_of(int64_t number)
{
    return (struct ws_task_id){number < 0 ? -1 : 5, -1, (uint64_t)number};
}

/* Returns the number of open slices of a lane at a time; *inner: the innermost. */
static unsigned open_count(const struct slice *s, int64_t n, uint32_t lane, int64_t time,
                           int64_t *inner)
{
    unsigned open = 0;
    for (int64_t i = 0; i < n; i++) {
        if (s[i].lane == lane && s[i].end > time) {
            *inner = i;
            open++;
        }
    }
    return open;
}

static void lane_expect(const struct slice *s, int64_t n)
{
    const struct slice *mine = &s[n];
    uint32_t want = WS_LANES_NONE, empty = WS_LANES_NONE;
    for (uint32_t lane = 0; lane <= N; lane++) {
        int64_t inner = -1;
        unsigned open = open_count(s, n, lane, mine->begin, &inner);
        if (open == 0 && empty == WS_LANES_NONE) {
            empty = lane;
        }
        if (want == WS_LANES_NONE && open > 0 && open < WS_LANES_DEPTH && inner == mine->parent &&
            mine->end <= s[inner].end) {
            want = lane;
        }
    }
    CU_ASSERT_EQUAL(mine->inside, want != WS_LANES_NONE);
    CU_ASSERT_EQUAL(mine->lane, want != WS_LANES_NONE ? want : empty);
}

static void test_random(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("lanes", random);
    struct ws_lanes lanes = {0};
    unsigned n_inside = 0;
    for (unsigned round = 0; round < 40; round++) {
        static struct slice s[N];
        int64_t now = 0;
        uint64_t longest = 1 + random_below(&random, 60);
        ws_lanes_reset(&lanes);
        for (int64_t i = 0; i < N; i++) {
            now += (int64_t)random_below(&random, 4);
            s[i] = (struct slice){.begin = now, .parent = -1};
            s[i].end = now + (int64_t)random_below(&random, longest);
            if (i > 0 && random_below(&random, 3) > 0) {
                s[i].parent = i - 1 - (int64_t)random_below(&random, i < 4 ? (uint64_t)i : 4);
            }
            if (s[i].parent >= 0 && s[s[i].parent].end >= now && random_below(&random, 4) > 0) {
                s[i].end = s[s[i].parent].end; /* ends as the parent does */
            }
            s[i].lane = ws_lanes_take(&lanes, id_of(i), id_of(s[i].parent), s[i].begin, s[i].end,
                                      &s[i].inside);
            n_inside += s[i].inside;
            lane_expect(s, i);
        }
        CU_ASSERT(ws_lanes_check(&lanes));
    }
    CU_ASSERT(n_inside > 200);
    ws_lanes_free(&lanes);
}

static void test_limits(void)
{
    struct ws_lanes lanes = {0};
    bool inside;
    for (int64_t i = 0; i < 10; i++) { /* nested slices: at some depth they go to another lane */
        uint32_t lane = ws_lanes_take(&lanes, id_of(i), id_of(i - 1), i, 100, &inside);
        CU_ASSERT_EQUAL(lane, i < WS_LANES_DEPTH ? 0 : 1);
        CU_ASSERT_EQUAL(inside, i % WS_LANES_DEPTH != 0);
    }
    ws_lanes_reset(&lanes);
    for (int64_t i = 0; i < WS_LANES_MAX; i++) {
        CU_ASSERT_EQUAL(ws_lanes_take(&lanes, id_of(i), id_of(-1), 0, 1 + i, &inside), i);
    }
    CU_ASSERT_EQUAL(ws_lanes_take(&lanes, id_of(-2), id_of(-1), 0, 5, &inside), WS_LANES_NONE);
    CU_ASSERT_FALSE(lanes.no_memory);
    CU_ASSERT_EQUAL(ws_lanes_take(&lanes, id_of(-2), id_of(-1), 2, 5, &inside), 0);
    CU_ASSERT(ws_lanes_check(&lanes));
    ws_lanes_free(&lanes);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"against all pairs", test_random},
                                        {"limits", test_limits}};
    return suite_run("timeline lanes", tests, sizeof tests / sizeof tests[0]);
}
