/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - the traffic between sites: packet sizes, demands, offered load. Read-only once built.
 */
#ifndef NETSIM_TRAFFIC_H
#define NETSIM_TRAFFIC_H

#include "routes.h"

#define NS_MIX_MAX_SIZES    16
#define NS_MAX_PACKET_BYTES 65535

/* Packet sizes and their cumulative frequencies; cumulative[n_sizes-1] is 1. */
struct ns_mix {
    uint32_t n_sizes;
    uint32_t size_bytes[NS_MIX_MAX_SIZES];
    double cumulative[NS_MIX_MAX_SIZES];
    double mean_bytes;
    uint32_t min_bytes;
    uint32_t max_bytes;
};

/* Parses "40:7,576:4,1500:1" (bytes:weight). An error quotes the wrong part. */
bool ns_mix_parse(struct ns_mix *mix, const char *text, struct model_error *error);

/* Returns a packet size in bytes, drawn from the mix by a uniform u in [0, 1). */
uint32_t ns_mix_pick(const struct ns_mix *mix, double u);

/* Demand between sites, and the resulting load of the links. */
struct ns_traffic {
    uint32_t n_sites;
    double *demand_bps; /* demand in bit/s: [from * n_sites + to], 0 on the diagonal */
    /* Share of the traffic of site `from` that goes to sites 0 to `to`; indexed like demand_bps. */
    double *cumulative;
    double *site_bps; /* traffic that each site sends, in bit/s */
    double *arc_load; /* load of each arc: offered bit/s divided by its rate */
    double total_bps;
    uint32_t busiest_arc; /* arc with the greatest arc_load */
};

/* Allocates memory for the sites and arcs of topology; all demands are 0. ns_traffic_init_gravity()
 * and ns_traffic_init_file() call this function. */
void ns_traffic_alloc(struct ns_traffic *traffic, const struct ns_topology *topology);

/*
 * Sets demands by the gravity model: demand from i to j is proportional to weight(i) * weight(j).
 * The weight is the population if the file gives one for every node, otherwise the capacity of all
 * links that leave the site. Error: a population for some nodes only.
 */
bool ns_traffic_init_gravity(struct ns_traffic *traffic, const struct ns_topology *topology,
                             struct model_error *error);

/*
 * Reads a traffic matrix from the file called name; traffic_file.c defines the format. Errors name
 * its line.
 */
bool ns_traffic_init_file(struct ns_traffic *traffic, const struct ns_topology *topology,
                          const char *name, const struct ns_bytes *text, struct model_error *error);

/*
 * Multiplies all demands so that the offered load of the busiest arc is load (0: leaves them). Then
 * computes derived values. Must be called once, before the functions below.
 */
void ns_traffic_finish(struct ns_traffic *traffic, const struct ns_topology *topology,
                       const struct ns_routes *routes, double load);

void ns_traffic_fini(struct ns_traffic *traffic);

/* Draws the destination site of a packet from site from, for a uniform u in [0, 1). site_bps[from]
 * must be greater than 0. */
uint32_t ns_traffic_pick(const struct ns_traffic *traffic, uint32_t from, double u);

#endif
