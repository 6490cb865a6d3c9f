/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lists of requests in an L2 slice: random appending, popping and undoing against arrays, with
 * a check of the state after each step.
 */
/* test: libs=memsim_model,warpscope */
#include "support/memsim_bench.h"
#include "support/suite.h"

enum { OPERATIONS = 200000, DEPTH = 60 };

static uint64_t seed;

static unsigned draw(unsigned n)
{
    return (unsigned)random_below(&seed, n);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* The naive model: the numbers of the requests of each list, and the data to undo steps. */
struct naive {
    uint64_t numbers[LISTS][PLACES];
    unsigned n[LISTS];
};

struct step {
    bool pops;
    unsigned list;
    struct ms_slice_undo undo;
    struct naive before;
};

static bool is_equal(struct ms_slice *s, const struct naive *naive)
{
    for (unsigned list = 0; list < LISTS; list++) {
        unsigned n = 0;
        uint32_t place = list_of(s, list)->first;
        for (; place != 0 && n < naive->n[list]; place = ms_place(&model, s, place)->next) {
            if (ms_place(&model, s, place)->number != naive->numbers[list][n++]) {
                return false;
            }
        }
        if (place != 0 || n != naive->n[list]) {
            return false;
        }
    }
    return true;
}

static void go(struct ms_slice *s, struct naive *naive, struct step *step, uint64_t number)
{
    unsigned list;
    do {
        list = draw(LISTS);
    } while (s->free == 0 && naive->n[list] == 0); /* then it must pop */
    unsigned *n = &naive->n[list];
    step->pops = *n > 0 && (s->free == 0 || draw(2) == 0);
    step->list = list;
    step->before = *naive;
    memset(&step->undo, 0, sizeof step->undo);
    if (step->pops) {
        ms_list_pop(&model, s, list_of(s, list), &step->undo);
        CU_ASSERT_EQUAL(step->undo.popped.number, naive->numbers[list][0]);
        CU_ASSERT_EQUAL(step->undo.popped.next, 0);
        memmove(naive->numbers[list], naive->numbers[list] + 1, --*n * sizeof(uint64_t));
    } else {
        struct ms_request r = {.number = number, .bytes = 1, .next = draw(PLACES)};
        ms_list_append(&model, s, list_of(s, list), &r, &step->undo);
        naive->numbers[list][(*n)++] = number;
    }
}

static void go_back(struct ms_slice *s, struct naive *naive, const struct step *step)
{
    if (step->pops) {
        ms_list_pop_undo(&model, s, list_of(s, step->list), &step->undo);
    } else {
        ms_list_append_undo(&model, s, list_of(s, step->list), &step->undo);
    }
    *naive = step->before;
}

static void test_lists(void)
{
    static struct step steps[DEPTH];
    static struct naive naive;
    struct ms_slice *s = slice_new();
    uint32_t free_before[DEPTH];
    unsigned depth = 0, bad = 0;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        depth = draw(1000) == 0 ? 0 : depth; /* committed */
        if (depth == DEPTH || (depth > 0 && draw(3) == 0)) {
            go_back(s, &naive, &steps[--depth]);
            bad += s->free != free_before[depth]; /* the stack, too, is restored */
        } else {
            free_before[depth] = s->free;
            go(s, &naive, &steps[depth++], i + 1);
        }
        mshrs_follow(s);
        bad += !is_equal(s, &naive) || ms_slice_check(&model, s) != NULL;
    }
    CU_ASSERT_EQUAL(bad, 0);
    free(s);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"lists of requests", test_lists},
    };
    seed = suite_seed();
    suite_print_seed("memsim lists", seed);
    return suite_run("memsim lists", tests, sizeof tests / sizeof *tests);
}
