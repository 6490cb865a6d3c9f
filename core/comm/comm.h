/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.h - communication among all ranks: set-up, agreement on a status, votes, abort. The engine
 * uses a communicator of its own, so that its messages collide neither with the model's nor with
 * messages on MPI_COMM_WORLD. A second communicator holds the ranks of this node.
 */
#ifndef WARPSCOPE_COMM_COMM_H
#define WARPSCOPE_COMM_COMM_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "comm/packing.h"
#include "event/event.h"

/* Tags of point-to-point messages on the engine's communicator. */
enum comm_tag { COMM_TAG_EVENTS = 1, COMM_TAG_ABORT = 2, COMM_TAG_COUNTS = 3, COMM_TAG_MOVE = 4 };

struct comm {
    /* duplicate of the communicator passed to comm_init(), for messages of the engine only */
    MPI_Comm comm;
    int rank;
    int n_ranks;
    int ranks_on_node;
    /* communicator of the ranks that can share memory with this one; see comm_init() */
    MPI_Comm node;
    bool owns_mpi; /* true if comm_init() initialised MPI */
    /* number of processors available to the ranks of the node; not always an integer */
    double cores;
    bool crowded; /* true if ranks share processors: there are too few, or the ranks are packed */
    bool takes_turns;  /* true if all ranks share one processor, so that only one runs at a time */
    bool some_crowded; /* true if ranks of any node shared processors at the start */
    /* Members for comm_pack(). */
    bool cannot_pack; /* true if the system did not let this rank change its processors */
    /* The processors on which the rank could run when it was pinned (cpu_set_t). */
    _Alignas(8) unsigned char apart[128];
    double cores_apart;      /* value of `cores` while ranks are not packed */
    unsigned ranks_per_core; /* number of ranks that share a processor; 1: ranks are not packed */
    bool is_pinned;          /* true if the rank runs on the processor of its group */
    struct packing packing;  /* used on rank 0 only, but for packing.top */
    uint64_t abort_checks;   /* number of calls of comm_abort_poll() */
    uint64_t abort_look_ns;  /* time before which it looks for no notification */
};

/* Sets up *c for the ranks of the communicator `parent` (MPI_COMM_NULL: MPI_COMM_WORLD).
 * Initialises MPI if necessary, without daemon and networks in a process that no launcher started.
 * Collective. For tests on one machine, the environment variable
 * WARPSCOPE_RANKS_PER_NODE=N simulates nodes: each group of N ranks gets its own communicator
 * c->node. */
void comm_init(struct comm *c, MPI_Comm parent, int *argc, char ***argv);
/* Frees the communicators; finalises MPI if comm_init() initialised it. Collective. */
void comm_fini(struct comm *c);

/* Returns the number of processors available to the ranks of the communicator `node`, which are all
 * on one node: the number of processors on which at least one of them may run, or the limit set by
 * their container if that is smaller. Collective. */
double comm_cores(MPI_Comm node);
/* Prepares comm_pack(). Called by comm_init(). Collective. */
void comm_pack_init(struct comm *c);
/* Lets the rank run where it could before it was packed, until the next call of comm_pack(). Threads
 * and programs that it starts meanwhile run there too. */
void comm_pack_leave(struct comm *c);

/* Packs the ranks: `ranks` successive ranks share a processor; 1: each rank runs again where it may.
 * Ranks then share processors, so waiting ranks must sleep (nap.h). boards: as in
 * comm_reduction_share(). All ranks make the same calls after the same reductions, once for each
 * reduction. */
struct comm_board;
void comm_pack(struct comm *c, unsigned ranks, struct comm_board **boards);
/* Notes on the rank's board on which processor it runs, unless it is packed. Called before the rank
 * votes, so that all ranks read the same notes after a reduction. */
void comm_pack_note(const struct comm *c, struct comm_board *mine);
/* Returns the processor for this rank's group if `ranks` successive ranks share one: that of its first
 * rank; if an earlier group has that, the first one of the group's other ranks that is not taken. */
