/*
 * mapping.h - which LP lives where.
 *
 * LINEAR: rank r holds a contiguous range of gids; the ranges are gathered from all ranks, which
 * may differ in size. ROUND_ROBIN: gid g lives on rank g % ranks. CUSTOM: the model's functions.
 */
#ifndef WARPSCOPE_ENGINE_MAPPING_H
#define WARPSCOPE_ENGINE_MAPPING_H

#include "comm/comm.h"
#include "engine/lp.h"

struct mapping {
    tw_lp_map kind;
    tw_lpid total; /* LPs on all ranks */
    tw_lpid first; /* LINEAR: first gid of this rank */
    tw_lpid count; /* LPs of this rank */
    unsigned n_ranks;
    unsigned rank;
    tw_lpid *first_gids; /* LINEAR: first gid of each rank, and total at the end */
    bool even;           /* LINEAR: all ranks hold count LPs */
};

/* Collective. Learns the numbers of LPs of all ranks. */
void mapping_init(struct mapping *m, tw_lp_map kind, tw_lpid count, const struct comm *c);
void mapping_fini(struct mapping *m);

/* gid of local LP (LINEAR and ROUND_ROBIN). */
tw_lpid mapping_gid(const struct mapping *m, tw_lpid local);
/* The rank of a gid when it is not on this one. type: of the sender, asked under CUSTOM. */
unsigned mapping_rank(const struct mapping *m, tw_lpid gid, const tw_lptype *type);
/* The LP if it lives here, else NULL, when kind is not LINEAR. */
tw_lp *mapping_local_slow(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                          const tw_lptype *type);

/* The LP that an arrived event is for, or NULL if the sender was wrong about where it lives. */
tw_lp *mapping_arrived(const struct mapping *m, const struct lp_table *lps, tw_lpid gid);

/* The LP if it lives here, else NULL. gid < total. */
static inline tw_lp *mapping_local(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                                   const tw_lptype *type)
{
    if (m->kind == LINEAR) {
        tw_lpid local = gid - m->first;
        return local < m->count ? lp_table_at(lps, local) : NULL;
    }
    return mapping_local_slow(m, lps, gid, type);
}

#endif
