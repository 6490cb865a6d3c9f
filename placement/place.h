/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - places LPs on ranks and KPs, and predicts events between them.
 */
#ifndef WARPSCOPE_PLACEMENT_PLACE_H
#define WARPSCOPE_PLACEMENT_PLACE_H

#include "placement/cut.h"

/* A prediction for a placement. */
struct partition_sums {
    bool known;    /* false: this placement does not exist */
    double remote; /* events between ranks */
    /* Load of the busiest rank, as a multiple of the mean, or of the rank's share. */
    double balance;
    /* Bounds of the speed-up over one rank: of any run with the placement, and of runs in which
     * each rank executes its events in order (analyze/bounds.h). 0: unknown. */
    double at_most, in_order;
};

/* A prediction for a division of the ranks into KPs. */
struct partition_kps {
    uint64_t cut;   /* events between KPs of a rank */
    double exposed; /* share of the total load that is in KPs with remote events */
};

enum partition_kp_kind {
    PARTITION_KP_BLOCKS, /* blocks of neighbouring LPs, the default of the engine */
    PARTITION_KP_METIS,
    PARTITION_KP_KINDS
};

enum partition_kind {
    PARTITION_RECORDED, /* placement of the recorded run, if it had as many ranks */
    PARTITION_LINEAR,   /* blocks with equal numbers of LPs, the default of models */
    PARTITION_RANDOM,   /* expected value over all random placements */
    PARTITION_METIS,
    PARTITION_KINDS
};

struct partition {
    const struct partition_graph *graph; /* borrowed */
    /* n_kps: KPs per rank; 0: ranks are not divided into KPs. */
    uint32_t n_ranks, n_kps;
    /* cut.shares: shares of the ranks, according to their speeds. */
    struct partition_cut_options cut;
    enum partition_kind chosen;
    struct partition_sums sums[PARTITION_KINDS];
    enum partition_kp_kind kp_chosen; /* if n_kps is 0, this and kps are not used */
    struct partition_kps kps[PARTITION_KP_KINDS];
    uint64_t silent; /* number of LPs without events */
    /* owned; rank of each LP; NULL: this placement does not exist. */
    uint32_t *ranks[PARTITION_KINDS];
    const uint32_t *rank; /* borrowed; ranks of the placement that was chosen */
    uint32_t *kp;         /* owned; KP of each LP */
    uint32_t *index;      /* owned; scratch array with an element per LP */
    const char *why;      /* reason why partition_make() failed */
    /* Set by "warpscope partition" (partition/bounds.h). */
    double any; /* bound of the speed-up with any placement; 0: unknown */
    uint64_t causes_missing;
    const char *bounds_why; /* reason why the bounds are unknown */
};

/*
 * Places all LPs of the graph on p->n_ranks ranks and, unless p->n_kps is 0, on that many KPs of
 * each rank. The caller sets graph, n_ranks, n_kps and cut, and zeroes the rest. Returns false on
 * failure, with the reason in why. *p must be freed in any case.
 *
 * Ranks: the function takes the division by METIS. If the placement of the recorded run or the
 * linear one is balanced and has no more events between ranks, it takes that instead. LPs without
 * events go to the ranks with the fewest LPs. Unless ranks have different speeds, it calls
 * partition_labels_keep().
 *
 * KPs: the function compares two divisions of each rank, by METIS and into blocks of neighbouring
 * LPs. A remote event that causes a rollback undoes events of its whole KP. The function therefore
 * takes the division whose KPs with remote events have the smaller load. If these loads differ by
 * less than 5 %, it takes the division with fewer events between KPs: most events that a rollback
 * cancels are then in the same KP.
 */
bool partition_make(struct partition *p);

/* Numbers the parts of a division like the ranks of the recorded run that had most of their events,
 * if the run had as many ranks. Fewer LPs then change their rank. A slow rank, whose LPs have much
 * load, keeps a part with few LPs. Returns false if memory is exhausted. */
bool partition_labels_keep(const struct partition *p, uint32_t *part_of);

void partition_free(struct partition *p);

#endif
