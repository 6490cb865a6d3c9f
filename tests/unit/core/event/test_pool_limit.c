/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_pool_limit.c - a pool whose arena is at its limit: free memory must serve again, as events
 * or notes, and must be counted as available exactly when it can.
 */
#include <string.h>

#include "event/pool.h"
#include "support/suite.h"

#define LIMIT    ((size_t)8 << 20)
#define MSG_SIZE 100

/* Makes events without notes until memory is exhausted, linked by caused. Returns their number. */
static size_t fill_with_events(struct event_pool *pool, tw_event **list)
{
    size_t n = 0;
    for (tw_event *event; (event = event_pool_get(pool)) != NULL; n++) {
        event->notes = NULL;
        event->caused_by_me = *list;
        *list = event;
    }
    return n;
}

static void put_all(struct event_pool *pool, tw_event **list)
{
    while (*list != NULL) {
        tw_event *event = *list;
        *list = event->caused_by_me;
        event_pool_put(pool, event);
    }
}

/* Adds filled notes of size bytes to one event until memory is exhausted. Returns their number. */
static size_t fill_with_notes(struct event_pool *pool, tw_event *event, size_t size)
{
    size_t n = 0;
    for (struct event_note *note; (note = event_pool_add_note(pool, event, NOTE_STATE, size));
         n++) {
        memset(note->bytes, 0xa5, size);
    }
    return n;
}

/* Returns the bytes of the notes of one event. */
static size_t note_bytes(const tw_event *event)
{
    size_t bytes = 0;
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        bytes += (size_t)64 << note->size_class;
    }
    return bytes;
}