int comm_pack_core(const struct comm *c, unsigned ranks, struct comm_board **boards);

/* Returns, on every rank, the worst of the statuses that the ranks passed. Collective. */
enum tw_status comm_agree(const struct comm *c, enum tw_status mine);

/* Maximum number of ranks for which comm_sum_for_me() uses a single collective call, which passes a
 * count for every rank. */
#define COMM_DENSE_RANKS 4096

/* Each rank has a count for every other rank; returns the sum of all counts for this rank.
 * counts[r]: this rank's count for rank r; 0 unless r is one of the n different ranks in `ranks`.
 * dense_most: COMM_DENSE_RANKS, except in tests. If there are more ranks than dense_most, the
 * memory and the messages needed grow with n, not with the number of ranks. Collective. */
uint64_t comm_sum_for_me(const struct comm *c, const uint64_t *counts, const int *ranks, size_t n,
                         int dense_most);

/* Notifies all other ranks of a fatal error on this rank. Returns at once. Not collective. */
void comm_abort_notify(const struct comm *c);
/* Returns true if another rank has notified this one of a fatal error. Only every 64th call looks
 * for such a notification, and at most once in two milliseconds: a look takes some 2 us. */
bool comm_abort_poll(struct comm *c);
/* Makes the next call of comm_abort_poll() look for a notification. For a caller that has slept. */
static inline void comm_abort_look_soon(struct comm *c)
{
    c->abort_checks |= 63;
    c->abort_look_ns = 0;
}
/* After a fatal error, waits for at most timeout_s seconds until all other ranks have flushed their
 * records. Sets heard[r] to true if rank r has answered or is the caller; `heard` may be NULL. */
void comm_abort_wait(const struct comm *c, double timeout_s, bool heard[]);
/* Notifies the failed rank that this rank has flushed its records. */
void comm_abort_acknowledge(const struct comm *c);

/* Vote of a rank in a GVT computation. The reduction combines the votes of all ranks: each member
 * by the sum, minimum or maximum, as its comment states. */
struct comm_vote {
    /* Sum: number of messages of the old colour sent, minus the number of these received; see
     * engine/gvt.h. */
    int64_t in_transit;
    uint64_t processed;       /* sum: number of events executed */
    uint64_t net;             /* sum: number of events executed and not rolled back */
    uint64_t past_end;        /* sum: number of events sent past the end time */
    struct event_key least;   /* minimum: lower bound on the keys of future events */
    uint64_t room;            /* minimum: number of events that still fit into the rank's memory */
    uint64_t overdrawn_bytes; /* maximum: bytes of event memory in use beyond the limit */
    uint64_t signal;          /* maximum: number of the signal that the rank received; 0: none */
    uint64_t hook_requests;   /* sum: number of committed requests for g_tw_gvt_hook */
    uint32_t cut_wish;        /* maximum: 1 to request a cut, see engine/gvt.h */
    /* Maximum: 1 to request the status (SIGUSR1), see engine/process/request.h. */
    uint32_t status_wish;
    uint32_t checkpoint_wish; /* maximum: 1 to request a checkpoint (SIGUSR2) */
    /* maximum: 1 for a request from outside the program, see engine/control.h */
    uint32_t control_wish;
    /* maximum: receive time of the event that the rank executed last if it never rolls back;
     * otherwise -INFINITY */
    double executed_ts;
    uint64_t waited_ticks; /* minimum: clock ticks for which the rank waited, see sched/clocks.h */
    uint64_t lost_ns;      /* sum: time for which the rank was ready, but had no processor */
    /* maximum: number of ranks that should share a processor; UINT64_MAX: this rank cannot */
    uint64_t ranks_per_core;
};

