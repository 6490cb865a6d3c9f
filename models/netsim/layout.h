/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - the gids of the LPs, and the distribution of LPs to ranks.
 *
 * Site s has 1 + hosts consecutive gids from s * (1 + hosts) on: first its router, then its hosts.
 * The gids do not depend on the number of ranks.
 */
#ifndef NETSIM_LAYOUT_H
#define NETSIM_LAYOUT_H

#include "ross.h"

struct ns_layout {
    uint32_t n_sites;
    uint32_t hosts; /* number of hosts per site */
    unsigned ranks;
    tw_lpid *first; /* [ranks + 1] elements: rank r holds the gids first[r] to first[r + 1] - 1 */
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

/* Returns the place of a gid in its site: 0 for the router, 1 + k for host k. */
static inline uint32_t ns_place_of_gid(const struct ns_layout *l, tw_lpid gid)
{
    return (uint32_t)(gid % (1 + l->hosts));
}

/*
 * Divides the LPs among 1 to ns_layout_total() ranks. With at most as many ranks as sites, each
 * rank holds whole sites, and all ranks have about equal weight. With more ranks, all ranks hold
 * about equally many LPs. weight: expected number of events of each site. The layout must be freed
 * with ns_layout_fini(). Not collective.
 */
void ns_layout_init(struct ns_layout *layout, uint32_t n_sites, uint32_t hosts, unsigned ranks,
                    const double *weight);
void ns_layout_fini(struct ns_layout *layout);

/* Returns the rank that holds gid. */
unsigned ns_layout_rank(const struct ns_layout *layout, tw_lpid gid);

#endif
