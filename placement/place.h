/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - places LPs on ranks and KPs, and predicts the loads and the events between them.
 *
 * "The original run" is the run whose events the graph counts: the recorded run, or, with
 * --map=auto, the current run.
 */
#ifndef WARPSCOPE_PLACEMENT_PLACE_H
#define WARPSCOPE_PLACEMENT_PLACE_H

#include "placement/cut.h"

/* A prediction for a placement. */
struct partition_sums {
    bool known;    /* false: this placement does not exist */
    double remote; /* number of events between ranks */
    /* Load of the busiest rank, divided by the mean load; with cut.shares, divided by the load that
     * its share allots to it. */
    double balance;
    /* Upper bounds on the speed-up over one rank (partition/bounds.c): at_most for any run with the
     * placement, in_order for runs in which each rank executes its events in order. 0: unknown. */
    double at_most, in_order;
    /* Least offset in virtual time of an event between ranks (partition/bounds.c); not of the recorded
     * placement. */
    double offset;
};

/* A prediction for a division of the LPs of each rank into KPs. */
struct partition_kps {
    uint64_t cut;   /* number of events between different KPs of the same rank */
    double exposed; /* load of the KPs with remote events, as a share of the total load */
};

enum partition_kp_kind {
    PARTITION_KP_BLOCKS, /* blocks of LPs in the order of their gids, the default of the engine */
    PARTITION_KP_METIS,
    PARTITION_KP_KINDS
};

enum partition_kind {
    PARTITION_RECORDED, /* placement of the original run, if that run had n_ranks ranks */
    PARTITION_LINEAR,   /* blocks with equal numbers of LPs, the default of models */
    PARTITION_RANDOM,   /* no single placement: mean over all random placements */
    PARTITION_METIS,
    PARTITION_KINDS
};

struct partition {
    const struct partition_graph *graph; /* borrowed */
    /* n_ranks: number of ranks; n_kps: number of KPs per rank, 0: LPs are not placed on KPs. */
    uint32_t n_ranks, n_kps;
    /* cut.shares[r]: share of the load that rank r should have, according to its speed. */
    struct partition_cut_options cut;
    enum partition_kind chosen;                  /* placement that was chosen */
    struct partition_sums sums[PARTITION_KINDS]; /* predictions, indexed by partition_kind */
    /* Division into KPs that was chosen. If n_kps is 0, this member and kps are not used. */
    enum partition_kp_kind kp_chosen;
    struct partition_kps kps[PARTITION_KP_KINDS]; /* predictions, indexed by partition_kp_kind */
    uint64_t silent;                              /* number of LPs without events */
    /* Owned; ranks[kind][lp]: rank of the LP in this placement; ranks[kind] NULL: this placement
     * does not exist. */
    uint32_t *ranks[PARTITION_KINDS];
    const uint32_t *rank; /* borrowed; equals ranks[chosen] */
    uint32_t *kp;         /* owned; [lp]: KP of the LP */
    uint32_t *index;      /* owned; scratch array with one element per LP */
    const char *why;      /* reason why partition_make() failed */
    /* Members that "warpscope partition" sets (partition/partition.h). */
    double any;              /* upper bound on the speed-up with any placement; 0: unknown */
    uint64_t causes_missing; /* number of events whose cause is unknown */
    const char *bounds_why;  /* reason why the bounds are unknown */
};

/*
 * Places all LPs of the graph on p->n_ranks ranks and, unless p->n_kps is 0, on p->n_kps KPs of
 * each rank. The caller sets graph, n_ranks, n_kps and cut, and zeroes the other members. On
 * failure, sets p->why and returns false. The caller must free *p also after a failure.
 *
 * Ranks: the function chooses the division by METIS unless another placement is balanced and has no
 * more events between ranks. This other placement is the linear one or, preferably, that of the
 * original run. LPs without events go to the ranks with the fewest LPs. Unless ranks have different
 * speeds, the function calls partition_labels_keep().
 *
 * KPs: the function compares two divisions of the LPs of each rank: by METIS, and into blocks of
 * LPs in the order of their gids. A remote event that causes a rollback undoes events of its whole
 * KP. The function therefore chooses the division whose KPs with remote events have the smaller
 * load. If these loads differ by less than 5 %, it chooses the division with fewer events between
 * KPs: most events that a rollback cancels are then in the same KP.
 */
bool partition_make(struct partition *p);

/* Places each group of LPs on the rank that has most of its load, if one has more than half. Returns false if
 * memory is exhausted. */
bool partition_groups_keep(const struct partition_graph *g, uint32_t *rank);
/* Returns true if each group is on one rank. */
bool partition_groups_are_kept(const struct partition_graph *g, const uint32_t *rank);

/* Renumbers the parts of a division, if the original run had as many ranks as there are parts. Each
 * part receives the number of the rank that executed most of the part's events in that run, so that
 * fewer LPs change their rank. A slow rank, whose LPs had high loads, thus keeps a part with few
 * LPs. part_of: [lp], the part of the LP. Returns false if memory is exhausted. */
bool partition_labels_keep(const struct partition *p, uint32_t *part_of);

void partition_free(struct partition *p);

#endif
