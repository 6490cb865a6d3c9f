/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_merge.h - merges byte strings of all ranks into one result on rank 0, along a binary tree.
 *
 * Each rank sends at most one string of bytes, and receives at most log2(ranks) strings. If a
 * merged string holds equal items only once, the memory needed depends on the number of different
 * items, not on the number of ranks.
 */
#ifndef WARPSCOPE_RECORD_BASE_TREE_MERGE_H
#define WARPSCOPE_RECORD_BASE_TREE_MERGE_H

#include <mpi.h>
#include <stddef.h>

struct tree_merge {
    /* Argument of take() and give(); not owned. */
    void *ctx;
    /* Merges into ctx the string of a group of ranks. The group consists of the ranks that follow
     * those merged so far. bytes: size bytes, valid during the call. */
    void (*take)(void *ctx, const unsigned char *bytes, size_t size);
    /* Returns the string merged from this rank's own and all strings passed to take(). *size: its
     * length in bytes. The string is valid until the next call. */
    const unsigned char *(*give)(void *ctx, size_t *size);
};

/* Merges the strings of all ranks into merge->ctx on rank 0. Ends the run with an error message if
 * memory is exhausted. Collective over comm. */
void tree_merge(const struct tree_merge *merge, MPI_Comm comm);

#endif
