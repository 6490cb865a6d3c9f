/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_merge.h - merges what all ranks have into one result on rank 0, up a binary tree.
 *
 * Each rank passes on one string of bytes, and receives at most log2(ranks) of them. If merging
 * keeps equal items once, memory depends on the number of different items, not on that of ranks.
 */
#ifndef WARPSCOPE_RECORD_BASE_TREE_MERGE_H
#define WARPSCOPE_RECORD_BASE_TREE_MERGE_H

#include <mpi.h>
#include <stddef.h>

struct tree_merge {
    void *ctx;
    /* Adds the string of a group of ranks. It follows what has been merged so far, in the order of
     * ranks. bytes: valid during the call. */
    void (*take)(void *ctx, const unsigned char *bytes, size_t size);
    /* Returns the string of this rank and of all that it has taken, valid until the next call. */
    const unsigned char *(*give)(void *ctx, size_t *size);
};

/* Merges the strings of all ranks; rank 0 has taken all others when it returns. Ends the run with a
 * message if memory is short. Collective. */
void tree_merge(const struct tree_merge *merge, MPI_Comm comm);

#endif
