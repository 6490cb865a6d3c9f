/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring.c - the ring between two processes against a plain list of its messages: both ends in
 * one process, at random, and in two processes at full speed.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "comm/ring.h"
#include "support/suite.h"

#define CAPACITY_MAX ((size_t)1 << 16)

/* The ends and the bytes of a ring, in memory that child processes share. */
struct memory {
    struct ring_ends ends;
    _Alignas(8) unsigned char bytes[CAPACITY_MAX];
};

static uint64_t seed;
static uint64_t wraps, overflows; /* number of hard cases that occurred */

/* Makes a message whose length and contents follow from its number. */
static size_t size_of_number(uint64_t number, size_t longest)
{
    uint64_t random = number ^ seed;
    uint64_t most = random_below(&random, 8) == 0 ? longest : longest < 64 ? longest : 64;
    return 8 * random_below(&random, most / 8 + 1);
}

static void fill(struct message_header *m, uint64_t number, size_t size)
{
    m->size = (uint32_t)size;
    m->colour = (uint32_t)number & 1;
    uint64_t *words = (uint64_t *)(void *)(m + 1);
    for (size_t i = 0; i < size / 8; i++) {
        words[i] = number * 1000003 + i;
    }
}

static bool is_filled(const struct message_header *m, uint64_t number, size_t size)
{
    const uint64_t *words = (const uint64_t *)(const void *)(m + 1);
    bool same = m->size == size && m->colour == ((uint32_t)number & 1);
    for (size_t i = 0; same && i < size / 8; i++) {
        same = words[i] == number * 1000003 + i;
    }
    return same;
}

static void put(struct ring_sender *s, uint64_t number, size_t longest)
{
    size_t size = size_of_number(number, longest);
    fill(ring_reserve(s, sizeof(struct message_header) + size), number, size);
}

/* Takes the first message. Returns true if it is message number n. */
static bool take(struct ring_receiver *r, uint64_t number, size_t longest)
{
    const struct message_header *m = ring_first(r);
    bool right = is_filled(m, number, size_of_number(number, longest));
    ring_take(r, m);
    return right;
}

/*
 * The model of the ring consists of three numbers: messages put, published, taken. Published
 * messages that are not in the overflow queue can be taken, in order, and no others.
 */
static void random_walk(struct memory *memory, size_t capacity, size_t longest, uint64_t random)
{
    struct ring_chunks chunks;
    struct ring_sender sender;
    struct ring_receiver receiver;
    uint64_t n_put = 0, n_taken = 0, seen = 0;
    unsigned bad = 0;
    memset(memory, 0, sizeof *memory);
    ring_chunks_init(&chunks, longest + 8 > 1000 ? longest + 8 : 1000);
    ring_sender_init(&sender, &memory->ends, memory->bytes, capacity, &chunks);
    ring_receiver_init(&receiver, &memory->ends, memory->bytes, capacity);
    uint64_t eagerness = 1 + random_below(&random, 12); /* speed of the receiver, out of 12 */
    for (int step = 0; step < 6000; step++) {
        for (uint64_t n = random_below(&random, 12); n > 0; n--) {
            put(&sender, n_put++, longest);
        }
        if (random_below(&random, 3) > 0) {
            bool all = ring_publish(&sender);
            bad += all != (sender.first == NULL) || all != (chunks.n_overflowing == 0);
            seen = all ? n_put : seen;
        }
        overflows += chunks.n_overflowing;
        uint64_t end = ring_arrived(&receiver);
        for (uint64_t n = random_below(&random, 2 * eagerness + 1); n > 0; n--) {
            if (receiver.head == end) {
                break;
            }
            wraps += (receiver.head & receiver.mask) == 0;
            bad += !take(&receiver, n_taken++, longest);
        }
        bad += n_taken > n_put;
        if (random_below(&random, 2) == 0) {
            ring_release(&receiver);
        }
        if (n_put - n_taken < 100 || step % 16 == 0) { /* takes as long as the waiting messages */
            bad += !ring_check(&sender, &receiver);
        }
    }
    for (int rounds = 0; n_taken < n_put && rounds < 100000; rounds++) { /* the rest */
        seen = ring_publish(&sender) ? n_put : seen;
        for (uint64_t end = ring_arrived(&receiver); receiver.head != end;) {
            bad += !take(&receiver, n_taken++, longest);
        }
        ring_release(&receiver);
    }
    CU_ASSERT_EQUAL(n_taken, n_put);
    CU_ASSERT_EQUAL(seen, n_put);
    CU_ASSERT_EQUAL(ring_arrived(&receiver), receiver.head);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(ring_check(&sender, &receiver));
    ring_sender_fini(&sender);
    ring_chunks_fini(&chunks);
}

