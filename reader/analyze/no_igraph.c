/* SPDX-License-Identifier: BSD-3-Clause */
/* no_igraph.c - in place of communities.c where igraph is not there. */
#include <stdio.h>

#include "analyze/analyze.h"

void analyze_communities(struct analyze *a)
{
    snprintf(a->graph.why, sizeof a->graph.why,
             "this warpscope was built without igraph (Debian: libigraph-dev)");
}
