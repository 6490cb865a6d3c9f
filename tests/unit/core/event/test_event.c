/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_event.c - the total order of events, their lineage, their signature.
 */
#include <string.h>

#include "event/event.h"
#include "support/suite.h"

static uint64_t seed;

/* The keys of comparison of events, as a plain array: receive time, priority, lineage. */
struct key {
    double recv_ts;
    double prio;
    double lineage[MAX_TIE_CHAIN];
    unsigned length;
};

struct made {
    tw_event *event;
    struct key key;
};

/* An event in memory of its own, so that sanitizers detect any access beyond it. */
static struct made make_event(struct key key)
{
    tw_event *event = calloc(1, sizeof *event);
    event->recv_ts = key.recv_ts;
    event->prio = key.prio;
    event->tie = key.lineage[0];
    event->state.lineage_len = key.length & 0x7f;
    size_t left = key.length - 1;
    while (left > 0) {
        size_t first = (left - 1) / LINEAGE_OF_NOTE * LINEAGE_OF_NOTE;
        size_t size = (left - first) * sizeof(double);
        struct event_note *note = calloc(1, sizeof *note + size);
        struct event_note *other = calloc(1, sizeof *other);
        other->kind = NOTE_STATE; /* must be ignored */
        other->next = note;
        note->next = event->notes;
        note->kind = NOTE_LINEAGE;
        note->size = (uint32_t)size;
        memcpy(note->bytes, key.lineage + 1 + first, size);
        event->notes = other;
        left = first;
    }
    return (struct made){.event = event, .key = key};
}

static void free_event(tw_event *event)
{
    while (event->notes != NULL) {
        struct event_note *next = event->notes->next;
        free(event->notes);
        event->notes = next;
    }
    free(event);
}

/* Draws from few values, so that every kind of equality occurs. */
static struct key random_key(uint64_t *random)
{
    static const double times[] = {0.0, 1.0, 1.0 + DBL_EPSILON, 2.5};
    struct key key = {.recv_ts = times[random_below(random, 4)],
                      .prio = 0.5 * (double)random_below(random, 3),
                      .length = 1 + (unsigned)random_below(random, 5)};
    if (random_below(random, 10) == 0) {
        key.length = MAX_TIE_CHAIN - (unsigned)random_below(random, 2);
    }
    for (unsigned i = 0; i < key.length; i++) {
        key.lineage[i] = 0.25 * (double)(1 + random_below(random, 2));
    }
    return key;
}

/* Events equal in all drawn values: the senders decide. No event is before itself. */
static void test_order_of_equals(void)
{
    struct key key = {.recv_ts = 2.0, .prio = 1.0, .lineage = {0.5, 0.25}};
    for (key.length = 1; key.length <= 2; key.length++) {
        struct made a = make_event(key);
        struct made b = make_event(key);
        a.event->send_lp = 7;
        b.event->send_lp = UINT64_MAX;
        CU_ASSERT(event_compare(a.event, b.event) < 0);
        CU_ASSERT(event_compare(b.event, a.event) > 0);
        CU_ASSERT_EQUAL(event_compare(a.event, a.event), 0);
        free_event(a.event);
        free_event(b.event);
    }
}

