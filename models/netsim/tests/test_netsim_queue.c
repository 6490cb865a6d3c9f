/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim's output queue: against one that stores every packet, and with steps undone one by one.
 */
/* test: libs=netsim_model alone=yes */
#include "queue.h"
#include "support/netsim_support.h"

#define OFFERS 400

/* The naive queue: all packets with the times when their transmission begins and ends. */
struct naive_packet {
    double begin_s;
    double end_s;
    uint32_t size_bytes;
};
struct naive_queue {
    struct naive_packet packets[OFFERS];
    uint32_t n_packets;
};

/* Returns the bytes in the buffer at now: of each packet the part not sent yet. */
static double naive_backlog(const struct naive_queue *q, double now_s)
{
    double bytes = 0;
    for (uint32_t i = 0; i < q->n_packets; i++) {
        const struct naive_packet *p = &q->packets[i];
        double share = now_s >= p->end_s     ? 0
                       : now_s <= p->begin_s ? 1
                                             : (p->end_s - now_s) / (p->end_s - p->begin_s);
        bytes += share * p->size_bytes;
    }
    return bytes;
}

static void naive_accept(struct naive_queue *q, double now_s, uint32_t size_bytes, double rate)
{
    double begin = q->n_packets == 0 ? now_s : ROSS_MAX(now_s, q->packets[q->n_packets - 1].end_s);
    q->packets[q->n_packets++] =
        (struct naive_packet){begin, begin + size_bytes * 8 / rate, size_bytes};
}

static double naive_busy(const struct naive_queue *q, const struct ns_window *w)
{
    double busy = 0;
    for (uint32_t i = 0; i < q->n_packets; i++) {
        double from = ROSS_MAX(q->packets[i].begin_s, w->from_s);
        double to = ROSS_MIN(q->packets[i].end_s, w->to_s);
        busy += ROSS_MAX(0.0, to - from);
    }
    return busy;
}

static void run_against_naive(double rate, double load, double buffer_bytes)
{
    struct ns_queue queue = {0};
    struct naive_queue naive = {.n_packets = 0};
    struct ns_line line = {8 / rate, 0.003, buffer_bytes * 8 / rate};
    struct ns_window window = {0.2 * OFFERS * 4000 / rate / load, 0,
                               0.8 * OFFERS * 4000 / rate / load};
    uint64_t counted[2] = {0, 0}; /* dropped, accepted */
    double wait_sum = 0;
    double now = 0;
    for (int i = 0; i < OFFERS; i++) {
        uint32_t size = 1 + test_random_below(1000);
        now += -log(1 - random_unit(&seed)) * 4000 / rate / load;
        double backlog = naive_backlog(&naive, now);
        struct ns_queue_undo undo;
        struct ns_offer offer = ns_queue_offer(&queue, &line, &window, now, size, &undo);
        if (fabs(backlog + size - buffer_bytes) > 1e-3) { /* closer values depend on rounding */
            CU_ASSERT_EQUAL(offer.accepted, backlog + size <= buffer_bytes);
        }
        CU_ASSERT_EQUAL(offer.counted, now >= window.from_s);
        counted[offer.accepted] += offer.counted;
        if (!offer.accepted) {
            continue;
        }
        naive_accept(&naive, now, size, rate);
        const struct naive_packet *p = &naive.packets[naive.n_packets - 1];
        CU_ASSERT_DOUBLE_EQUAL(offer.latency_s, p->end_s - now + 0.003, 1e-9);
        CU_ASSERT_TRUE(offer.latency_s >= size * line.s_per_byte + line.delay_s);
        wait_sum += offer.counted ? p->begin_s - now : 0;
    }
    CU_ASSERT_EQUAL(queue.packets, counted[1]);
    CU_ASSERT_EQUAL(queue.drops, counted[0]);
    CU_ASSERT_DOUBLE_EQUAL(queue.wait_sum_s, wait_sum, 1e-9 * OFFERS);
    CU_ASSERT_DOUBLE_EQUAL(queue.busy_s, naive_busy(&naive, &window), 1e-9 * OFFERS);
}

static void test_against_naive(void)
{
    for (int round = 0; round < 100; round++) {
        double rate = pow(10, 5 + 5 * random_unit(&seed));
        double load = 0.2 + 1.5 * random_unit(&seed);
        double buffer = round % 3 == 0 ? (double)INFINITY : 1000 + 20000 * random_unit(&seed);
        run_against_naive(rate, load, buffer);
    }
}

/* An infinitely fast line never waits and never drops, whatever its buffer. */
static void test_infinite_rate(void)
{
    struct ns_queue queue = {0};
    struct ns_line line = {0.0, 0.25, 0.0};
    struct ns_window window = {0, 10, 10};
    for (int i = 0; i < 100; i++) {
        struct ns_queue_undo undo;
        struct ns_offer offer = ns_queue_offer(&queue, &line, &window, 1.0 + i / 10, 1500, &undo);
        CU_ASSERT_TRUE(offer.accepted);
        CU_ASSERT_EQUAL(offer.latency_s, 0.25);
    }
    CU_ASSERT_EQUAL(queue.busy_s, 0.0);
    CU_ASSERT_EQUAL(queue.packets, 100);
}

/* One offer, and the data to undo it. */
struct step {
    struct ns_queue before;
    struct ns_queue_undo undo;
    struct ns_offer offer;
    uint32_t size_bytes;
};

static void test_undo(void)
{
    static struct step steps[OFFERS];
    struct ns_queue queue = {.busy_s = 0.1, .wait_sum_s = 1.0 / 3};
    struct ns_line line = {1e-6, 1e-3, 5e-3};
    struct ns_window window = {0.05, 0.3, 0.4};
    double now = 0;
    uint32_t depth = 0;
    for (int round = 0; round < 20000; round++) {
        if (depth < OFFERS && test_random_below(100) < 52) {
            struct step *s = &steps[depth++];
            memcpy(&s->before, &queue, sizeof queue);
            s->size_bytes = 1 + test_random_below(3000);
            now += 2e-3 * random_unit(&seed);
            s->offer = ns_queue_offer(&queue, &line, &window, now, s->size_bytes, &s->undo);
        } else if (depth > 0) {
            struct step *s = &steps[--depth];
            static const struct ns_queue_undo zero;
            ns_queue_offer_undo(&queue, s->offer.accepted, s->offer.counted, s->size_bytes,
                                &s->undo);
            CU_ASSERT_EQUAL(memcmp(&queue, &s->before, sizeof queue), 0);
            CU_ASSERT_EQUAL(memcmp(&s->undo, &zero, sizeof zero), 0);
            now = depth == 0 ? 0 : now;
        }
    }
    CU_ASSERT_TRUE(queue.drops > 0);
}

static void test_add(void)
{
    struct ns_queue a = {9, 1, 2, 3, 4, 5, 6, 7};
    struct ns_queue b = {8, 10, 20, 2, 40, 50, 60, 70};
    ns_queue_add(&a, &b);
    CU_ASSERT_TRUE(a.free_at_s == 9 && a.busy_s == 11 && a.wait_sum_s == 22 && a.wait_max_s == 3);
    CU_ASSERT_TRUE(a.packets == 44 && a.bytes == 55 && a.drops == 66 && a.drop_bytes == 77);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"against a queue that keeps its packets", test_against_naive},
        {"infinitely fast line", test_infinite_rate},
        {"undoing offers", test_undo},
        {"adding up", test_add},
    };
    return seeded_suite_run("netsim queue", tests, sizeof tests / sizeof *tests);
}
