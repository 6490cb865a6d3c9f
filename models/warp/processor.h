/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processor.h - the LPs: processors, each of which serves a block of ranks.
 *
 * A processor executes the turns of its ranks. It continues with a rank until the rank has nothing
 * to do or its time slice is over, and then serves the next one that can run. On a machine with a
 * core for each rank, each processor has one rank.
 */
#ifndef WARP_PROCESSOR_H
#define WARP_PROCESSOR_H

#include "rank.h"

enum wp_kind {
    WP_TURN = 1, /* from the processor itself: the next turn begins */
    WP_DATA,     /* an event or anti-message of the simulated run arrives */
    WP_VOTE,     /* a vote, or a sum of votes, arrives at a node of the tree of reductions */
    WP_ANSWER    /* the result of a reduction arrives at a node */
};

/* The payload of every event. */
struct wp_message {
    struct wp_event event; /* the event, with WP_DATA */
    double least;          /* vote of the rank, or GVT in a reply */
    int32_t in_transit;    /* vote of the rank; in a reply: not 0 if ranks vote again */
    uint32_t rank;         /* destination */
    uint32_t kind;         /* enum wp_kind */
    uint32_t unused;
    struct wp_event undo; /* content of the slot that WP_DATA overwrites */
};
_Static_assert(sizeof(struct wp_message) == 56, "a message has no padding");

/* State of an LP. For each rank, the receive times of its KPs and its slots follow the ranks. */
struct wp_processor {
    double busy_until; /* end of the last turn in ns */
    double wire_free;  /* time in ns from which on the next message can leave */
    double slice_end;  /* end of the current rank's time slice in ns */
    uint32_t current;  /* local number of the rank that runs */
    uint32_t awake;    /* 1: an event WP_TURN is pending */
    uint64_t messages; /* messages that left */
    struct wp_rank ranks[];
};

/* Returns the bytes of a state. */
size_t wp_state_bytes(const struct wp_model *m);
/* Returns rank number `local` of a state, with its memory. */
struct wp_self wp_self_of(struct wp_processor *p, uint32_t local);

/* Allocates the memory for turns, which all LPs of this process share, and frees it. */
void wp_processors_init(void);
void wp_processors_fini(void);

void wp_processor_init(void *state, tw_lp *lp);
void wp_processor_event(void *state, tw_bf *bf, void *message, tw_lp *lp);
void wp_processor_revent(void *state, tw_bf *bf, void *message, tw_lp *lp);
void wp_processor_commit(void *state, tw_bf *bf, void *message, tw_lp *lp);

/* observe.c */
st_model_types *wp_observers(void);
void wp_observers_describe(void);

#endif
