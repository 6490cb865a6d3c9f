/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of committed events for --map=auto against a matrix: both directions of a pair are one,
 * events of LPs to themselves are apart, one event in four is held back. Gids with and without holes.
 */
#include <stdlib.h>
#include <string.h>

#include "move/move_private.h"
#include "support/suite.h"

enum { LPS = 30 };

static uint64_t seed;

/* Counts n random events of LPs 0 to LPS - 1, all local; fills the matrix by smaller and larger LP. */
static void events_count(struct move_counts *c, uint64_t n, uint64_t matrix[LPS][LPS])
{
    tw_lp *lps = calloc(LPS, sizeof *lps);
    tw_event *event = calloc(1, sizeof *event + 64);
    for (tw_lpid i = 0; i < LPS; i++) {
        lps[i].id = i;
        lps[i].gid = id_set_at(&c->mapping->gids, i);
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t src = random_below(&seed, LPS), dest = random_below(&seed, LPS);
        event->send_lp = lps[src].gid;
        event->dest_lp = &lps[dest];
        move_counts_add(c, event);
        matrix[src < dest ? src : dest][src < dest ? dest : src]++;
    }
    free(event);
    free(lps);
}

static void mapping_with_holes(struct mapping *mapping)
{
    uint64_t gids[LPS];
    for (uint64_t i = 0; i < LPS; i++) {
        gids[i] = UINT64_MAX / LPS * i;
    }
    mapping->gids = (struct id_set){0};
    CU_ASSERT_TRUE(id_set_add(&mapping->gids, gids, LPS) && id_set_index(&mapping->gids));
}

static void test_matrix(void)
{
    for (int round = 0; round < 20; round++) {
        uint64_t matrix[LPS][LPS] = {{0}}, sum = 0, held = 0, self = 0, pairs = 0, received = 0;
        uint64_t n = random_below(&seed, 5000);
        struct move_counts c;
        struct mapping mapping = {.gids.n = LPS};
        if (round % 2 == 1) {
            mapping_with_holes(&mapping);
        }
        move_counts_init(&c, &mapping, LPS);
        events_count(&c, n, matrix);
        for (size_t i = 0; i < c.n_pairs; i++) {
            const struct partition_pair *p = &c.pairs[i];
            uint64_t events = move_seen(p->events) + move_held(p->events);
            CU_ASSERT_TRUE_FATAL(p->key >> 32 < (uint32_t)p->key && (uint32_t)p->key < LPS);
            CU_ASSERT_EQUAL(events, matrix[p->key >> 32][(uint32_t)p->key]);
            sum += events;
            held += move_held(p->events);
        }
        for (int a = 0; a < LPS; a++) {
            self += matrix[a][a];
            received += c.received[a];
            for (int b = a + 1; b < LPS; b++) {
                pairs += matrix[a][b] > 0;
            }
        }
        CU_ASSERT_TRUE(c.events == n && c.self == self && c.lost == 0 && received == n);
        CU_ASSERT_TRUE(sum == n - self && c.n_pairs == pairs);
        CU_ASSERT_TRUE(c.held == n / MOVE_HOLD && held <= c.held && held + self >= c.held);
        move_counts_fini(&c);
        CU_ASSERT_TRUE(c.pairs == NULL && c.events == 0);
        move_counts_fini(&c);
        id_set_free(&mapping.gids);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"matrix", test_matrix}};
    seed = suite_seed();
    suite_print_seed("move counts", seed);
    return suite_run("move counts", tests, sizeof tests / sizeof *tests);
}
