/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_pool.c - the pool of events and notes against a list of the owners of all bytes.
 *
 * Every event and note in use is filled with a pattern of its own over its whole size. A pool that
 * hands out memory twice, or too little of it, destroys a pattern.
 */
#include <string.h>

#include "event/pool.h"
#include "support/suite.h"

#define MIB       ((size_t)1 << 20)
#define NOTES_MAX 6

static uint64_t seed;

struct owned_note {
    struct event_note *note;
    size_t size;
    unsigned char fill;
};

struct owned {
    tw_event *event;
    unsigned char fill;
    struct owned_note notes[NOTES_MAX];
    unsigned n_notes;
};

static bool is_filled(const unsigned char *bytes, size_t size, unsigned char value)
{
    return size == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Returns true if the event's list has exactly the owner's notes, newest first, with the owner's
 * patterns. */
static bool is_intact(const struct owned *o, size_t msg_size)
{
    const struct event_note *note = o->event->notes;
    for (unsigned i = o->n_notes; i-- > 0; note = note->next) {
        if (note != o->notes[i].note || note->size != o->notes[i].size ||
            !is_filled(note->bytes, note->size, o->notes[i].fill)) {
            return false;
        }
    }
    return note == NULL && is_filled(event_payload(o->event), msg_size, o->fill);
}

static unsigned get_event(struct event_pool *pool, struct owned *o, size_t msg_size,
                          uint64_t *random)
{
    *o = (struct owned){.event = event_pool_get(pool), .fill = (unsigned char)random_bits(random)};
    if (o->event == NULL) {
        return 1;
    }
    unsigned bad = o->event->state.owner != EVENT_NEW || (uintptr_t)o->event % 64 != 0;
    o->event->notes = NULL; /* fields are undefined: the caller sets them */
    memset(event_payload(o->event), o->fill, msg_size);
    return bad;
}

static unsigned add_note(struct event_pool *pool, struct owned *o, enum note_kind kind,
                         uint64_t *random)
{
    struct owned_note *own = &o->notes[o->n_notes++];
    own->size =
        random_below(random, 5) == 0 ? random_below(random, 20000) : random_below(random, 200);
    own->fill = (unsigned char)random_bits(random);
    own->note = event_pool_add_note(pool, o->event, kind, own->size);
    if (own->note == NULL) {
        return 1;
    }
    memset(own->note->bytes, own->fill, own->size);
    return own->note->kind != kind || (uintptr_t)own->note->bytes % 16 != 0;
}

/* Drops all notes but that of the lineage, in the pool and in the model. */
static void drop_notes(struct event_pool *pool, struct owned *o)
{
    struct owned_note kept = {0};
    for (unsigned i = 0; i < o->n_notes; i++) {
        if (o->notes[i].note->kind == NOTE_LINEAGE) {
            kept = o->notes[i];
        }
    }
    event_pool_drop_notes(pool, o->event, false);
    o->n_notes = kept.note != NULL;
    o->notes[0] = kept;
}

static bool has_lineage(const struct owned *o)
{
    return event_note_find(o->event, NOTE_LINEAGE) != NULL;
}

static unsigned random_step(struct event_pool *pool, struct owned *o, size_t msg_size,
                            uint64_t *random)
{
    static const enum note_kind kinds[] = {NOTE_STATE, NOTE_PAIRS, NOTE_OUTPUT, NOTE_NUMBERS};
    if (o->event == NULL) {
        return get_event(pool, o, msg_size, random);
    }
    unsigned bad = !is_intact(o, msg_size);
    switch (random_below(random, 4)) {
    case 0:
        if (o->n_notes < NOTES_MAX) {
            bad += add_note(pool, o, kinds[random_below(random, 4)], random);
        }
        break;
    case 1:
        if (o->n_notes < NOTES_MAX && !has_lineage(o)) {
            bad += add_note(pool, o, NOTE_LINEAGE, random);
        }
        break;
    case 2:
        drop_notes(pool, o);
        bad += !is_intact(o, msg_size);
        break;
    default:
        o->event->state.owner = (uint8_t)random_below(random, EVENT_CANCELLED + 1);
        event_pool_put(pool, o->event);
        *o = (struct owned){0};
    }
    return bad;
}

static void test_random_use(void)
{
    enum { EVENTS = 700 };
    static const size_t msg_sizes[] = {0, 1, 16, 17, 80, 1000, 70000};
    static struct owned owned[EVENTS];
    uint64_t random = seed;
    for (size_t s = 0; s < sizeof msg_sizes / sizeof *msg_sizes; s++) {
        struct event_pool pool;
        unsigned bad = 0;
        memset(owned, 0, sizeof owned);
        event_pool_init(&pool, msg_sizes[s], SIZE_MAX / 2);
        for (int step = 0; step < 20000; step++) {
            bad += random_step(&pool, &owned[random_below(&random, EVENTS)], msg_sizes[s], &random);
        }
        uint64_t in_use = 0, saved = 0;
        for (int i = 0; i < EVENTS; i++) {
            in_use += owned[i].event != NULL;
            for (unsigned n = 0; n < owned[i].n_notes; n++) {
                saved += (uint64_t)64 << owned[i].notes[n].note->size_class;
            }
            bad += owned[i].event != NULL && !is_intact(&owned[i], msg_sizes[s]);
        }
        CU_ASSERT_EQUAL(bad, 0);
        CU_ASSERT_EQUAL(pool.in_use, in_use);
        CU_ASSERT(pool.allocated >= in_use);
        CU_ASSERT(saved > 0);
        CU_ASSERT_EQUAL(event_pool_saved_bytes(&pool), saved);
        CU_ASSERT_EQUAL(event_pool_event_bytes(&pool), in_use * pool.event_size);
        event_pool_fini(&pool);
    }
}

/* Released memory is reused before new memory: the newest first, while it is still in the cache. */
static void test_reuse(void)
{
    struct event_pool pool;
    event_pool_init(&pool, 24, SIZE_MAX / 2);
    tw_event *a = event_pool_get(&pool);
    tw_event *b = event_pool_get(&pool);
    a->notes = b->notes = NULL;
    CU_ASSERT_PTR_NOT_EQUAL(a, b);
    event_pool_put(&pool, a);
    event_pool_put(&pool, b);
    CU_ASSERT_EQUAL(a->state.owner, EVENT_FREE);
    CU_ASSERT_EQUAL(pool.in_use, 0);
    CU_ASSERT_PTR_EQUAL(event_pool_get(&pool), b);
    CU_ASSERT_PTR_EQUAL(event_pool_get(&pool), a);
    CU_ASSERT_EQUAL(pool.in_use, 2);
    event_pool_fini(&pool);
}

/* A run of any length with a bounded number of events needs bounded memory. */
static void test_no_growth(void)
{
    struct event_pool pool;
    size_t before = 0;
    event_pool_init(&pool, 40, SIZE_MAX / 2);
    for (int round = 0; round < 2000; round++) {
        tw_event *events[50];
        for (int i = 0; i < 50; i++) {
            events[i] = event_pool_get(&pool);
            events[i]->notes = NULL;
            for (size_t size = 1; size < 5000; size *= 3) {
                event_pool_add_note(&pool, events[i], NOTE_STATE, size);
            }
            event_pool_add_note(&pool, events[i], NOTE_LINEAGE, 8);
            event_pool_drop_notes(&pool, events[i], round % 2 == 0);
        }
        for (int i = 0; i < 50; i++) {
            event_pool_put(&pool, events[i]);
        }
        if (round == 1) { /* both ways of dropping have occurred */
            before = (size_t)(pool.arena.end - pool.arena.next);
        }
    }
    CU_ASSERT_EQUAL(pool.arena.total_bytes, 2 * MIB);
    CU_ASSERT_EQUAL((size_t)(pool.arena.end - pool.arena.next), before);
    CU_ASSERT_EQUAL(pool.in_use, 0);
    event_pool_fini(&pool);
}

/* Out of memory is reported; existing events stay valid. */
static void test_limit(void)
{
    struct event_pool pool;
    event_pool_init(&pool, 500, 5 * MIB);
    tw_event *all = NULL;
    tw_event *event;
    uint64_t n = 0;
    while ((event = event_pool_get(&pool)) != NULL && n < 100000) {
        event->notes = NULL;
        event->prev = all;
        all = event;
        n++;
    }
    CU_ASSERT(n > 2 * MIB / 640 && n < 5 * MIB / 612);
    CU_ASSERT_EQUAL(pool.in_use, n);
    CU_ASSERT_PTR_NULL(event_pool_get(&pool));
    CU_ASSERT_PTR_NULL(event_pool_add_note(&pool, all, NOTE_STATE, 5 * MIB));
    CU_ASSERT_PTR_NULL(all->notes);
    while (all != NULL) {
        event = all;
        all = event->prev;
        event_pool_put(&pool, event);
    }
    CU_ASSERT_EQUAL(pool.in_use, 0);
    CU_ASSERT_PTR_NOT_NULL(event_pool_get(&pool));
    event_pool_fini(&pool);
}

static void test_large_notes(void)
{
    static const size_t sizes[] = {0, 1, 48, 49, 64, 4096, MIB, 3 * MIB + 1, 40 * MIB};
    struct event_pool pool;
    event_pool_init(&pool, 8, SIZE_MAX / 2);
    tw_event *event = event_pool_get(&pool);
    event->notes = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct event_note *note = event_pool_add_note(&pool, event, NOTE_STATE, sizes[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(note);
        memset(note->bytes, 0x5a, sizes[i]);
    }
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        CU_ASSERT(is_filled(note->bytes, note->size, 0x5a));
    }
    event_pool_put(&pool, event);
    event_pool_fini(&pool);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"random use against a list of owners", test_random_use},
        {"newest given back, first reused", test_reuse},
        {"no growth in a long run", test_no_growth},
        {"the limit", test_limit},
        {"notes of all sizes", test_large_notes},
    };
    seed = suite_seed();
    suite_print_seed("pool", seed);
    return suite_run("pool", tests, sizeof tests / sizeof *tests);
}
