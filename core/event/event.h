/*
 * event.h - the event, its states, its place in the total order.
 *
 * Layout: two cache lines of header, 112 bytes, then the payload (16-aligned). The first line holds
 * what observers see and what the queue and the scheduler touch, the second what handlers, sending
 * and rolling back touch.
 *
 * Invariants
 *  E1  An event is in exactly one place, named by its state; only event_move() changes it.
 *  E2  lineage_len == 1 means the lineage is {tie}; longer ones have the rest in a note of kind
 *      NOTE_LINEAGE.
 *  E3  local children hang on caused, remote ones (state SENT, sender's copy) on sent.
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
    EVENT_FREE = 0,   /* in the pool */
    EVENT_NEW,        /* made by tw_event_new(), not yet sent */
    EVENT_PENDING,    /* in the pending queue */
    EVENT_PROCESSING, /* its handler runs */
    EVENT_PROCESSED,  /* in the processed list of its KP */
    EVENT_SENT,       /* sender's copy of an event that another rank has */
    EVENT_CANCELLED,  /* in the pending queue, to be dropped when it surfaces */
    EVENT_WITHDRAWN   /* out of the run for a while, see engine/withdraw.c */
};

/* What an execution, or a sender, leaves on an event: one list, small blocks from the note pool. */
enum note_kind {
    NOTE_LINEAGE,  /* lineage[1..], part of the event itself: survives rollback */
    NOTE_STATE,    /* saved LP state */
    NOTE_PAIRS,    /* marks of the model streams, see rng_pair_mark() */
    NOTE_OUTPUT,   /* tw_output() text */
    NOTE_NUMBERS,  /* how many numbers it took beyond those that fit the event: an uint64_t */
    NOTE_PAST_END, /* stands for PAST_END_OF_NOTE events past the end that it made; no bytes */
    NOTE_DELTA,    /* what it changed of its LP's state, see engine/snapshot.c */
    NOTE_HOOK      /* it asks for a call of g_tw_gvt_hook; no bytes */
};

struct event_note {
    struct event_note *next;
    uint32_t size; /* payload bytes */
    uint16_t kind; /* enum note_kind */
    uint16_t size_class;
    _Alignas(16) unsigned char bytes[];
};

_Static_assert(offsetof(tw_event, caused_by_me) == 64, "first cache line");
_Static_assert(sizeof(tw_event) == 112, "header size; the payload is 16-aligned");

/* The message: g_tw_msg_sz bytes right behind the header. */
static inline void *event_payload(const tw_event *event)
{
    return (void *)(uintptr_t)(event + 1);
}

#define PAST_END_OF_NOTE  UINT8_MAX
#define EVENT_HANDLE_NONE UINT32_MAX /* an event that can never be cancelled */

/* Compares what comes after the first number of the lineage: the others, then the senders. */
int event_compare_rest(const tw_event *a, const tw_event *b);

/*
 * The total order of events: <0, 0, >0. Events that are alive never compare equal: should two
 * senders draw the same number (about once in 10^16 pairs of simultaneous events), their gids
 * decide. Only an event that was cancelled equals the one that its cause sends again.
 */
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

/* The first numbers of the order: what tells nearly all events apart. GVT is a bound in them, so
 * that it can pass a part of many simultaneous events. No event precedes its cause in them. */
struct event_key {
    double ts;
    double prio;
    double tie;
};

static inline struct event_key event_key(const tw_event *event)
{
    return (struct event_key){event->recv_ts, event->prio, event->tie};
}

/* Before all events at ts; INFINITY: after all events. */
static inline struct event_key event_key_at(double ts)
{
    return (struct event_key){ts, -INFINITY, -INFINITY};
}

static inline bool event_key_before(const struct event_key *a, const struct event_key *b)
{
    if (a->ts != b->ts) {
        return a->ts < b->ts;
    }
    return a->prio != b->prio ? a->prio < b->prio : a->tie < b->tie;
}

/* Moves an event from one place to another; asserts that it was where the caller thinks. */
static inline void event_move(tw_event *event, enum event_state from, enum event_state to)
{
    assert(event->state.owner == (uint8_t)from);
    (void)from;
    event->state.owner = (uint8_t)to;
}

/* An event fresh from the pool has caused nothing, taken nothing and has no notes. */
static inline void event_clear_effects(tw_event *event)
{
    event->caused_by_me = NULL;
    event->sent = NULL;
    event->notes = NULL;
    event->core_draws = 0;
    event->past_end = 0;
    event->numbers = 0;
}

/* lineage[i] of the event, 0 <= i < lineage_len. */
double event_lineage(const tw_event *event, unsigned i);
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
