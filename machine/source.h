/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.h - the events that a simulated run executes: where they come from, and in which order.
 */
#ifndef WARPSCOPE_MACHINE_SOURCE_H
#define WARPSCOPE_MACHINE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* An event of the simulated run: pending, executed or in a message. Starting from the lowest bit,
 * `id` contains the KP of the event's LP, two marks for messages, and the number of the event. */
struct wp_event {
    double at; /* receive time in virtual time */
    uint64_t id;
};
_Static_assert(sizeof(struct wp_event) == 16, "an event has no padding");

#define WP_KP_MASK      0xffu
#define WP_ANTI         0x100u /* mark: the message is an anti-message */
#define WP_COLOUR       0x200u /* mark: colour of the sending rank, for GVT */
#define WP_NUMBER_SHIFT 10u

/* An event and the rank that executes it. */
struct wp_step {
    struct wp_event event;
    uint32_t rank;
};

/* Processor times of an event in ns. */
struct wp_cost {
    float execute_ns; /* to execute and commit it, without its messages to other ranks */
    float undo_ns;    /* to undo it, without its anti-messages */
};

/*
 * A source of events. Its functions are pure: the machine calls next() whenever it executes or
 * undoes an event, in any order, and expects the same events each time.
 *
 * Rules
 *  S1  Events are ordered by wp_event_before(). An event comes before those that it causes. The
 *      numbers of recorded events therefore follow the order in which they were committed.
 *  S2  No two events are equal. The events of an LP have the same rank and KP.
 */
struct wp_source {
    const void *ctx; /* first argument of the functions */
    uint32_t most;   /* greatest number of events that an event causes */
    /* Number of events if they are numbered from 0 without gaps; the machine then finds cancelled
     * events without a search. 0: numbers are arbitrary. */
    uint32_t n_events;
    /* Stores start event i (from 0) of a rank in *event. Returns false if the rank has no more. */
    bool (*start)(const void *ctx, uint32_t rank, uint32_t i, struct wp_event *event);
    /* Stores the events that an event causes in out, which has space for `most`. rank: the rank
     * that executes `event`. Returns the number of events stored. */
    uint32_t (*next)(const void *ctx, uint32_t rank, const struct wp_event *event,
                     struct wp_step *out);
    /* Returns the costs of an event. NULL: all events have the costs of struct wp_machine. */
    struct wp_cost (*cost)(const void *ctx, const struct wp_event *event);
};

static inline struct wp_event wp_event_make(double at, uint64_t number, uint32_t kp)
{
    return (struct wp_event){at, number << WP_NUMBER_SHIFT | kp};
}

static inline bool wp_event_before(const struct wp_event *a, const struct wp_event *b)
{
    return a->at < b->at || (a->at == b->at && a->id < b->id);
}

static inline bool wp_event_same(const struct wp_event *a, const struct wp_event *b)
{
    return a->id == b->id && a->at == b->at;
}

static inline uint32_t wp_kp(const struct wp_event *event)
{
    return (uint32_t)(event->id & WP_KP_MASK);
}

static inline uint64_t wp_number(const struct wp_event *event)
{
    return event->id >> WP_NUMBER_SHIFT;
}

#endif
