/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - the traffic between sites: packet sizes, demands, offered load. The traffic is
 * constant once it is built.
 */
#ifndef NETSIM_TRAFFIC_H
#define NETSIM_TRAFFIC_H

#include "routes.h"

#define NS_MIX_MAX_SIZES    16
#define NS_MAX_PACKET_BYTES 65535

/* Packet sizes and their cumulative frequencies. cumulative[n_sizes - 1] is 1. */
struct ns_mix {
    uint32_t n_sizes;
    uint32_t size_bytes[NS_MIX_MAX_SIZES];
    double cumulative[NS_MIX_MAX_SIZES];
    double mean_bytes;
    uint32_t min_bytes;
    uint32_t max_bytes;
};

/* Parses a list of pairs of a size in bytes and a weight, such as "40:7,576:4,1500:1". Returns
 * false after an error, with an error message in *error that quotes the wrong part. */
bool ns_mix_parse(struct ns_mix *mix, const char *text, struct model_error *error);

/* Returns a packet size in bytes from the mix. u: uniform random number in [0, 1), which selects
 * the size. */
uint32_t ns_mix_pick(const struct ns_mix *mix, double u);

/* Demand between sites, and the resulting load of the arcs. */
struct ns_traffic {
    uint32_t n_sites;
    double *demand_bps; /* [from * n_sites + to]: demand in bit/s; 0 if from equals to */
    /* [from * n_sites + to]: share of the traffic from site `from` that goes to the sites 0 to
     * `to`. */
    double *cumulative;
    double *site_bps; /* [s]: traffic that site s sends, in bit/s */
    /* [a]: load of arc a: the offered traffic in bit/s divided by the rate of the arc. */
    double *arc_load;
    double total_bps;
    uint32_t busiest_arc; /* index of the arc with the greatest arc_load */
};

/* Allocates the arrays for the sites and arcs of topology, and sets all demands to 0.
 * ns_traffic_init_gravity() and ns_traffic_init_file() call this function. */
void ns_traffic_alloc(struct ns_traffic *traffic, const struct ns_topology *topology);

/*
 * Sets the demands by the gravity model: the demand from i to j is proportional to
 * weight(i) * weight(j). The weight of a site is its population if the file gives one for every
 * node; otherwise, it is the total capacity of the links that leave the site. Returns false, with
 * an error message in *error, if only some nodes have a population.
 */
bool ns_traffic_init_gravity(struct ns_traffic *traffic, const struct ns_topology *topology,
                             struct model_error *error);

/*
 * Reads the demands from the text of the traffic matrix `name`. traffic_file.c defines the format.
 * Returns false after an error, with an error message in *error that names the file and, if
 * possible, the line.
 */
bool ns_traffic_init_file(struct ns_traffic *traffic, const struct ns_topology *topology,
                          const char *name, const struct ns_bytes *text, struct model_error *error);

/*
 * Multiplies all demands by a common factor so that the offered load of the busiest arc is `load`;
 * if `load` is 0, keeps the demands. Then computes the derived members. Must be called once, before
 * ns_traffic_pick().
 */
void ns_traffic_finish(struct ns_traffic *traffic, const struct ns_topology *topology,
                       const struct ns_routes *routes, double load);

void ns_traffic_fini(struct ns_traffic *traffic);

/* Returns the destination site of a packet from site `from`. u: uniform random number in [0, 1),
 * which selects the site. site_bps[from] must be greater than 0. */
uint32_t ns_traffic_pick(const struct ns_traffic *traffic, uint32_t from, double u);

#endif
