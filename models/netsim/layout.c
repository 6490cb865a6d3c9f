/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - the gids of the LPs, and the distribution of LPs over ranks.
 *
 * The LPs of a site stay on one rank, unless there are more ranks than sites. The line between a
 * host and its router carries about a tenth of the traffic, with a thousandth of the delay of a
 * long link. If a host and its router were on different ranks, neither rank could run far ahead of
 * the other. Each rank has a block of consecutive gids (LINEAR mapping). Let w be the total weight
 * of all sites. The block of rank r ends at the site where the total weight of this site and all
 * sites before it is nearest to w * (r + 1) / ranks. At least one site is left for each later rank.
 *
 * Invariants:
 * 1. The elements of first[] increase strictly from 0 to the number of LPs.
 * 2. gids do not depend on the number of ranks.
 *
 * Cost: O(sites + ranks).
 */
#include "layout.h"

#include <assert.h>

static void blocks_by_weight(struct ns_layout *l, const double *weight)
{
    assert(l->ranks <= l->n_sites);
    double total = 0;
    for (uint32_t s = 0; s < l->n_sites; s++) {
        total += weight[s];
    }
    double sum = 0; /* total weight of the sites before `site` */
    uint32_t site = 0;
    for (unsigned r = 0; r + 1 < l->ranks; r++) {
        double target = total * (r + 1) / l->ranks;
        /* At least one site is left for each later rank. */
        uint32_t last = l->n_sites - (l->ranks - 1 - r);
        sum += weight[site++];
        while (site < last && sum + weight[site] / 2 <= target) {
            sum += weight[site++];
        }
        l->first[r + 1] = ns_gid_of_router(l, site);
    }
}

static void blocks_by_count(struct ns_layout *l)
{
    for (unsigned r = 1; r < l->ranks; r++) {
        l->first[r] = ns_layout_total(l) * r / l->ranks;
    }
}

void ns_layout_init(struct ns_layout *layout, uint32_t n_sites, uint32_t hosts, unsigned ranks,
                    const double *weight)
{
    *layout = (struct ns_layout){n_sites, hosts, ranks, NULL};
    assert(ranks >= 1 && ranks <= ns_layout_total(layout));
    layout->first = tw_calloc(TW_LOC, "blocks of LPs", sizeof *layout->first, ranks + 1);
    if (ranks <= n_sites) {
        blocks_by_weight(layout, weight);
    } else {
        blocks_by_count(layout);
    }
    layout->first[ranks] = ns_layout_total(layout);
}

void ns_layout_fini(struct ns_layout *layout)
{
    free(layout->first);
    layout->first = NULL;
}

unsigned ns_layout_rank(const struct ns_layout *layout, tw_lpid gid)
{
    assert(gid < ns_layout_total(layout));
    unsigned low = 0;
    unsigned high = layout->ranks;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (layout->first[middle] <= gid) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
