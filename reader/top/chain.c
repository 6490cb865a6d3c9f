/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.c - computes which share of the counts in a sample is added to the sums; see struct
 * top_chain in model.h. */
#include <assert.h>
#include <math.h>

#include "top/model.h"

double top_chain_share(const struct top_chain *chain, enum top_source source, double from,
                       double to)
{
    assert(chain->n <= TOP_LINKS_MAX && source < TOP_SOURCES);
    double begin = -INFINITY, share = 0;
    for (unsigned i = 0; i < chain->n; i++) {
        double end = chain->links[i].until;
        if (chain->links[i].source == source && (isnan(from) || from >= to)) {
            share += to > begin && to <= end;
        } else if (chain->links[i].source == source) {
            double covered = fmin(to, end) - fmax(from, begin);
            share += covered > 0 ? covered / (to - from) : 0;
        }
        begin = end;
    }
    return share < 1 ? share : 1;
}
