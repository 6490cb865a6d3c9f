/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_remote_table.c - handles at the sender, slots at the receiver, against a list of messages.
 *
 * Two tables represent two ranks. A channel between them carries events and anti-messages, in the
 * order of the transport or with anti-messages before their events. The sender commits or cancels
 * its events. The receiver must cancel exactly the event that the sender meant.
 */
#include <malloc.h>
#include <string.h>

#include "event/remote_table.h"
#include "support/suite.h"

#define SENDER   2 /* rank of the peer, at the receiver */
#define RECEIVER 1 /* rank of the peer, at the sender */

static uint64_t seed;

enum message_kind { MESSAGE_EVENT, MESSAGE_ANTI };

struct message {
    enum message_kind kind;
    uint64_t id; /* id of the event */
    uint32_t handle;
    uint32_t seq;
};

/* Fate of each event, by its id. */
struct fate {
    tw_event *sender_copy;   /* while uncommitted */
    tw_event *receiver_copy; /* while alive */
    bool cancelled;          /* by the sender */
    bool annihilated;        /* at the receiver */
    bool freed;              /* by the receiver, after its commit */
};

struct world {
    struct remote_table sender;
    struct remote_table receiver;
    struct fate *fates;
    size_t n_fates;
    struct message *channel;
    size_t n_channel;
    size_t capacity;
    uint64_t *open; /* ids of uncommitted events */
    size_t n_open;
    uint64_t random;
    unsigned bad;
    size_t peak_open;
};

static void world_init(struct world *w, size_t capacity, uint64_t world_seed)
{
    *w = (struct world){.random = world_seed, .capacity = capacity};
    w->fates = calloc(capacity, sizeof *w->fates);
    w->channel = calloc(2 * capacity, sizeof *w->channel);
    w->open = calloc(capacity, sizeof *w->open);
    remote_table_init(&w->sender, 4);
    remote_table_init(&w->receiver, 4);
}

static void world_fini(struct world *w)
{
    for (size_t i = 0; i < w->n_fates; i++) {
        free(w->fates[i].sender_copy);
        free(w->fates[i].receiver_copy);
    }
    remote_table_fini(&w->sender);
    remote_table_fini(&w->receiver);
    free(w->fates);
    free(w->channel);
    free(w->open);
}

/* R1: no other uncommitted event has the handle. */
static bool handle_is_unique(const struct world *w, uint32_t handle)
{
    unsigned users = 0;
    for (size_t i = 0; i < w->n_open; i++) {
        users += w->fates[w->open[i]].sender_copy->handle == handle;
    }
    return users == 1;
}

static void world_send(struct world *w)
{
    if (w->n_fates == w->capacity) {
        return;
    }
    uint64_t id = w->n_fates++;
    tw_event *event = calloc(1, sizeof *event);
    event->send_pe = RECEIVER;
    remote_table_take_handle(&w->sender, event);
    w->fates[id].sender_copy = event;
    w->open[w->n_open++] = id;
    w->peak_open = w->n_open > w->peak_open ? w->n_open : w->peak_open;
    w->bad += !handle_is_unique(w, event->handle) || event->handle == EVENT_HANDLE_NONE;
    w->bad += event->handle >= w->peak_open; /* as few handles as uncommitted events, at most */
    w->channel[w->n_channel++] =
        (struct message){MESSAGE_EVENT, id, event->handle, event->event_id};
}

/* Commits (cancel false) or cancels the event at a place of the open list. */
static void world_close(struct world *w, size_t place, bool cancel)
{
    uint64_t id = w->open[place];
    struct fate *fate = &w->fates[id];
    tw_event *event = fate->sender_copy;
    if (cancel) {
        w->channel[w->n_channel++] =
            (struct message){MESSAGE_ANTI, id, event->handle, event->event_id};
    }
    fate->cancelled = cancel;
    remote_table_give_handle(&w->sender, event);
    free(event);
    fate->sender_copy = NULL;
    w->open[place] = w->open[--w->n_open];
}

