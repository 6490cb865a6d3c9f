/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_merge.h - merges byte strings of all ranks into one result on rank 0, along a binary tree.
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
    /* Adds the string of a group of ranks, which are the next ones after those merged so far.
     * bytes: valid during the call. */
    void (*take)(void *ctx, const unsigned char *bytes, size_t size);
    /* Returns the merged string of this rank and of all strings taken. It is valid until the next
     * call. */
    const unsigned char *(*give)(void *ctx, size_t *size);
};

/* Merges the strings of all ranks on rank 0. Ends the run with a message if memory is exhausted.
 * Collective. */
void tree_merge(const struct tree_merge *merge, MPI_Comm comm);

#endif