/*
 * Board of a rank: shared memory in which the rank publishes its votes; initially zero. A reduction
 * over boards needs neither messages nor progress of MPI, and ends as soon as the last rank has
 * voted.
 *
 * If each rank has a processor, each rank reads the votes of all ranks: this saves a transfer
 * between processors. If ranks share processors, the last voter combines the votes, publishes
 * the result on the board of rank 0, and wakes the others. The others read only that board: this
 * saves work if there are many ranks. If all share one processor, the last voter wakes the others
 * only when it waits itself: they could not run before.
 *
 * Reductions use the two elements of `place` alternately: reduction k uses the same element as
 * reduction k - 2. A rank starts reduction k when it has the result of reduction k - 1, so all
 * ranks have voted in reduction k - 1. Before that vote, each rank had the result of
 * reduction k - 2. The element is therefore free.
 */
struct comm_board {
    struct comm_place {
        /* Sequence number of the reduction to which the vote belongs. */
        _Alignas(128) _Atomic uint64_t number;
        struct comm_vote vote;
    } place[2];
    /* 1 if the rank sleeps or is about to sleep, else 0; see nap.h */
    _Alignas(128) _Atomic uint32_t asleep;
    /* number of the processor on which the rank ran lately while it was not packed */
    _Atomic int core;
    /* Receive time of the rank's next event, as it last knew: its clock. See sched/clocks.h. */
    _Alignas(128) _Atomic double clock;
    /* The following members are used on the board of rank 0 only. */
    /* Number of votes so far, over all ranks and the reductions whose last voter wakes the others. */
    _Alignas(128) _Atomic uint64_t votes;
    _Alignas(128) _Atomic int n_asleep; /* number of ranks whose `asleep` is 1 */
    /* Sequence number of the last reduction that has ended, modulo 2^32. */
    _Alignas(128) _Atomic uint32_t ended;
    struct comm_vote result; /* result of the last reduction that has ended */
};

struct comm_reduction {
    struct comm_vote mine;
    struct comm_vote all;
    /* [rank]: shared memory for the votes of that rank; NULL: ranks vote by MPI */
    struct comm_board **boards;
    uint64_t number; /* sequence number of the current reduction over boards, from 1 */
    int n_boards;
    int n_read;        /* if `wakes` is false: number of votes combined in `all` so far */
    bool wakes;        /* true if the last rank to vote wakes the others */
    uint64_t n_waking; /* number of reductions so far in which `wakes` was true */
    bool in_all;       /* true if `all` is the result of this reduction */
    bool owes_wake;    /* true if this rank voted last and has not yet woken the others */
    MPI_Request request;
    MPI_Datatype type;
    MPI_Op op;
};

void comm_reduction_init(struct comm_reduction *r);
/* Makes the ranks vote through shared memory. boards: one board per rank; the caller owns the
 * array. wakes: true if ranks sleep while they wait, see nap.h. All ranks must make the same call,
 * before the first reduction. */
void comm_reduction_share(struct comm_reduction *r, struct comm_board **boards, bool wakes);
/* Changes `wakes`. All ranks must make the same call between the same two reductions. */
void comm_reduction_wake(struct comm_reduction *r, bool wakes);
void comm_reduction_fini(struct comm_reduction *r);
/* Starts a reduction. Every rank must start the same reductions in the same order, as with
 * MPI_Iallreduce. */
void comm_reduction_start(struct comm_reduction *r, const struct comm *c,
                          const struct comm_vote *mine);
/* Returns true if the reduction has ended; its result is then in r->all. */
bool comm_reduction_test(struct comm_reduction *r);
/* Wakes the other ranks, if this rank voted last and has not yet done so. Called before a rank waits
 * for others in any way. Returns true if it woke them. */
bool comm_reduction_pass(struct comm_reduction *r);
/* Returns true if another rank has voted in the next reduction, in which this rank has not; false if
 * ranks do not sleep while they wait. */
bool comm_reduction_is_begun(const struct comm_reduction *r);
/* Returns the same for ranks that vote through shared memory, whether or not they sleep. */
bool comm_reduction_is_voted(const struct comm_reduction *r, const struct comm *c);
/* Returns the first rank whose vote is missing; -1 if all ranks have voted, or if they vote by MPI.
 * Not collective. */
int comm_reduction_awaits(const struct comm_reduction *r);

#endif
