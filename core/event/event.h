/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h - the event, its states and its position in the total order.
 *
 * Layout: a header of two cache lines (112 bytes), then the payload (16-aligned). Observers, the
 * pending queue and the scheduler use the first cache line; handlers, sending and rollback use the
 * second one.
 *
 * Invariants
 *  E1  An event is in exactly one place, given by its state. event_move() changes the state, and
 *      asserts that the previous state was as expected.
 *  E2  lineage_len == 1 means that the lineage is {tie}. The further numbers of a longer lineage
 *      are in notes of kind NOTE_LINEAGE, in the order of the list event->notes. Each of these
 *      notes except the last holds LINEAGE_OF_NOTE numbers.
 *  E3  The list caused_by_me of an event holds the events that it sent to its own rank. Its list
 *      `sent` holds the sender's copies (state EVENT_SENT) of the events that it sent to other
 *      ranks.
 */
#ifndef WARPSCOPE_EVENT_EVENT_H
#define WARPSCOPE_EVENT_EVENT_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross.h"

enum event_state {
    EVENT_FREE = 0,   /* free, in the pool */
    EVENT_NEW,        /* created by tw_event_new(), not yet sent */
    EVENT_PENDING,    /* in the pending queue */
    EVENT_PROCESSING, /* being executed by its handler */
    EVENT_PROCESSED,  /* in the history of its KP */
    EVENT_SENT,       /* the sender's copy of an event that it sent to another rank */
    EVENT_CANCELLED,  /* cancelled, but still in the pending queue, which drops it later */
    EVENT_WITHDRAWN   /* withdrawn by the model, see engine/withdraw.c */
};

/* Kinds of notes. A note holds data that the sender or the execution of an event attaches to the
 * event; the notes of an event form a list. */
enum note_kind {
    /* numbers of the lineage after the first one; kept when the event is rolled back */
    NOTE_LINEAGE,
    NOTE_STATE, /* saved state of the LP */
    /* For each model stream: mark of its half-used pair of normal numbers, see rng_pair_mark(). */
    NOTE_PAIRS,
    NOTE_OUTPUT, /* text given to tw_output() */
    /* A uint64_t: count of the record numbers that the event took, without those counted in
     * tw_event.numbers. */
    NOTE_NUMBERS,
    /* stands for PAST_END_OF_NOTE events that this event sent past the end time; has no bytes[] */
    NOTE_PAST_END,
    NOTE_DELTA, /* difference between two states of the LP, see engine/lps/snapshot.c */
    NOTE_HOOK,  /* this event requests a call of g_tw_gvt_hook; has no bytes[] */
    /* stands for one event that this event created, but did not send; has no bytes[] */
    NOTE_UNSENT,
    NOTE_TOO_DEEP /* this event sent another one whose lineage would be too long; has no bytes[] */
};

struct event_note {
    struct event_note *next;
    uint32_t size; /* number of bytes in bytes[] */
    uint16_t kind; /* value of enum note_kind */
    uint16_t size_class;
    _Alignas(16) unsigned char bytes[];
};

_Static_assert(offsetof(tw_event, caused_by_me) == 64, "first cache line");
_Static_assert(sizeof(tw_event) == 112, "header size; the payload is 16-aligned");

/* Returns the message of an event: the g_tw_msg_sz bytes right behind its header. */
static inline void *event_payload(const tw_event *event)
{
    return (void *)(uintptr_t)(event + 1);
}

#define PAST_END_OF_NOTE UINT8_MAX
/* handle of an event to another rank that the sender can never cancel */
#define EVENT_HANDLE_NONE UINT32_MAX

/* Compares two events whose time stamps, priorities and first lineage numbers are equal. Decides by
 * the further lineage numbers, then the lengths of the lineages, then the gids of the senders. The
 * return value is as for event_compare(). */
int event_compare_rest(const tw_event *a, const tw_event *b);

/* Compares two events in the total order. Returns a value < 0 if a comes before b, > 0 if a comes
 * after b, and 0 if they are equal. Two different events are never equal while neither is
 * cancelled. If two senders draw the same number (about once in 10^16 pairs of simultaneous
 * events), the gids of the senders decide. A cancelled event can equal only the event that its
 * cause sends instead when it is executed again. */
static inline int event_compare(const tw_event *a, const tw_event *b)
{
    if (a->recv_ts != b->recv_ts) {
        return a->recv_ts < b->recv_ts ? -1 : 1;
    }
    if (a->prio != b->prio) {
        return a->prio < b->prio ? -1 : 1;
    }
    if (a->tie != b->tie) {
        return a->tie < b->tie ? -1 : 1;
    }
    return a == b ? 0 : event_compare_rest(a, b);
}

/* The leading parts of an event's position in the total order, which distinguish nearly all events.
 * GVT is such a key, so it can separate simultaneous events: some are before GVT, others are not.
 * No event has a smaller key than its cause. */
struct event_key {
    double ts;
    double prio;
    double tie;
};

static inline struct event_key event_key(const tw_event *event)
{
    return (struct event_key){event->recv_ts, event->prio, event->tie};
}

/* Returns a key that precedes the keys of all events at time ts. If ts is INFINITY, the key follows
 * the keys of all events. */
static inline struct event_key event_key_at(double ts)
{
    assert(!isnan(ts));
    return (struct event_key){ts, -INFINITY, -INFINITY};
}

static inline bool event_key_before(const struct event_key *a, const struct event_key *b)
{
    if (a->ts != b->ts) {
        return a->ts < b->ts;
    }
    return a->prio != b->prio ? a->prio < b->prio : a->tie < b->tie;
}

/* Changes the state of an event to `to`. Asserts that the state was `from`. */
static inline void event_move(tw_event *event, enum event_state from, enum event_state to)
{
    assert(event->state.owner == (uint8_t)from);
    (void)from;
    event->state.owner = (uint8_t)to;
}

/* Resets the members that describe the effects of an earlier event in the same memory: lists of
 * sent events, notes and counts. */
static inline void event_clear_effects(tw_event *event)
{
    event->caused_by_me = NULL;
    event->sent = NULL;
    event->notes = NULL;
    event->core_draws = 0;
    event->past_end = 0;
    event->numbers = 0;
}

/* Maximum number of lineage numbers in a note. A full note takes 128 bytes, the size of the
 * smallest event, so the memory of any free event suffices. */
#define LINEAGE_OF_NOTE 14u
/* Returns number i of the event's lineage, 0 <= i < lineage_len. */
double event_lineage(const tw_event *event, unsigned i);
/* Copies to the array `doubles` all numbers of an event's lineage except the first. */
void event_copy_lineage(const tw_event *event, void *doubles);
void event_signature(const tw_event *event, tw_event_sig *out);

static inline const struct event_note *event_note_find(const tw_event *event, enum note_kind kind)
{
    const struct event_note *note = event->notes;
    while (note != NULL && note->kind != (uint16_t)kind) {
        note = note->next;
    }
    return note;
}

#endif