/* The definition of the order, literally. */
static int key_compare(const struct key *a, const struct key *b)
{
    if (a->recv_ts < b->recv_ts || a->recv_ts > b->recv_ts) {
        return a->recv_ts < b->recv_ts ? -1 : 1;
    }
    if (a->prio < b->prio || a->prio > b->prio) {
        return a->prio < b->prio ? -1 : 1;
    }
    for (unsigned i = 0; i < MAX_TIE_CHAIN; i++) {
        if (i >= a->length || i >= b->length) {
            return (int)a->length - (int)b->length;
        }
        if (a->lineage[i] < b->lineage[i] || a->lineage[i] > b->lineage[i]) {
            return a->lineage[i] < b->lineage[i] ? -1 : 1;
        }
    }
    return 0;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void test_order(void)
{
    enum { EVENTS = 400 };
    static struct made made[EVENTS];
    uint64_t random = seed;
    unsigned bad = 0;
    unsigned equal = 0;
    for (int i = 0; i < EVENTS; i++) {
        made[i] = make_event(random_key(&random));
    }
    for (int i = 0; i < EVENTS; i++) {
        for (int j = 0; j < EVENTS; j++) {
            tw_event_sig a, b;
            int wanted = sign(key_compare(&made[i].key, &made[j].key));
            event_signature(made[i].event, &a);
            event_signature(made[j].event, &b);
            bad += sign(event_compare(made[i].event, made[j].event)) != wanted;
            bad += sign(tw_event_sig_compare_ptr(&a, &b)) != wanted;
            equal += wanted == 0 && i != j;
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(equal > 0);
    for (int i = 0; i < EVENTS; i++) {
        free_event(made[i].event);
    }
}

static int compare_pair(struct key a, struct key b)
{
    struct made x = make_event(a);
    struct made y = make_event(b);
    int result = sign(event_compare(x.event, y.event));
    free_event(x.event);
    free_event(y.event);
    return result;
}

/* The order that the rest of the engine relies on, case by case. */
static void test_order_by_hand(void)
{
    struct key cause = {1.0, 0.5, {0.9}, 1};
    struct key child = {1.0, 0.5, {0.9, 0.1}, 2};
    struct key grandchild = {1.0, 0.5, {0.9, 0.1, 0.7}, 3};
    struct key second_child = {1.0, 0.5, {0.9, 0.2}, 2};
    struct key stranger = {1.0, 0.5, {0.3}, 1};
    struct key later = {1.0 + DBL_EPSILON, 0.0, {0.0}, 1};
    struct key worse = {1.0, 0.75, {0.0}, 1};

    CU_ASSERT_EQUAL(compare_pair(cause, child), -1);
    CU_ASSERT_EQUAL(compare_pair(child, grandchild), -1);
    CU_ASSERT_EQUAL(compare_pair(grandchild, second_child), -1);
    CU_ASSERT_EQUAL(compare_pair(stranger, cause), -1);
    CU_ASSERT_EQUAL(compare_pair(stranger, child), -1);
    CU_ASSERT_EQUAL(compare_pair(cause, worse), -1);
    CU_ASSERT_EQUAL(compare_pair(worse, later), -1);
    CU_ASSERT_EQUAL(compare_pair(child, child), 0);
}

static void test_signature(void)
{
    struct key key = {7.5, 0.25, {0.1, 0.2, 0.3}, 3};
    struct made made = make_event(key);
    tw_event_sig sig;
    memset(&sig, 0xff, sizeof sig);
    event_signature(made.event, &sig);
    CU_ASSERT_EQUAL(sig.recv_ts, 7.5);
    CU_ASSERT_EQUAL(sig.priority, 0.25);
    CU_ASSERT_EQUAL(sig.tie_lineage_length, 3);
    for (unsigned i = 0; i < MAX_TIE_CHAIN; i++) {
        CU_ASSERT_EQUAL(sig.event_tiebreaker[i], i < 3 ? key.lineage[i] : 0.0);
    }
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(event_lineage(made.event, i), key.lineage[i]);
    }
    free_event(made.event);
}

/* Numbers behind a signature's length are not part of it. */
static void test_signature_compare(void)
{
    tw_event_sig a = {.recv_ts = 1.0, .priority = 1.0, .tie_lineage_length = 1};
    tw_event_sig b = a;
    b.event_tiebreaker[1] = 0.5;
    CU_ASSERT_EQUAL(tw_event_sig_compare_ptr(&a, &b), 0);
    b.tie_lineage_length = 2;
    CU_ASSERT(tw_event_sig_compare_ptr(&a, &b) < 0);
    CU_ASSERT(tw_event_sig_compare_ptr(&b, &a) > 0);
    b.event_tiebreaker[0] = -0.5;
    CU_ASSERT(tw_event_sig_compare_ptr(&a, &b) > 0);
}

static void test_note_find(void)
{
    struct event_note state = {.kind = NOTE_STATE};
    struct event_note output = {.next = &state, .kind = NOTE_OUTPUT};
    struct event_note newer = {.next = &output, .kind = NOTE_OUTPUT};
    tw_event event = {.notes = &newer};
    CU_ASSERT_PTR_EQUAL(event_note_find(&event, NOTE_STATE), &state);
    CU_ASSERT_PTR_EQUAL(event_note_find(&event, NOTE_OUTPUT), &newer);
    CU_ASSERT_PTR_NULL(event_note_find(&event, NOTE_LINEAGE));
    event.notes = NULL;
    CU_ASSERT_PTR_NULL(event_note_find(&event, NOTE_STATE));
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"events and signatures against the definition", test_order},
        {"causes, children, strangers", test_order_by_hand},
        {"order of equals", test_order_of_equals},
        {"signature of an event", test_signature},
        {"comparing signatures", test_signature_compare},
        {"finding notes", test_note_find},
    };
    seed = suite_seed();
    suite_print_seed("event", seed);
    return suite_run("event", tests, sizeof tests / sizeof *tests);
}
