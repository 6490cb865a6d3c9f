/*
 * comm.h - the ranks: who we are, agreeing, aborting. All messages go through a communicator of our
 * own, so that nothing touches MPI_COMM_WORLD or collides with the model's messages; a second one
 * holds the ranks of this node.
 */
#ifndef WARPSCOPE_COMM_COMM_H
#define WARPSCOPE_COMM_COMM_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "event/event.h"

/* Tags of point-to-point messages on the engine's communicator. */
enum comm_tag { COMM_TAG_EVENTS = 1, COMM_TAG_ABORT = 2 };

struct comm {
    MPI_Comm comm; /* a duplicate of the communicator given, engine messages only */
    int rank;
    int n_ranks;
    int ranks_on_node;
    MPI_Comm node; /* ranks that can share memory; see comm_init() */
    bool owns_mpi; /* comm_init() started MPI */
    double cores;  /* processors that the ranks of the node may use */
    bool crowded;  /* the ranks of the node may use fewer processors than there are ranks */
    uint64_t abort_checks;
};

/*
 * Collective over parent. Starts MPI when nobody has. For tests on one machine, the environment
 * variable WARPSCOPE_RANKS_PER_NODE=N has each N ranks of a node make a comm->node of their own, as
 * if the others were on other nodes.
 */
void comm_init(struct comm *c, MPI_Comm parent, int *argc, char ***argv);
/* Collective. Ends MPI when comm_init() started it. */
void comm_fini(struct comm *c);

/* Processors that the ranks of a communicator, all on one node, may use together: those that any of
 * them may run on, or the share of the container where that is smaller. Collective. */
double comm_cores(MPI_Comm node);

/* Collective: the worst status of any rank, on every rank. */
enum tw_status comm_agree(const struct comm *c, enum tw_status mine);

/* Tells every other rank that this one has met a fatal error. Not collective; returns at once. */
void comm_abort_notify(const struct comm *c);
/* Has another rank met a fatal error? Cheap: looks once in 64 calls. */
bool comm_abort_poll(struct comm *c);
/* It looks when it is called next: some time has passed. */
static inline void comm_abort_look_soon(struct comm *c)
{
    c->abort_checks |= 63;
}
/* Waits up to timeout_s seconds until all other ranks have been told and have flushed. */
void comm_abort_wait(const struct comm *c, double timeout_s);
/* Tells the rank that met the error that this one has flushed. */
void comm_abort_acknowledge(const struct comm *c);

/*
 * What the ranks vote on in a GVT computation, reduced over all ranks: sums, minima, a maximum.
 */
struct comm_vote {
    int64_t in_transit;       /* sum: messages of the old colour sent minus received */
    uint64_t processed;       /* sum: events executed so far */
    uint64_t net;             /* sum: those not rolled back so far */
    uint64_t past_end;        /* sum: events past the end time so far */
    struct event_key least;   /* minimum: no event before it can appear any more */
    uint64_t room;            /* minimum: events that the rank still has memory for */
    uint64_t signal;          /* maximum: number of the signal received, 0 none */
    uint64_t hook_requests;   /* sum: requests for g_tw_gvt_hook committed so far */
    uint64_t cut_wish;        /* maximum: 1 when the rank asks for a cut, see engine/gvt.h */
    uint64_t status_wish;     /* maximum: 1 when SIGUSR1 has come, see engine/request.h */
    uint64_t checkpoint_wish; /* maximum: 1 when SIGUSR2 has come */
    double executed_ts;       /* maximum: latest receive time of what can not be undone any more */
};

/*
 * Where a rank shows its votes to the others in memory that all share, zeroed at first. Reductions
 * use the two places in turn: who starts the next but one has ended the next, which all have
 * joined, having read this one. A reduction then needs no message and no progress of MPI: it ends
 * as soon as the last rank has written, which counts where ranks wait for cores; there the last one
 * wakes the others.
 */
struct comm_board {
    struct comm_place {
        _Alignas(128) _Atomic uint64_t number; /* of the reduction that the vote is for */
        struct comm_vote vote;
    } place[2];
    _Alignas(128) _Atomic uint32_t asleep; /* 1: the rank sleeps or is about to, see nap.h */
    /* on the board of rank 0 alone */
    _Alignas(128) _Atomic uint64_t votes; /* of all ranks so far */
    _Alignas(128) _Atomic int n_asleep;   /* ranks whose asleep is 1 */
};

struct comm_reduction {
    struct comm_vote mine;
    struct comm_vote all;
    struct comm_board **boards; /* [n_ranks]; NULL: votes travel by MPI */
    uint64_t number;            /* of this reduction, from 1 on */
    int n_read;                 /* boards whose vote is in `all` */
    int n_boards;
    bool wakes; /* the last voter wakes the others */
    MPI_Request request;
    MPI_Datatype type;
    MPI_Op op;
};

void comm_reduction_init(struct comm_reduction *r);
/* From now on votes are shown on boards, one per rank; the array stays the caller's. wakes: ranks
 * sleep while they wait, see nap.h. The same call on all ranks, before the first reduction. */
void comm_reduction_share(struct comm_reduction *r, struct comm_board **boards, bool wakes);
void comm_reduction_fini(struct comm_reduction *r);
/* Collective in the sense of MPI_Iallreduce: every rank starts the same reductions in order. */
void comm_reduction_start(struct comm_reduction *r, const struct comm *c,
                          const struct comm_vote *mine);
/* True once the result is in r->all. */
bool comm_reduction_test(struct comm_reduction *r);

#endif
