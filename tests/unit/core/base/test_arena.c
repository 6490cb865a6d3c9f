/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_arena.c - arenas: alignment, zeroed memory, no overlap, the limit, release.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "support/suite.h"

#define MIB ((size_t)1 << 20)

static uint64_t seed;

struct block {
    unsigned char *bytes;
    size_t size;
    unsigned char fill;
};

static bool is_filled(const unsigned char *bytes, size_t size, unsigned char value)
{
    return size == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Draws a size, mostly small, sometimes larger than a chunk. */
static size_t random_size(uint64_t *random)
{
    switch (random_below(random, 8)) {
    case 0:
        return 0;
    case 1:
        return random_below(random, 300000);
    case 2:
        return random_below(random, 40) == 0 ? 3 * MIB + random_below(random, MIB) : 1;
    default:
        return random_below(random, 2000);
    }
}

/* Each block is zeroed when it is allocated, and keeps its contents until the end. */
static void test_blocks(void)
{
    enum { BLOCKS = 3000 };
    static struct block blocks[BLOCKS];
    uint64_t random = seed;
    struct arena a;
    size_t asked = 0;
    unsigned bad = 0;
    arena_init(&a, SIZE_MAX / 2);
    for (int i = 0; i < BLOCKS; i++) {
        size_t align = (size_t)1 << random_below(&random, 13);
        struct block *b = &blocks[i];
        b->size = random_size(&random);
        b->fill = (unsigned char)(1 + random_below(&random, 255));
        b->bytes = arena_alloc(&a, b->size, align);
        bad += b->bytes == NULL || (uintptr_t)b->bytes % align != 0;
        bad += !is_filled(b->bytes, b->size, 0);
        bad += a.next != b->bytes + b->size || a.next > a.end;
        memset(b->bytes, b->fill, b->size);
        asked += b->size;
    }
    for (int i = 0; i < BLOCKS; i++) {
        bad += !is_filled(blocks[i].bytes, blocks[i].size, blocks[i].fill);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(a.total_bytes >= asked);
    CU_ASSERT(a.total_bytes <= 4 * asked + 8 * MIB);
    arena_fini(&a);
}

/* A small run takes little memory: the first chunk has 2 MiB, aligned to a huge page. */
static void test_first_chunk(void)
{
    struct arena a;
    arena_init(&a, SIZE_MAX / 2);
    CU_ASSERT_EQUAL(a.total_bytes, 0);
    unsigned char *first = arena_alloc(&a, 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_EQUAL(a.total_bytes, 2 * MIB);
    CU_ASSERT((uintptr_t)first % (2 * MIB) < 4096);
    unsigned char *second = arena_alloc(&a, 1, 1);
    CU_ASSERT_PTR_EQUAL(second, first + 1);
    CU_ASSERT_EQUAL(a.total_bytes, 2 * MIB);
    arena_fini(&a);
}

/* A chunk is used up to its last byte, and no byte beyond. */
static void test_end_of_chunk(void)
{
    struct arena a;
    arena_init(&a, SIZE_MAX / 2);
    arena_alloc(&a, 1000, 1);
    size_t left = (size_t)(a.end - a.next);
    unsigned char *next = a.next;
    CU_ASSERT_PTR_EQUAL(arena_alloc(&a, left, 1), next);
    CU_ASSERT_PTR_EQUAL(a.next, a.end);
    CU_ASSERT_EQUAL(a.total_bytes, 2 * MIB);
    arena_alloc(&a, 1, 1);
    CU_ASSERT_EQUAL(a.total_bytes, 6 * MIB);

    left = (size_t)(a.end - a.next);
    arena_alloc(&a, left - 40, 1);
    unsigned char *end = a.end;
    unsigned char *beyond = arena_alloc(&a, 1, 64); /* the aligned address would be past the end */
    CU_ASSERT(beyond < end - 40 || beyond >= end);
    CU_ASSERT_EQUAL(a.total_bytes, 14 * MIB);
    arena_fini(&a);
}

static bool is_mapped(unsigned char *address)
{
    void *page = (void *)((uintptr_t)address & ~(uintptr_t)4095);
    return msync(page, 1, MS_ASYNC) == 0 || errno != ENOMEM;
}

static void test_fini(void)
{
    struct arena a;
    arena_init(&a, 1000 * MIB);
    unsigned char *block[5];
    for (int i = 0; i < 5; i++) {
        block[i] = arena_alloc(&a, (MIB << i) + 100, 64);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block[i]);
        CU_ASSERT(is_mapped(block[i]));
    }
    arena_fini(&a);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT(!is_mapped(block[i]));
    }
    CU_ASSERT_EQUAL(a.total_bytes, 0);
    CU_ASSERT_EQUAL(a.limit_bytes, 1000 * MIB);
    CU_ASSERT_PTR_NOT_NULL(arena_alloc(&a, 10, 8)); /* can be used again */
    arena_fini(&a);
    arena_fini(&a);
}

/* For any request, the limit holds and earlier blocks stay valid. */
static void test_limit(void)
{
    uint64_t random = seed ^ 1;
    unsigned bad = 0;
    for (int round = 0; round < 50; round++) {
        struct arena a;
        size_t limit = random_below(&random, 40 * MIB);
        size_t got = 0;
        arena_init(&a, limit);
        for (int i = 0; i < 400; i++) {
            size_t size = random_below(&random, MIB / 2);
            unsigned char *bytes = arena_alloc(&a, size, 64);
            got += bytes != NULL ? size : 0;
            bad += a.total_bytes > limit;
        }
        bad += got > limit;
        bad += limit >= 2 * MIB && got == 0;
        arena_fini(&a);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* Requests are granted until close to the limit. */
static void test_limit_is_used(void)
{
    unsigned bad = 0;
    for (size_t limit = 3 * MIB; limit <= 300 * MIB; limit += 7 * MIB) {
        struct arena a;
        size_t got = 0;
        arena_init(&a, limit);
        while (arena_alloc(&a, 60000, 64) != NULL) {
            got += 60000;
        }
        bad += got < limit - limit / 4 - 2 * MIB;
        arena_fini(&a);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static void test_impossible(void)
{
    static const size_t sizes[] = {SIZE_MAX,     SIZE_MAX - 4096, SIZE_MAX / 2,   SIZE_MAX / 4 + 1,
                                   SIZE_MAX / 4, (size_t)1 << 60, (size_t)1 << 48};
    struct arena a;
    arena_init(&a, SIZE_MAX / 2);
    unsigned char *before = arena_alloc(&a, 100, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(before);
    memset(before, 7, 100);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CU_ASSERT_PTR_NULL(arena_alloc(&a, sizes[i], 64));
    }
    CU_ASSERT_EQUAL(a.total_bytes, 2 * MIB);
    CU_ASSERT_PTR_EQUAL(arena_alloc(&a, 1, 1), before + 100); /* continues at the same address */
    CU_ASSERT(is_filled(before, 100, 7));
    arena_fini(&a);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"blocks are aligned, zeroed and apart", test_blocks},
        {"the first chunk is small", test_first_chunk},
        {"the end of a chunk", test_end_of_chunk},
        {"fini gives everything back", test_fini},
        {"the limit holds", test_limit},
        {"the limit can be used up", test_limit_is_used},
        {"impossible sizes", test_impossible},
    };
    seed = suite_seed();
    suite_print_seed("arena", seed);
    return suite_run("arena", tests, sizeof tests / sizeof *tests);
}
