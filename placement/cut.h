/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut.h - divides LPs into parts of about equal load, with few events between parts, by METIS.
 * (Karypis & Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs",
 * SIAM J. Sci. Comput. 20(1), 1998.)
 */
#ifndef WARPSCOPE_PLACEMENT_CUT_H
#define WARPSCOPE_PLACEMENT_CUT_H

#include "placement/graph.h"

struct partition_cut_options {
    uint32_t seed;    /* seed of METIS; equal seeds result in equal parts */
    double imbalance; /* share by which the load of a part may exceed its intended load */
    /* Borrowed; [i]: share of the total load that part i should have; NULL: equal shares. */
    const double *shares;
};

/*
 * Divides n LPs into n_parts parts, considering only events between these LPs. lps: gids of the
 * LPs, in ascending order. index: scratch array with one element per LP of the graph. part_of: [i]
 * receives the part of LP lps[i], from 0 to n_parts - 1. Returns NULL on success, otherwise the
 * reason for the failure.
 */
const char *partition_cut(const struct partition_graph *g, const uint32_t *lps, size_t n,
                          uint32_t n_parts, const struct partition_cut_options *options,
                          uint32_t *index, uint32_t *part_of);

/* Returns the reason why this program cannot use METIS; NULL: it can. */
const char *partition_cut_missing(void);

#endif
