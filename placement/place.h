/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - places LPs on ranks and KPs, and predicts events between them.
 */
#ifndef WARPSCOPE_PLACEMENT_PLACE_H
#define WARPSCOPE_PLACEMENT_PLACE_H

#include "placement/cut.h"

/* A prediction for a placement. */
struct partition_sums {
    bool known;     /* false: there is no such placement */
    double remote;  /* events between ranks */
    double balance; /* load of the busiest rank, as a multiple of the mean or of its share */
    /* Speed-up over one rank that no run with the placement passes, and that of ranks which keep to
     * the order of events (analyze/bounds.h); 0: unknown. */
    double at_most, in_order;
};

/* A prediction for a division of the ranks into KPs. */
struct partition_kps {
    uint64_t cut;   /* events between KPs of a rank */
    double exposed; /* share of the load that KPs with remote events have */
};

enum partition_kp_kind {
    PARTITION_KP_BLOCKS, /* blocks of neighbouring LPs, the default of the engine */
    PARTITION_KP_METIS,
    PARTITION_KP_KINDS
};

enum partition_kind {
    PARTITION_RECORDED, /* placement of the recorded run, if it had as many ranks */
    PARTITION_LINEAR,   /* blocks of equally many LPs, the default of models */
    PARTITION_RANDOM,   /* expected value over all random placements */
    PARTITION_METIS,
    PARTITION_KINDS
};

struct partition {
    const struct partition_graph *graph; /* borrowed */
    /* n_kps: KPs per rank; 0: ranks are not divided into KPs */
    uint32_t n_ranks, n_kps;
    struct partition_cut_options cut; /* cut.shares: those of the ranks, as their speeds are */
    enum partition_kind chosen;
    struct partition_sums sums[PARTITION_KINDS];
    enum partition_kp_kind kp_chosen; /* this and kps are not used if n_kps is 0 */
    struct partition_kps kps[PARTITION_KP_KINDS];
    uint64_t silent;                  /* number of LPs without events */
    uint32_t *ranks[PARTITION_KINDS]; /* owned; rank of each LP; NULL: there is no such placement */
    const uint32_t *rank;             /* borrowed; those of the placement that was chosen */
    uint32_t *kp;                     /* owned; by LP */
    uint32_t *index;                  /* owned; scratch by LP */
    const char *why;                  /* reason why partition_make() failed */
    /* Set by "warpscope partition" (partition/bounds.h). */
    double any; /* speed-up that no placement passes; 0: unknown */
    uint64_t causes_missing;
    const char *bounds_why; /* reason why the bounds are unknown */
};

/*
 * Places all LPs of the graph on p->n_ranks and, unless it is 0, p->n_kps of each. The caller sets
 * graph, n_ranks, n_kps and cut, and zeros the rest. Returns false on failure; why then has the
 * reason. Must be freed in any case.
 *
 * Ranks: the division by METIS or, if it is balanced and has no more events between ranks, the
 * placement of the recorded run or the linear one. LPs without events go to the ranks with fewest
 * LPs. See also partition_labels_keep(), which does not concern ranks of different speeds.
 *
 * KPs: two divisions of each rank are compared, by METIS and into blocks of neighbouring LPs. A
 * rollback by a remote event undoes the events of a whole KP. If many KPs have remote events, much
 * is undone. The division with the smaller load of such KPs is taken. If these loads differ by less
 * than 5 %, the one with fewer events between KPs is: the cancels of a rollback then mostly stay
 * within its KP.
 */
bool partition_make(struct partition *p);

/* Numbers the parts of a division like the ranks of the recorded run that had most of their events,
 * if it had as many ranks: fewer LPs change their rank, and a slow rank, whose LPs have much load,
 * keeps a part of few LPs. Returns false if out of memory. */
bool partition_labels_keep(const struct partition *p, uint32_t *part_of);

void partition_free(struct partition *p);

#endif
