/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut.h - uses METIS to divide LPs into parts of about equal load, with few events between parts
 * (Karypis & Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs",
 * SIAM J. Sci. Comput. 20(1), 1998).
 */
#ifndef WARPSCOPE_PLACEMENT_CUT_H
#define WARPSCOPE_PLACEMENT_CUT_H

#include "placement/graph.h"

struct partition_cut_options {
    uint32_t seed;    /* equal seeds give equal parts */
    double imbalance; /* share by which the load of a part may exceed the mean */
    /* Borrowed; share of the total load that each part should have; NULL: equal shares. */
    const double *shares;
};

/*
 * Divides n LPs into n_parts parts. lps: the LPs, in ascending order. index: scratch array with an
 * element per LP of the graph. part_of: receives the part of each of the n LPs, from 0 to n_parts -
 * 1. Returns NULL on success, otherwise the reason for the failure.
 */
const char *partition_cut(const struct partition_graph *g, const uint32_t *lps, size_t n,
                          uint32_t n_parts, const struct partition_cut_options *options,
                          uint32_t *index, uint32_t *part_of);

/* Returns the reason why this build cannot divide LPs, or NULL if it can. */
const char *partition_cut_missing(void);

#endif
