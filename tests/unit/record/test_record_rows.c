/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Undo logs of rows, against an array: rows of many lengths are added and removed at both ends of
 * several logs that share their chunks.
 */
#include "record/trace/row_undo_log.h"
#include "ross.h"
#include "support/suite.h"

#define QUEUES    5u
#define ROWS_MAX  4000u
#define BYTES_MAX 3000u

/* The naive model of a queue: lengths and numbers of its rows. */
struct naive {
    size_t bytes[ROWS_MAX];
    uint64_t number[ROWS_MAX];
    size_t old, young;
};

static void fill(void *row, size_t bytes, uint64_t number)
{
    uint64_t *words = row;
    for (size_t i = 0; i < bytes / 8; i++) {
        words[i] = number + i;
    }
}

static bool is_filled(const void *row, size_t bytes, uint64_t number)
{
    const uint64_t *words = row;
    size_t i = 0;
    while (i < bytes / 8 && words[i] == number + i) {
        i++;
    }
    return i == bytes / 8;
}

static size_t total(const struct naive *n)
{
    size_t bytes = 0;
    for (size_t i = n->old; i < n->young; i++) {
        bytes += n->bytes[i];
    }
    return bytes;
}

/* Alternately adds more and removes more, so that logs become long and empty. */
static bool wants_more(uint64_t *random, uint64_t step)
{
    return random_below(random, 10) < (step / 700 % 2 == 0 ? 7u : 3u);
}

static void run_against_model(uint64_t *random, size_t bytes_max)
{
    struct row_pool pool;
    struct row_undo_log queues[QUEUES] = {{0}};
    struct naive *naive = calloc(QUEUES, sizeof *naive);
    unsigned wrong = 0;
    row_pool_init(&pool, bytes_max);
    for (uint64_t step = 0; step < 10000; step++) {
        uint64_t q = random_below(random, QUEUES);
        struct naive *n = &naive[q];
        if (wants_more(random, step) && n->young < ROWS_MAX) {
            size_t bytes = 8 * (1 + random_below(random, bytes_max / 8));
            fill(row_undo_log_push(&queues[q], &pool, bytes), bytes, step);
            n->bytes[n->young] = bytes;
            n->number[n->young++] = step;
        } else if (n->old < n->young && random_below(random, 2) == 0) {
            n->young--;
            row_undo_log_pop_young(&queues[q], &pool, n->bytes[n->young]);
        } else if (n->old < n->young) {
            wrong +=
                !is_filled(row_undo_log_oldest(&queues[q]), n->bytes[n->old], n->number[n->old]);
            row_undo_log_pop_old(&queues[q], &pool, n->bytes[n->old]);
            n->old++;
        }
        size_t bytes;
        wrong += !row_undo_log_check(&queues[q], &pool, &bytes) || bytes != total(n);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    for (unsigned q = 0; q < QUEUES; q++) {
        row_undo_log_clear(&queues[q], &pool);
        size_t bytes;
        CU_ASSERT(row_undo_log_check(&queues[q], &pool, &bytes) && bytes == 0);
    }
    CU_ASSERT_EQUAL(pool.in_use, 0);
    row_pool_fini(&pool);
    free(naive);
}

static void test_against_model(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("rows", random);
    static const size_t bytes_max[] = {8, 64, 88, 1000, 1999, 2000, BYTES_MAX};
    for (size_t i = 0; i < sizeof bytes_max / sizeof bytes_max[0]; i++) {
        run_against_model(&random, bytes_max[i]);
    }
}

/* A single row at a time reuses one chunk for ever. */
static void test_one_by_one(void)
{
    struct row_pool pool;
    struct row_undo_log queue = {0};
    row_pool_init(&pool, 100);
    for (uint64_t i = 0; i < 1000; i++) {
        fill(row_undo_log_push(&queue, &pool, 96), 96, i);
        CU_ASSERT(is_filled(row_undo_log_oldest(&queue), 96, i));
        if (i % 2 == 0) {
            row_undo_log_pop_old(&queue, &pool, 96);
        } else {
            row_undo_log_pop_young(&queue, &pool, 96);
        }
    }
    CU_ASSERT_EQUAL(pool.allocated, 1);
    row_undo_log_clear(&queue, &pool);
    row_pool_fini(&pool);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"against model", test_against_model},
        {"one by one", test_one_by_one},
    };
    return suite_run("record/row_undo_log", tests, sizeof(tests) / sizeof(tests[0]));
}
