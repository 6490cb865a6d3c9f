/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept.h - copies of LP states, from which a model computes its results. The final functions of LPs
 * make the copies, because states cannot be read after tw_run().
 *
 * The sum of doubles depends on the order of the additions. A model adds the values of the LPs of
 * rank 0, then those of rank 1, and so on. With a linear mapping, this is the order of gids. If
 * --lp-map has placed the LPs in another order, model_kept_go_home() restores the order of gids.
 */
#ifndef MODELS_COMMON_KEPT_H
#define MODELS_COMMON_KEPT_H

#include "ross.h"

struct model_kept_lp {
    tw_lpid gid;
    size_t size;
    /* Owned copy of the state; NULL if the run ended before the LP's final function was called. */
    void *bytes;
};

struct model_kept {
    tw_lpid n_lps;
    /* Owned array of n_lps elements in the order of local LP numbers; after model_kept_go_home(),
     * in the order of gids. */
    struct model_kept_lp *lps;
};

static inline void model_kept_begin(struct model_kept *kept, tw_lpid n_lps)
{
    kept->n_lps = n_lps;
    kept->lps = tw_calloc(TW_LOC, "results", sizeof *kept->lps, n_lps + 1);
}

static inline void model_kept_end(struct model_kept *kept)
{
    for (tw_lpid i = 0; i < kept->n_lps; i++) {
        free(kept->lps[i].bytes);
    }
    free(kept->lps);
    *kept = (struct model_kept){.n_lps = 0};
}

/* Empties kept and prepares it for n_lps LPs. Must be called after LPs have moved between ranks,
 * and before any final function. */
static inline void model_kept_begin_again(struct model_kept *kept, tw_lpid n_lps)
{
    model_kept_end(kept);
    model_kept_begin(kept, n_lps);
}

/* Copies the `size` bytes at `bytes`, and stores the result in kept as the copy of the LP's state.
 * The LP must not have a copy yet. Returns the copy, which kept owns. */
static inline void *model_kept_put(struct model_kept *kept, const tw_lp *lp, const void *bytes,
                                   size_t size)
{
    assert(lp->id < kept->n_lps && kept->lps[lp->id].bytes == NULL);
    struct model_kept_lp *own = &kept->lps[lp->id];
    *own = (struct model_kept_lp){lp->gid, size, tw_calloc(TW_LOC, "results", 1, size)};
    memcpy(own->bytes, bytes, size);
    return own->bytes;
}

/* Searches kept->lps from index *at on for an element that has a copy and a gid in the range first
 * <= gid < end. Returns the first such element; NULL: there is none. Sets *at to the index after
 * that element. */
static inline struct model_kept_lp *model_kept_next(struct model_kept *kept, tw_lpid *at,
                                                    tw_lpid first, tw_lpid end)
{
    for (; *at < kept->n_lps; ++*at) {
        struct model_kept_lp *lp = &kept->lps[*at];
        if (lp->bytes != NULL && lp->gid >= first && lp->gid < end) {
            ++*at;
            return lp;
        }
    }
    return NULL;
}

/* Sends to rank `to` the copies whose gids are in the range of that rank, see model_kept_go_home().
 * Receives from rank `from` the copies whose gids are in the range of this rank, and stores them in
 * home. The gid and size of each copy precede it; size 0 ends the exchange. */
static inline void model_kept_exchange(struct model_kept *kept, struct model_kept *home,
                                       const tw_lpid *first, int rank, int to, int from,
                                       MPI_Comm comm)
{
    const int tag = 2;
    tw_lpid at = 0;
    bool sends = true;
    bool receives = true;
    while (sends || receives) {
        struct model_kept_lp *lp = model_kept_next(kept, &at, first[to], first[to + 1]);
        uint64_t out[2] = {lp != NULL ? lp->gid : 0, lp != NULL ? lp->size : 0};
        uint64_t in[2] = {0, 0};
        int to_now = sends ? to : MPI_PROC_NULL;
        int from_now = receives ? from : MPI_PROC_NULL;
        MPI_Sendrecv(out, 2, MPI_UINT64_T, to_now, tag, in, 2, MPI_UINT64_T, from_now, tag, comm,
                     MPI_STATUS_IGNORE);
        sends = sends && out[1] > 0;
        receives = receives && in[1] > 0;
        struct model_kept_lp *own = receives ? &home->lps[in[0] - first[rank]] : NULL;
        if (own != NULL) {
            *own = (struct model_kept_lp){in[0], in[1], tw_calloc(TW_LOC, "results", 1, in[1])};
        }
        MPI_Sendrecv(lp != NULL ? lp->bytes : NULL, (int)out[1], MPI_BYTE,
                     sends ? to : MPI_PROC_NULL, tag, own != NULL ? own->bytes : NULL, (int)in[1],
                     MPI_BYTE, own != NULL ? from : MPI_PROC_NULL, tag, comm, MPI_STATUS_IGNORE);
    }
}

/*
 * Moves the copies between ranks so that rank r has those with gids first[r] to first[r + 1] - 1,
 * in the order of gids. first: number of ranks + 1 elements. If every copy is already in its place
 * on all ranks, the function moves none. Each copy must have from 1 to INT_MAX bytes. Collective.
 */
static inline void model_kept_go_home(struct model_kept *kept, const tw_lpid *first, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    struct model_kept home;
    tw_lpid n_home = first[rank + 1] - first[rank];
    int moves = kept->n_lps != n_home;
    for (tw_lpid i = 0; i < kept->n_lps && moves == 0; i++) {
        moves = kept->lps[i].bytes != NULL && kept->lps[i].gid != first[rank] + i;
    }
    MPI_Allreduce(MPI_IN_PLACE, &moves, 1, MPI_INT, MPI_MAX, comm);
    if (moves == 0) {
        return;
    }
    model_kept_begin(&home, n_home);
    for (int step = 0; step < ranks; step++) {
        model_kept_exchange(kept, &home, first, rank, (rank + step) % ranks,
                            (rank + ranks - step) % ranks, comm);
    }
    model_kept_end(kept);
    *kept = home;
}

/*
 * Adds up the copies of all ranks in the array at `sums`, `bytes` bytes that are zero at first, at
 * most INT_MAX. The ranks add their copies one after another: rank 0 adds those of its LPs and sends
 * the sums to rank 1, and so on; the last rank returns them to rank 0, where they are complete. With
 * `first` as for model_kept_go_home(), they are the same to the last bit for any number of ranks.
 * Collective.
 */
static inline void model_kept_sum(struct model_kept *kept, const tw_lpid *first, MPI_Comm comm,
                                  void *sums, size_t bytes,
                                  void (*add)(void *ctx, const struct model_kept_lp *lp), void *ctx)
{
    const int tag = 1;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    model_kept_go_home(kept, first, comm);
    if (rank > 0) {
        MPI_Recv(sums, (int)bytes, MPI_BYTE, rank - 1, tag, comm, MPI_STATUS_IGNORE);
    }
    for (tw_lpid i = 0; i < kept->n_lps; i++) {
        if (kept->lps[i].bytes != NULL) { /* NULL: the run ended before the final functions */
            add(ctx, &kept->lps[i]);
        }
    }
    if (ranks > 1) {
        MPI_Send(sums, (int)bytes, MPI_BYTE, (rank + 1) % ranks, tag, comm);
    }
    if (ranks > 1 && rank == 0) {
        MPI_Recv(sums, (int)bytes, MPI_BYTE, ranks - 1, tag, comm, MPI_STATUS_IGNORE);
    }
}

#endif
