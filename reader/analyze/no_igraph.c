/* SPDX-License-Identifier: BSD-3-Clause */
/* no_igraph.c - replaces igraph_communities.c in builds without igraph. */
#include "analyze/analyze.h"

void analyze_communities(struct analyze *a)
{
    a->graph.why = "this warpscope was built without igraph (Debian: libigraph-dev)";
}
