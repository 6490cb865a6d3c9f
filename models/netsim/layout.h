/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - the gids of the LPs, and the distribution of LPs over ranks.
 *
 * Site s has 1 + hosts consecutive gids, starting at s * (1 + hosts): first that of its router,
 * then those of its hosts. The gids do not depend on the number of ranks.
 */
#ifndef NETSIM_LAYOUT_H
#define NETSIM_LAYOUT_H

#include "ross.h"

struct ns_layout {
    uint32_t n_sites;
    uint32_t hosts; /* number of hosts per site */
    unsigned ranks;
    /* Owned array of ranks + 1 elements: rank r has the LPs with gids first[r] to
     * first[r + 1] - 1. */
    tw_lpid *first;
};

static inline tw_lpid ns_layout_total(const struct ns_layout *l)
{
    return (tw_lpid)l->n_sites * (1 + l->hosts);
}

static inline tw_lpid ns_gid_of_router(const struct ns_layout *l, uint32_t site)
{
    return (tw_lpid)site * (1 + l->hosts);
}

static inline tw_lpid ns_gid_of_host(const struct ns_layout *l, uint32_t site, uint32_t host)
{
    return ns_gid_of_router(l, site) + 1 + host;
}

static inline uint32_t ns_site_of_gid(const struct ns_layout *l, tw_lpid gid)
{
    return (uint32_t)(gid / (1 + l->hosts));
}

/* Returns the position of an LP within its site: 0 for the router, 1 + k for host k. */
static inline uint32_t ns_place_of_gid(const struct ns_layout *l, tw_lpid gid)
{
    return (uint32_t)(gid % (1 + l->hosts));
}

/*
 * Distributes the LPs over `ranks` ranks, from 1 to ns_layout_total() ranks. If there are at most
 * as many ranks as sites, each rank has whole sites, and the ranks have about the same total
 * weight. With more ranks, each rank has about the same number of LPs. weight: [s] is the expected
 * number of events of site s, up to a common factor. The caller frees layout by ns_layout_fini().
 * Not collective.
 */
void ns_layout_init(struct ns_layout *layout, uint32_t n_sites, uint32_t hosts, unsigned ranks,
                    const double *weight);
void ns_layout_fini(struct ns_layout *layout);

/* Returns the rank that has the LP with this gid. */
unsigned ns_layout_rank(const struct ns_layout *layout, tw_lpid gid);

#endif