static struct memory *shared_memory(void)
{
    void *memory = mmap(NULL, sizeof(struct memory), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void test_random(void)
{
    uint64_t random = seed;
    struct memory *memory = shared_memory();
    for (int round = 0; round < 30; round++) {
        size_t capacity = (size_t)64 << random_below(&random, 8);
        size_t longest = 8 * random_below(&random, (capacity / 2 - 8) / 8 + 1); /* R4 */
        longest = random_below(&random, 3) == 0 ? capacity / 2 - 8 : longest;
        random_walk(memory, capacity, longest, random_bits(&random));
    }
    CU_ASSERT(wraps > 1000 && overflows > 1000);
    munmap(memory, sizeof *memory);
}

/* A ring that is exactly full, and the longest message at each place of the ring. */
static void test_corners(void)
{
    struct memory *memory = shared_memory();
    struct ring_chunks chunks;
    struct ring_sender sender;
    struct ring_receiver receiver;
    ring_chunks_init(&chunks, 64);
    ring_sender_init(&sender, &memory->ends, memory->bytes, 128, &chunks);
    ring_receiver_init(&receiver, &memory->ends, memory->bytes, 128);
    CU_ASSERT_EQUAL(ring_arrived(&receiver), 0);
    CU_ASSERT(ring_publish(&sender)); /* an empty call is harmless */
    for (uint64_t i = 0; i < 16; i++) {
        fill(ring_reserve(&sender, 8), i, 0);
    }
    CU_ASSERT_PTR_NULL(sender.first);            /* 16 headers fill it to the last byte */
    CU_ASSERT_EQUAL(ring_arrived(&receiver), 0); /* only after they are published */
    fill(ring_reserve(&sender, 8), 16, 0);
    CU_ASSERT_PTR_NOT_NULL(sender.first);
    CU_ASSERT(!ring_publish(&sender));
    CU_ASSERT_EQUAL(ring_arrived(&receiver), 128);
    for (uint64_t i = 0; i < 16; i++) {
        ring_take(&receiver, ring_first(&receiver));
    }
    CU_ASSERT(!ring_publish(&sender)); /* taken, but not released */
    ring_release(&receiver);
    CU_ASSERT(ring_publish(&sender));
    CU_ASSERT(is_filled(ring_first(&receiver), 16, 0));
    ring_take(&receiver, ring_first(&receiver));
    ring_release(&receiver);
    for (uint64_t i = 0; i < 100; i++) { /* a header, then the longest message: all alignments */
        fill(ring_reserve(&sender, 8), i, 0);
        fill(ring_reserve(&sender, 64), i, 56);
        CU_ASSERT(ring_publish(&sender));
        CU_ASSERT(ring_check(&sender, &receiver));
        CU_ASSERT(is_filled(ring_first(&receiver), i, 0));
        ring_take(&receiver, ring_first(&receiver));
        CU_ASSERT(is_filled(ring_first(&receiver), i, 56));
        ring_take(&receiver, ring_first(&receiver));
        CU_ASSERT_EQUAL(receiver.head, ring_arrived(&receiver));
        ring_release(&receiver);
    }
    ring_sender_fini(&sender);
    ring_chunks_fini(&chunks);
    munmap(memory, sizeof *memory);
}

static _Noreturn void send_all(struct memory *memory, size_t capacity, size_t longest, uint64_t n)
{
    struct ring_chunks chunks;
    struct ring_sender sender;
    ring_chunks_init(&chunks, longest + 8);
    ring_sender_init(&sender, &memory->ends, memory->bytes, capacity, &chunks);
    uint64_t random = seed;
    for (uint64_t i = 0; i < n; i++) {
        put(&sender, i, longest);
        if (random_below(&random, 5) == 0) {
            while (!ring_publish(&sender) && random_below(&random, 100) > 0) {
                usleep(0);
            }
        }
    }
    while (!ring_publish(&sender)) {
        usleep(0);
    }
    _exit(0);
}

static unsigned receive_all(struct memory *memory, size_t capacity, size_t longest, uint64_t n)
{
    struct ring_receiver receiver;
    unsigned bad = 0;
    ring_receiver_init(&receiver, &memory->ends, memory->bytes, capacity);
    uint64_t random = ~seed;
    for (uint64_t i = 0; i < n && bad == 0;) {
        uint64_t end = ring_arrived(&receiver);
        if (end == receiver.head) {
            usleep(0);
        }
        while (receiver.head != end && i < n && bad == 0) {
            bad += !take(&receiver, i++, longest);
            if (random_below(&random, 4) == 0) {
                ring_release(&receiver);
            }
        }
        ring_release(&receiver);
    }
    return bad;
}

static void test_two_processes(void)
{
    for (unsigned round = 0; round < 8; round++) {
        struct memory *memory = shared_memory();
        size_t capacity = (size_t)1024 << round % 6;
        size_t longest = round % 2 == 0 ? capacity / 2 - 8 : 120;
        uint64_t n = longest > 1000 ? 8000 : 40000;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            send_all(memory, capacity, longest, n);
        }
        CU_ASSERT_EQUAL(receive_all(memory, capacity, longest, n), 0);
        int status = -1;
        waitpid(child, &status, 0);
        CU_ASSERT_EQUAL(status, 0);
        munmap(memory, sizeof *memory);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"corners", test_corners},
        {"random against a list", test_random},
        {"two processes", test_two_processes},
    };
    seed = suite_seed();
    suite_print_seed("ring", seed);
    return suite_run("ring", tests, sizeof tests / sizeof *tests);
}