static void receive_event(struct world *w, const struct message *m)
{
    tw_event *event = calloc(1, sizeof *event);
    event->send_pe = SENDER;
    event->handle = m->handle;
    event->event_id = m->seq;
    event->send_lp = m->id;
    if (remote_table_arrive(&w->receiver, event)) {
        w->fates[m->id].receiver_copy = event;
    } else {
        w->bad += !w->fates[m->id].cancelled || w->fates[m->id].annihilated;
        w->fates[m->id].annihilated = true;
        free(event);
    }
}

static void receive_anti(struct world *w, const struct message *m)
{
    tw_event *event = remote_table_cancel(&w->receiver, SENDER, m->handle, m->seq);
    struct fate *fate = &w->fates[m->id];
    w->bad += event != fate->receiver_copy; /* NULL while the event is still under way */
    if (event != NULL) {
        fate->annihilated = true;
        fate->receiver_copy = NULL;
        free(event);
    }
}

static void world_receive(struct world *w, size_t place)
{
    struct message m = w->channel[place];
    memmove(w->channel + place, w->channel + place + 1,
            (--w->n_channel - place) * sizeof *w->channel);
    if (m.kind == MESSAGE_EVENT) {
        receive_event(w, &m);
    } else {
        receive_anti(w, &m);
    }
}

/* At the end, cancelled events are gone, all others alive, and none is waiting. */
static void world_settle(struct world *w)
{
    while (w->n_channel > 0) {
        world_receive(w, 0);
    }
    for (size_t id = 0; id < w->n_fates; id++) {
        const struct fate *fate = &w->fates[id];
        w->bad += fate->annihilated != fate->cancelled;
        w->bad += (fate->receiver_copy != NULL || fate->freed) == fate->cancelled;
    }
    w->bad += w->receiver.peers[SENDER].n_early != 0;
    w->bad += w->receiver.peers[SENDER].n_slots > 2 * w->peak_open + 256;
}

/*
 * The receiver frees its events at their commit without notice to its table, like the engine: the
 * sender has committed the cause before.
 */
static void receiver_commits(struct world *w)
{
    for (size_t id = 0; id < w->n_fates; id++) {
        struct fate *fate = &w->fates[id];
        if (fate->sender_copy == NULL && !fate->cancelled && fate->receiver_copy != NULL) {
            free(fate->receiver_copy);
            fate->receiver_copy = NULL;
            fate->freed = true;
        }
    }
}

static void random_world(struct world *w, int steps)
{
    for (int step = 0; step < steps; step++) {
        switch (random_below(&w->random, 5)) {
        case 0:
        case 1:
            world_send(w);
            break;
        case 2:
            if (w->n_open > 0) {
                world_close(w, random_below(&w->random, w->n_open),
                            random_below(&w->random, 2) == 0);
            }
            break;
        default:
            if (w->n_channel > 0) {
                world_receive(w, 0);
            }
        }
        if (step % 1000 == 0) {
            receiver_commits(w);
        }
    }
    world_settle(w);
}

static void test_in_order(void)
{
    uint64_t random = seed;
    for (int round = 0; round < 20; round++) {
        struct world w;
        world_init(&w, 4000, random_bits(&random));
        random_world(&w, 8000);
        CU_ASSERT_EQUAL(w.bad, 0);
        world_fini(&w);
    }
}

/* Anti-messages that overtake their events, any number at a time. */
static void test_shuffled(void)
{
    uint64_t random = seed ^ 1;
    for (int round = 0; round < 20; round++) {
        struct world w;
        world_init(&w, 4000, random_bits(&random));
        for (int i = 0; i < 50; i++) {
            world_send(&w);
        }
        while (w.n_open > 0) {
            world_close(&w, random_below(&w.random, w.n_open), random_below(&w.random, 3) != 0);
        }
        for (size_t i = w.n_channel; i-- > 0;) {
            if (w.channel[i].kind == MESSAGE_ANTI) {
                world_receive(&w, i);
            }
        }
        CU_ASSERT(w.receiver.peers[SENDER].n_early > 10);
        while (w.n_channel > 0) {
            world_receive(&w, random_below(&w.random, w.n_channel));
        }
        world_settle(&w);
        CU_ASSERT_EQUAL(w.bad, 0);
        world_fini(&w);
    }
}

