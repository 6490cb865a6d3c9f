/* SPDX-License-Identifier: BSD-3-Clause */
/* no_igraph.c - replaces igraph_communities.c in builds without igraph. */
#include <stdio.h>

#include "analyze/analyze.h"

void analyze_communities(struct analyze *a)
{
    snprintf(a->graph.why, sizeof a->graph.why,
             "this warpscope was built without igraph (Debian: libigraph-dev)");
}
