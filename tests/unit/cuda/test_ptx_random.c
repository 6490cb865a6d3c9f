/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of cuda/ptx on random modules: the tree is the known one, for any layout of the text; and a damaged module
 * ends in a message or in a tree that holds its invariants.
 *
 * test: libs=warpscope_cuda_ptx
 */
#include "support/ptx_dump.h"
#include "support/ptx_random.h"
#include "support/suite.h"

enum { MODULES = 1500, DAMAGES = 20 };

static uint64_t seed;

static void test_trees(void)
{
    for (unsigned i = 0; i < MODULES; i++) {
        struct random_ptx *r = malloc(sizeof *r);
        random_module(r, seed + i);
        unsigned failures = CU_get_number_of_failures();
        ptx_compare(r->text, r->tree);
        if (CU_get_number_of_failures() != failures) {
            printf("module of WS_TEST_SEED=%" PRIu64 "\n%s\n", seed + i, r->text);
            i = MODULES; /* one is enough to read */
        }
        free(r->text);
        free(r->tree);
        free(r);
    }
}

/* Changes some bytes, or moves a piece of the text elsewhere. */
static void damage(char *text, size_t size, uint64_t *state)
{
    static const char bytes[] = "{}()[];,.:@!%$_|<>=+-*/\"'\n 019azUx\\";
    for (uint64_t n = 1 + random_below(state, 3); n > 0; n--) {
        text[random_below(state, size)] = bytes[random_below(state, sizeof bytes)];
    }
    if (random_below(state, 4) == 0) {
        size_t length = random_below(state, size / 4 + 1);
        memmove(text + random_below(state, size - length),
                text + random_below(state, size - length), length);
    }
}

static void test_damage(void)
{
    uint64_t state = seed;
    unsigned trees = 0, messages = 0;
    for (unsigned i = 0; i < MODULES / 10; i++) {
        struct random_ptx *r = malloc(sizeof *r);
        random_module(r, seed + i);
        for (unsigned k = 0; k < DAMAGES; k++) {
            char *text = malloc(r->text_size), error[PTX_ERROR_MAX] = "";
            memcpy(text, r->text, r->text_size);
            damage(text, r->text_size, &state);
            struct ptx_module *module = ptx_parse(text, r->text_size, error);
            if (module) {
                ptx_check(module);
                trees++;
            } else {
                CU_ASSERT_TRUE(strncmp(error, "line ", 5) == 0);
                messages++;
            }
            ptx_free(module);
            free(text);
        }
        free(r->text);
        free(r->tree);
        free(r);
    }
    CU_ASSERT_TRUE(trees > 0 && messages > 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"random modules", test_trees},
                                        {"damaged modules", test_damage}};
    seed = suite_seed();
    suite_print_seed("ptx_random", seed);
    return suite_run("ptx_random", tests, sizeof tests / sizeof tests[0]);
}
