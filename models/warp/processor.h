/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processor.h - the LPs: simulated processors, each of which serves a block of ranks.
 *
 * A processor executes the turns of its ranks. It continues with a rank until the rank has nothing
 * to do or the rank's time slice is over. Then it serves the next rank that can run. On a machine
 * with one core per rank, each processor has a single rank.
 */
#ifndef WARP_PROCESSOR_H
#define WARP_PROCESSOR_H

#include "common/observe.h"
#include "rank.h"

enum wp_kind {
    WP_TURN = 1, /* from the processor itself: the next turn begins */
    WP_DATA,     /* an event or anti-message of the simulated run arrives */
    WP_VOTE,     /* a vote or a sum of votes arrives at a node of the tree of reductions */
    WP_ANSWER    /* the result of a reduction arrives at a node of the tree of reductions */
};

/* Payload of every event of this model, as opposed to events of the simulated run. */
struct wp_message {
    struct wp_event event; /* in WP_DATA: the event of the simulated run */
    /* In WP_VOTE: minimum receive time, see wp_vote; in WP_ANSWER: GVT. */
    double least;
    /* In WP_VOTE: see wp_vote; in WP_ANSWER: not 0 if the ranks must vote again. */
    int32_t in_transit;
    uint32_t rank; /* number of the destination rank */
    uint32_t kind; /* kind of message: enum wp_kind */
    uint32_t unused;
    struct wp_event undo; /* in WP_DATA: old content of the slot that the event overwrites */
};
_Static_assert(sizeof(struct wp_message) == 56, "a message has no padding");

/* State of an LP. The struct is followed by the memory of the ranks: for each rank, the kp_last
 * values of its KPs, and its slots, see wp_self. */
struct wp_processor {
    double busy_until; /* time in ns at which the last turn ends */
    double wire_free;  /* time in ns from which the next message can leave */
    double slice_end;  /* time in ns at which the time slice of the current rank ends */
    uint32_t current;  /* index in `ranks` of the rank that runs */
    uint32_t awake;    /* 1: a WP_TURN event is pending */
    uint64_t messages; /* number of messages that have left the processor */
    struct wp_rank ranks[];
};

/* Returns the size of a state in bytes. */
size_t wp_state_bytes(const struct wp_model *m);

/* Allocates the working memory for turns, which all LPs of this process share. */
void wp_processors_init(void);
/* Frees the memory that wp_processors_init() allocated. */
void wp_processors_fini(void);

void wp_processor_init(void *state, tw_lp *lp);
void wp_processor_event(void *state, tw_bf *bf, void *message, tw_lp *lp);
void wp_processor_revent(void *state, tw_bf *bf, void *message, tw_lp *lp);
void wp_processor_commit(void *state, tw_bf *bf, void *message, tw_lp *lp);

/* The next three functions are defined in report.c. */
/* Adds the counts of a processor's ranks to the sums of this process. Final function of LPs. */
void wp_processor_final(void *state, tw_lp *lp);

/* Prints to out a heading with the parameters. Called on rank 0 only. */
void wp_report_heading(FILE *out, const struct wp_model *m);

/* Prints the results to out on rank 0. Prints an error message on rank 0 and returns false if the
 * simulated run reached an impossible state. Must be called after tw_run(). Collective. */
bool wp_report_results(FILE *out, const struct wp_model *m);

/* Defined in observe.c. */
extern struct model_observers wp_observers;

#endif