/* A handle is reused for the next event; a number distinguishes the two. */
static void test_handle_reuse(void)
{
    struct remote_table t;
    remote_table_init(&t, 2);
    tw_event a = {.send_pe = 1};
    tw_event b = {.send_pe = 1};
    remote_table_take_handle(&t, &a);
    remote_table_give_handle(&t, &a);
    remote_table_take_handle(&t, &b);
    CU_ASSERT_EQUAL(a.handle, b.handle);
    CU_ASSERT_NOT_EQUAL(a.event_id, b.event_id);

    /* at the receiver, an anti-message for the first event does not affect the second */
    tw_event arrived_a = {.send_pe = 0, .handle = a.handle, .event_id = a.event_id};
    tw_event arrived_b = {.send_pe = 0, .handle = b.handle, .event_id = b.event_id};
    CU_ASSERT(remote_table_arrive(&t, &arrived_a));
    CU_ASSERT(remote_table_arrive(&t, &arrived_b));
    CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, a.handle, a.event_id));
    CU_ASSERT_PTR_EQUAL(remote_table_cancel(&t, 0, b.handle, b.event_id), &arrived_b);
    CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, b.handle, b.event_id)); /* the event is gone */
    remote_table_fini(&t);
}

/* Peers are independent. */
static void test_peers(void)
{
    struct remote_table t;
    remote_table_init(&t, 3);
    tw_event *from = calloc(3, sizeof *from);
    for (uint32_t i = 0; i < 3; i++) {
        tw_event to = {.send_pe = i, .handle = 77, .event_id = 77};
        remote_table_take_handle(&t, &to);
        CU_ASSERT_EQUAL(to.handle, 0);
        CU_ASSERT_EQUAL(to.event_id, 1);
        from[i].send_pe = i;
        from[i].event_id = to.event_id;
        CU_ASSERT(remote_table_arrive(&t, &from[i]));
    }
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_PTR_EQUAL(remote_table_cancel(&t, i, 0, 1), &from[i]);
    }
    free(from);
    remote_table_fini(&t);
    CU_ASSERT_PTR_NULL(t.peers);
}

/* The number of an event may wrap, and is never 0; only equality counts. */
static void test_ids_wrap(void)
{
    struct remote_table t;
    remote_table_init(&t, 1);
    t.peers[0].last_id = UINT32_MAX - 1;
    tw_event a = {0};
    tw_event b = {0};
    remote_table_take_handle(&t, &a);
    remote_table_give_handle(&t, &a);
    remote_table_take_handle(&t, &b);
    CU_ASSERT_EQUAL(a.event_id, UINT32_MAX);
    CU_ASSERT_EQUAL(b.event_id, 1);
    CU_ASSERT_EQUAL(b.handle, a.handle);

    /* after one wrap, events of different handles have the same number */
    tw_event other = {.handle = 6, .event_id = 0};
    CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, 5, 0));
    CU_ASSERT(remote_table_arrive(&t, &other));
    remote_table_fini(&t);
}

/* Slots that no event has used are empty, whatever the memory contained before. */
static void test_empty_slots(void)
{
    struct remote_table t;
    mallopt(M_PERTURB, 0x55); /* new memory holds 0xaa */
    remote_table_init(&t, 1);
    for (uint32_t handle = 100; handle < 100000; handle *= 4) {
        tw_event event = {.handle = handle, .event_id = 1};
        CU_ASSERT(remote_table_arrive(&t, &event));
        CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, handle - 1, 0xaaaaaaaa));
        CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, handle - 2, 0));
        CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, handle + 1, 1));
        CU_ASSERT_PTR_EQUAL(remote_table_cancel(&t, 0, handle, 1), &event);
    }
    CU_ASSERT_PTR_NULL(remote_table_cancel(&t, 0, UINT32_MAX - 1, 1));
    remote_table_fini(&t);
    mallopt(M_PERTURB, 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"random sends, commits, cancels in order", test_in_order},
        {"anti-messages before their events", test_shuffled},
        {"reuse of a handle", test_handle_reuse},
        {"peers are apart", test_peers},
        {"numbers wrap", test_ids_wrap},
        {"empty slots", test_empty_slots},
    };
    seed = suite_seed();
    suite_print_seed("remote_table", seed);
    return suite_run("remote_table", tests, sizeof tests / sizeof *tests);
}
