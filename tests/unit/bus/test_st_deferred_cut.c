/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of cutting the youngest block off a queue of deferred records. It reads only the header
 * of the block, that of the block before it, and the chunks that go back to the pool, however many
 * records the block has and however long the queue is. While the block is cut off, the test poisons
 * all other memory of the queue, so that any access to it leads to invalid sizes and addresses.
 *
 * test: alone=yes
 */
#include "support/deferred_pool.h"

#define CHUNKS_MAX  4096u
#define CHUNK_BYTES 4096u
#define POISON      0xA5

static uint64_t seed;

/* The chunks of the queue before the cut, youngest first. */
static struct saved {
    struct deferred_chunk *chunk;
    unsigned char head[sizeof(struct deferred_chunk)];
    uint32_t begin, end;
    unsigned char bytes[CHUNK_BYTES];
} saved[CHUNKS_MAX];
static size_t n_saved;

static void add_block(uintptr_t event, unsigned records)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(deferred_queue_open(&queue, &pool, (const tw_event *)event));
    for (unsigned i = 0; i < records; i++) {
        uint32_t size =
            random_below(&seed, 3) == 0 ? DEFERRED_BARE : (uint32_t)random_below(&seed, 60);
        struct deferred_entry *entry = deferred_queue_add(&queue, &pool, size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
        memset(deferred_entry_data(entry), (int)i, size == DEFERRED_BARE ? 0 : size);
    }
}

static void save(void)
{
    n_saved = 0;
    for (struct deferred_chunk *c = queue.young; c != NULL; c = c->older) {
        CU_ASSERT_FATAL(n_saved < CHUNKS_MAX && c->size <= CHUNK_BYTES);
        struct saved *s = &saved[n_saved++];
        s->chunk = c;
        s->begin = c->begin;
        s->end = c->end;
        memcpy(s->head, c, sizeof(*c));
        memcpy(s->bytes, c->bytes, c->end);
    }
}

static bool holds(const struct deferred_chunk *c, const struct deferred_block *block)
{
    return (uintptr_t)block >= (uintptr_t)c->bytes &&
           (uintptr_t)block < (uintptr_t)c->bytes + c->size;
}

/* Poisons all memory except two headers, and the heads of chunks down to the one before the
 * youngest block's. Returns the number of chunks that only this block uses. */
static size_t poison(void)
{
    struct deferred_block youngest = *queue.youngest;
    struct deferred_block before = {0};
    if (youngest.older != NULL) {
        before = *youngest.older;
    }
    size_t header_at = 0;
    while (!holds(saved[header_at].chunk, queue.youngest)) {
        header_at++;
    }
    for (size_t i = 0; i < n_saved; i++) {
        struct deferred_chunk *c = saved[i].chunk;
        memset(c->bytes, POISON, c->end);
        if (i > header_at + 1) {
            memset(c, POISON, sizeof(*c));
        } else if (i == header_at + 1) {
            memset(&c->older, POISON, sizeof(c->older));
        }
    }
    *queue.youngest = youngest;
    if (youngest.older != NULL) {
        *youngest.older = before;
    }
    const struct saved *first = &saved[header_at];
    return header_at + ((unsigned char *)queue.youngest == first->chunk->bytes + first->begin);
}

/* Makes the rest of the queue readable again, except the parts that cutting changes. */
static void restore(void)
{
    size_t i = 0;
    while (i < n_saved && saved[i].chunk != queue.young) {
        i++;
    }
    for (size_t k = i; k < n_saved; k++) {
        struct deferred_chunk *c = saved[k].chunk;
        uint32_t end = k == i ? c->end : saved[k].end;
        struct deferred_chunk *younger = k == i ? c->younger : saved[k - 1].chunk;
        memcpy(c, saved[k].head, sizeof(*c));
        memcpy(c->bytes, saved[k].bytes, end);
        c->end = end;
        c->younger = younger;
    }
}

/* Cuts the youngest block off while the rest is poisoned. */
static void cut(uint64_t blocks)
{
    save();
    size_t free_before = free_chunks();
    size_t whole = poison();
    deferred_queue_cut(&queue, &pool);
    restore();
    CU_ASSERT_EQUAL(free_chunks() - free_before, whole);
    pool_check(blocks - 1);
}

static void test_many_records(void)
{
    static const unsigned records[] = {0, 1, 7, 100, 5000};
    for (unsigned older = 0; older < 3; older++) {
        for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
            for (unsigned k = 0; k < older; k++) {
                add_block(8 * k + 8, 3);
            }
            add_block(8000, records[i]);
            cut(older + 1);
            deferred_queue_clear(&queue, &pool);
            pool_check(0);
        }
    }
}

/* The last block begins a chunk, or lies between others. */
static void test_many_blocks(void)
{
    enum { BLOCKS = 400 };
    for (unsigned i = 0; i < BLOCKS; i++) {
        add_block(8 * i + 8, (unsigned)random_below(&seed, 20));
    }
    for (unsigned left = BLOCKS; left > 0; left--) {
        cut(left);
    }
    CU_ASSERT_EQUAL(pool.bytes, 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"blocks of many records", test_many_records},
                                        {"many blocks", test_many_blocks}};
    seed = suite_seed();
    suite_print_seed("bus/deferred cut", seed);
    return pool_suite_run(&argc, &argv, "bus/deferred cut", tests,
                          sizeof(tests) / sizeof(tests[0]));
}