/* No two blocks overlap: the bytes of each event and note are still its own. */
static void test_notes_become_events(void)
{
    struct event_pool pool;
    tw_event *list = NULL;
    event_pool_init(&pool, MSG_SIZE, LIMIT);
    tw_event *owner = event_pool_get(&pool);
    owner->notes = NULL;
    size_t n_notes = fill_with_notes(&pool, owner, 10000);
    CU_ASSERT(n_notes > 300); /* events of 16 KiB each */
    (void)fill_with_events(&pool, &list);
    CU_ASSERT(event_pool_left_bytes(&pool) < LIMIT / 8);
    put_all(&pool, &list);
    event_pool_drop_notes(&pool, owner, true);
    CU_ASSERT(event_pool_left_bytes(&pool) > LIMIT / 2);

    size_t n_events = fill_with_events(&pool, &list);
    CU_ASSERT(n_events > n_notes * 16384 / pool.event_size);
    CU_ASSERT(event_pool_left_bytes(&pool) < LIMIT / 8);
    for (tw_event *event = list; event != NULL; event = event->caused_by_me) {
        memset(event_payload(event), (int)(event->send_lp = (uintptr_t)event) & 0xff, MSG_SIZE);
    }
    unsigned bad = 0;
    for (tw_event *event = list; event != NULL; event = event->caused_by_me) {
        bad += event->send_lp != (uintptr_t)event || event->state.owner != EVENT_NEW;
        bad += ((unsigned char *)event_payload(event))[MSG_SIZE - 1] != ((uintptr_t)event & 0xff);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(pool.in_use, n_events + 1);
    CU_ASSERT(pool.in_use <= pool.allocated);
    CU_ASSERT_EQUAL(event_pool_saved_bytes(&pool), 0);
    event_pool_fini(&pool);
}

static void test_events_become_notes(void)
{
    struct event_pool pool;
    tw_event *list = NULL;
    event_pool_init(&pool, 1000, LIMIT);
    tw_event *owner = event_pool_get(&pool);
    owner->notes = NULL;
    CU_ASSERT_PTR_NOT_NULL(event_pool_add_note(&pool, owner, NOTE_LINEAGE, 8));
    size_t n_events = fill_with_events(&pool, &list);
    while (event_pool_add_note(&pool, list, NOTE_OUTPUT, 8) != NULL) {
    }
    put_all(&pool, &list);
    CU_ASSERT(event_pool_left_bytes(&pool) > LIMIT / 2); /* free events serve notes of this size */
    size_t n_notes = fill_with_notes(&pool, owner, 8);
    CU_ASSERT(n_notes >= n_events * (pool.event_size / 64));
    size_t counted = 0;
    for (const struct event_note *note = owner->notes; note != NULL; note = note->next) {
        counted += note->size == 8;
    }
    CU_ASSERT_EQUAL(counted, n_notes + 1);
    CU_ASSERT_EQUAL(event_pool_saved_bytes(&pool), note_bytes(owner));
    event_pool_fini(&pool);
}

/* Small notes use large free ones, and return them with their full size. */
static void test_large_notes_serve_small(void)
{
    struct event_pool pool;
    event_pool_init(&pool, MSG_SIZE, LIMIT);
    tw_event *owner = event_pool_get(&pool);
    owner->notes = NULL;
    size_t n_large = fill_with_notes(&pool, owner, 10000);
    event_pool_drop_notes(&pool, owner, true);
    size_t left = event_pool_left_bytes(&pool);
    for (int round = 0; round < 3; round++) {
        CU_ASSERT(fill_with_notes(&pool, owner, 100) >= n_large);
        CU_ASSERT(event_pool_left_bytes(&pool) < LIMIT / 8);
        CU_ASSERT_EQUAL(event_pool_saved_bytes(&pool), note_bytes(owner));
        event_pool_drop_notes(&pool, owner, true);
        CU_ASSERT_EQUAL(fill_with_notes(&pool, owner, 10000), n_large);
        event_pool_drop_notes(&pool, owner, true);
    }
    CU_ASSERT(event_pool_left_bytes(&pool) <= left);
    CU_ASSERT(event_pool_left_bytes(&pool) > LIMIT / 2);
    event_pool_fini(&pool);
}

/* Free pieces too small for the largest note are not counted as available. */
static void test_small_pieces_do_not_count(void)
{
    struct event_pool pool;
    tw_event *list = NULL;
    event_pool_init(&pool, MSG_SIZE, LIMIT);
    tw_event *owner = event_pool_get(&pool);
    owner->notes = NULL;
    CU_ASSERT_PTR_NOT_NULL(event_pool_add_note(&pool, owner, NOTE_STATE, 10000));
    (void)fill_with_events(&pool, &list);
    put_all(&pool, &list);
    CU_ASSERT(event_pool_left_bytes(&pool) < LIMIT / 8);
    event_pool_fini(&pool);
}

/* Memory beyond the limit: only as much as allowed, and the pool knows how much is in use. */
static void test_overdraft(void)
{
    struct event_pool pool;
    tw_event *list = NULL;
    event_pool_init(&pool, MSG_SIZE, LIMIT);
    size_t n_limit = fill_with_events(&pool, &list);
    CU_ASSERT_EQUAL(event_pool_overdraft_bytes(&pool), 0);
    event_pool_allow_overdraft(&pool, LIMIT / 4);
    CU_ASSERT_EQUAL(event_pool_overdrawn_bytes(&pool), 0);

    size_t n_more = fill_with_events(&pool, &list);
    CU_ASSERT(n_more * pool.event_size <= LIMIT / 4);
    CU_ASSERT(n_more * pool.event_size > LIMIT / 5);
    CU_ASSERT(pool.arena.total_bytes <= LIMIT + LIMIT / 4);
    CU_ASSERT(event_pool_overdraft_bytes(&pool) <= LIMIT / 4);
    CU_ASSERT(event_pool_overdrawn_bytes(&pool) <= event_pool_overdraft_bytes(&pool));
    CU_ASSERT(event_pool_overdrawn_bytes(&pool) > LIMIT / 5);
    CU_ASSERT_EQUAL(event_pool_left_bytes(&pool), 0);

    for (size_t i = 0; i < n_more; i++) {
        tw_event *event = list;
        list = event->caused_by_me;
        event_pool_put(&pool, event);
    }
    CU_ASSERT(event_pool_overdrawn_bytes(&pool) < LIMIT / 20);
    put_all(&pool, &list);
    CU_ASSERT_EQUAL(event_pool_overdrawn_bytes(&pool), 0);
    CU_ASSERT(event_pool_left_bytes(&pool) > LIMIT - LIMIT / 20);
    CU_ASSERT(event_pool_left_bytes(&pool) <= LIMIT);
    CU_ASSERT_EQUAL(fill_with_events(&pool, &list), n_limit + n_more);
    event_pool_fini(&pool);
}

/* Also notes that are larger than any free event. */
static void test_notes_overdraw(void)
{
    struct event_pool pool;
    tw_event *list = NULL;
    event_pool_init(&pool, MSG_SIZE, LIMIT);
    tw_event *owner = event_pool_get(&pool);
    owner->notes = NULL;
    (void)fill_with_events(&pool, &list);
    put_all(&pool, &list);
    CU_ASSERT_PTR_NULL(event_pool_add_note(&pool, owner, NOTE_STATE, 10000));
    event_pool_allow_overdraft(&pool, LIMIT / 4);
    size_t n_notes = fill_with_notes(&pool, owner, 10000);
    CU_ASSERT(n_notes > LIMIT / 5 / 16384 && n_notes <= LIMIT / 4 / 16384);
    CU_ASSERT_EQUAL(event_pool_overdrawn_bytes(&pool), 0); /* events are free */
    (void)fill_with_events(&pool, &list);
    CU_ASSERT(event_pool_overdrawn_bytes(&pool) >= n_notes * 16384 - LIMIT / 100);
    event_pool_drop_notes(&pool, owner, true);
    CU_ASSERT(event_pool_overdrawn_bytes(&pool) < LIMIT / 20);
    event_pool_fini(&pool);
}

/* The longest lineage fits into free events of any size. */
static void test_lineage_from_events(void)
{
    struct event_pool pool;
    tw_event *list = NULL;
    double lineage[MAX_TIE_CHAIN - 1];
    double copy[MAX_TIE_CHAIN - 1];
    for (unsigned i = 0; i < MAX_TIE_CHAIN - 1; i++) {
        lineage[i] = 0.25 + i;
    }
    event_pool_init(&pool, 8, LIMIT);
    size_t n_events = fill_with_events(&pool, &list);
    put_all(&pool, &list);
    size_t n_lineages = 0;
    unsigned bad = 0;
    for (tw_event *event; (event = event_pool_get(&pool)) != NULL; n_lineages++) {
        event->notes = NULL;
        event->state.lineage_len = MAX_TIE_CHAIN;
        event->tie = 0.5;
        if (!event_pool_add_lineage(&pool, event, lineage, MAX_TIE_CHAIN - 1) ||
            event_pool_add_note(&pool, event, NOTE_OUTPUT, 8) == NULL) {
            break;
        }
        event_pool_drop_notes(&pool, event, false);
        event_copy_lineage(event, copy);
        bad += memcmp(copy, lineage, sizeof copy) != 0;
        for (unsigned i = 1; i < MAX_TIE_CHAIN; i++) {
            bad += event_lineage(event, i) != lineage[i - 1];
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(n_lineages > n_events / 4);
    event_pool_fini(&pool);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"notes become events", test_notes_become_events},
        {"events become notes", test_events_become_notes},
        {"large notes serve small ones", test_large_notes_serve_small},
        {"small pieces do not count", test_small_pieces_do_not_count},
        {"overdraft", test_overdraft},
        {"notes overdraw", test_notes_overdraw},
        {"lineages from events", test_lineage_from_events},
    };
    return suite_run("pool limit", tests, sizeof tests / sizeof *tests);
}
