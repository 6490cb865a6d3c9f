/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h - the event, its states and its position in the total order.
 *
 * Layout: a header of two cache lines (112 bytes), then the payload (16-aligned). Observers, the
 * queue and the scheduler use the first line; handlers, sending and rollback use the second.
 *
 * Invariants
 *  E1  An event is in exactly one place, given by its state; only event_move() changes it.
 *  E2  lineage_len == 1 means that the lineage is {tie}. The rest of a longer lineage is in notes
 *      of kind NOTE_LINEAGE, in their order in the list; each but the last holds LINEAGE_OF_NOTE
 *      numbers.
 *  E3  The list caused_by_me has the events that an event sent to its own rank. The list sent has
 *      the sender's copies (EVENT_SENT) of the events that it sent to other ranks.
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
    EVENT_SENT,       /* sender's copy of an event on another rank */
    EVENT_CANCELLED,  /* in the pending queue, but cancelled: dropped when it reaches the front */
    EVENT_WITHDRAWN   /* withdrawn by the model, see engine/withdraw.c */
};

/* Kinds of notes. A note holds data that the sender or the execution attaches to an event; the
 * notes of an event form a list. */
enum note_kind {
    NOTE_LINEAGE, /* lineage[1..]; belongs to the event, survives rollback */
    NOTE_STATE,   /* saved state of the LP */
    /* Half-used pairs of normal numbers in the model's streams, see rng_pair_mark(). */
    NOTE_PAIRS,
    NOTE_OUTPUT, /* text given to tw_output() */
    /* Number of record numbers taken by the event beyond those counted in tw_event.numbers: a
     * uint64_t. */
    NOTE_NUMBERS,
    NOTE_PAST_END, /* represents PAST_END_OF_NOTE events past the end time; no payload */
    NOTE_DELTA,    /* difference of the LP's state, see engine/lps/snapshot.c */
    NOTE_HOOK,     /* request for a call of g_tw_gvt_hook; no payload */
    NOTE_UNSENT,   /* represents an event that was created, but not sent; no payload */
    NOTE_TOO_DEEP  /* the event sent another one whose lineage would be too long; no payload */
};

struct event_note {
    struct event_note *next;
    uint32_t size; /* size of the payload in bytes */
    uint16_t kind; /* value of enum note_kind */
    uint16_t size_class;
    _Alignas(16) unsigned char bytes[];
};

_Static_assert(offsetof(tw_event, caused_by_me) == 64, "first cache line");
_Static_assert(sizeof(tw_event) == 112, "header size; the payload is 16-aligned");

/* Returns the message: g_tw_msg_sz bytes right behind the header. */
static inline void *event_payload(const tw_event *event)
{
    return (void *)(uintptr_t)(event + 1);
}

#define PAST_END_OF_NOTE  UINT8_MAX
#define EVENT_HANDLE_NONE UINT32_MAX /* handle of a remote event that the sender can never cancel */

/* Compares the parts of the order after the first number of the lineage: its other numbers, then
 * the senders. */
int event_compare_rest(const tw_event *a, const tw_event *b);

/* Compares two events in the total order; returns < 0, 0 or > 0. Events that are not cancelled
 * are never equal: if two senders draw the same number (about once in 10^16 pairs of
 * simultaneous events), their gids decide. Only a cancelled event equals the event that its
 * cause sends again. */
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

/* Leading parts of an event's position in the total order, which distinguish nearly all events. GVT
 * is such a key, so it can pass some of many simultaneous events. No event has a smaller key than
 * its cause. */
struct event_key {
    double ts;
    double prio;
    double tie;
};

static inline struct event_key event_key(const tw_event *event)
{
    return (struct event_key){event->recv_ts, event->prio, event->tie};
}

/* Returns a key before all events at ts; with INFINITY: after all events. */
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

/* Changes the state of an event. Asserts that it was `from`. */
static inline void event_move(tw_event *event, enum event_state from, enum event_state to)
{
    assert(event->state.owner == (uint8_t)from);
    (void)from;
    event->state.owner = (uint8_t)to;
}

/* Removes the effects of an earlier use from an event of the pool: no children, no draws, no
 * notes. */
static inline void event_clear_effects(tw_event *event)
{
    event->caused_by_me = NULL;
    event->sent = NULL;
    event->notes = NULL;
    event->core_draws = 0;
    event->past_end = 0;
    event->numbers = 0;
}

/* Numbers of a lineage per note. The note then takes 128 bytes, as the smallest event does, so it
 * can be cut from any free event. */
#define LINEAGE_OF_NOTE 14u
/* Returns lineage[i], 0 <= i < lineage_len. */
double event_lineage(const tw_event *event, unsigned i);
/* Copies the numbers of the lineage except the first to doubles. */
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
