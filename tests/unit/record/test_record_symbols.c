/* SPDX-License-Identifier: BSD-3-Clause */
/* test_record_symbols.c - names of addresses in the program, and damaged files of programs. */
/* test: alone=yes */
#include <stdlib.h>

#include "record/describe/type_names.h"
#include "support/random_bits.h"
#include "support/suite.h"

static uint64_t seed;
static int numbers[7];
int lone_number;

static int function_here(int x)
{
    return x + numbers[0];
}

static void test_own(void)
{
    struct program_symbol found;
    int on_stack = 0, *on_heap = malloc(sizeof(int));
    CU_ASSERT(program_symbol_find(&numbers[3], &found));
    CU_ASSERT_STRING_EQUAL(found.name, "numbers");
    /* With sanitizers, the symbol has a red zone as well. */
    CU_ASSERT(found.size >= sizeof numbers && found.offset == 3 * sizeof(int));
    CU_ASSERT(program_symbol_find(&lone_number, &found));
    CU_ASSERT_STRING_EQUAL(found.name, "lone_number");
    CU_ASSERT(program_symbol_find((const void *)(uintptr_t)function_here, &found));
    CU_ASSERT(strncmp(found.name, "function_here", 13) == 0);
    CU_ASSERT(program_symbol_find((const void *)(uintptr_t)qsort, &found)); /* of a library */
    CU_ASSERT(!program_symbol_find(&on_stack, &found));
    CU_ASSERT(!program_symbol_find(on_heap, &found));
    CU_ASSERT(!program_symbol_find(NULL, &found));
    free(on_heap);
}

/* Cut and changed copies of this program: any answer, but no access outside of the copy. */
static void test_damaged(void)
{
    struct program_symbol found;
    FILE *self = fopen("/proc/self/exe", "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(self);
    fseek(self, 0, SEEK_END);
    size_t size = (size_t)ftell(self);
    unsigned char *whole = malloc(size);
    rewind(self);
    CU_ASSERT_EQUAL_FATAL(fread(whole, 1, size, self), size);
    fclose(self);
    for (int round = 0; round < 300; round++) {
        size_t kept = round % 2 == 0 ? size : random_below(&seed, size);
        unsigned char *copy = malloc(kept + 1);
        memcpy(copy, whole, kept);
        for (size_t i = random_below(&seed, 6); i > 0 && kept > 64; i--) {
            size_t at = round % 3 == 0 ? random_below(&seed, 64) : random_below(&seed, kept);
            copy[at] = (unsigned char)random_below(&seed, 256);
        }
        if (program_symbol_in(copy, kept, random_below(&seed, 1 << 20), &found)) {
            CU_ASSERT(strnlen(found.name, sizeof found.name) <= PROGRAM_SYMBOL_MAX);
            CU_ASSERT(found.offset < found.size);
        }
        free(copy);
    }
    CU_ASSERT(!program_symbol_in(whole, 0, 0, &found));
    free(whole);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"names in this program", test_own},
                                        {"damaged files", test_damaged}};
    seed = suite_seed();
    suite_print_seed("symbols", seed);
    return suite_run("symbols", tests, sizeof tests / sizeof *tests);
}
