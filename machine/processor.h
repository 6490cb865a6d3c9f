/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processor.h - processors, each of which serves a block of ranks, and the messages among them.
 *
 * A processor executes the turns of its ranks. It continues with a rank until the rank has nothing
 * to do or the rank's time slice is over. Then it serves the next rank that can run. On a machine
 * with one core per rank, each processor has a single rank.
 *
 * The caller of these functions keeps the memory, and delivers messages in the order of their times:
 * wp_run() in this process, the model warp on a parallel engine.
 */
#ifndef WARPSCOPE_MACHINE_PROCESSOR_H
#define WARPSCOPE_MACHINE_PROCESSOR_H

#include "machine/rank.h"

enum wp_kind {
    WP_TURN = 1, /* from the processor itself: the next turn begins */
    WP_DATA,     /* an event or anti-message of the simulated run arrives */
    WP_VOTE,     /* a vote or a sum of votes arrives at a node of the tree of reductions */
    WP_ANSWER    /* the result of a reduction arrives at a node of the tree of reductions */
};

struct wp_message {
    union {
        struct wp_event event; /* of WP_DATA */
        /* WP_ANSWER: `least` is GVT; in_transit is not 0 if the ranks must vote again. */
        struct wp_vote vote;
    };
    uint32_t rank; /* number of the destination rank */
    uint32_t kind; /* enum wp_kind */
};
_Static_assert(sizeof(struct wp_message) == 24, "a message has no padding");

/* State of a processor, apart from the memory of its ranks' events. */
struct wp_processor {
    double busy_until; /* time in ns at which the last turn ends */
    double wire_free;  /* time in ns from which the next message can leave */
    double slice_end;  /* time in ns at which the time slice of the current rank ends */
    uint32_t current;  /* index in `ranks` of the rank that runs */
    uint32_t awake;    /* 1: a WP_TURN event is pending */
    uint64_t messages; /* number of messages that have left the processor */
    struct wp_rank ranks[];
};

/* A processor in one of its events, as the caller provides it. */
struct wp_scene {
    const struct wp_model *m;
    struct wp_processor *processor;
    uint32_t index; /* number of the processor */
    double now;     /* time in ns */
    struct wp_work *work;
    /* Returns the rank with the index `local` on the processor. The result is valid until the next
     * call. */
    struct wp_self *(*self)(struct wp_scene *scene, uint32_t local);
    /* Delivers a message after `offset` ns. */
    void (*post)(struct wp_scene *scene, const struct wp_message *message, double offset);
    /* The turn of a WP_TURN event, and the rank that had it; NULL: all ranks wait. */
    struct wp_turn turn;
    struct wp_self *served;
};

/* Returns the size of a struct wp_processor in bytes. */
static inline size_t wp_processor_bytes(const struct wp_model *m)
{
    return sizeof(struct wp_processor) + m->per_processor * sizeof(struct wp_rank);
}

/* Initialises the ranks of a processor, whose memory must be zero, and lets them vote in the first
 * GVT round. */
void wp_processor_begin(struct wp_scene *scene);
/* Handles a message. Returns false if it is an event for which its rank has no free slot. */
bool wp_processor_handle(struct wp_scene *scene, const struct wp_message *message);

/* ---- Runs in this process -------------------------------------------------------------------- */

struct wp_result {
    double time_ns;        /* time of the run */
    struct wp_counts sums; /* over all ranks */
    /* Over all ranks. What is left of their time went without an event, a result or a core, and for
     * turns. */
    struct wp_times times;
    uint64_t rounds;      /* greatest number of a rank: GVT rounds */
    uint64_t votes;       /* greatest number of a rank: reductions */
    uint32_t most_events; /* greatest number of pending, executed and arriving events of a rank */
};

/* Executes the events of model->source. sums.strange is greater than 0 if the source does not follow
 * its rules. Returns false if memory is exhausted. */
bool wp_run(const struct wp_model *model, struct wp_result *result);

#endif
