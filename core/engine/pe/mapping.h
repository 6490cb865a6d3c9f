/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapping.h - mapping of LPs to ranks.
 *
 * LINEAR: rank r holds a contiguous range of gids; each rank gathers the sizes of all ranges, which
 * may differ. ROUND_ROBIN: rank g % ranks holds gid g. CUSTOM: functions of the model decide.
 */
#ifndef WARPSCOPE_ENGINE_PE_MAPPING_H
#define WARPSCOPE_ENGINE_PE_MAPPING_H

#include <assert.h>

#include "comm/comm.h"
#include "engine/pe/lp.h"

struct mapping {
    tw_lp_map kind;
    tw_lpid total; /* LPs on all ranks */
    tw_lpid first; /* LINEAR: first gid of this rank */
    tw_lpid count; /* LPs of this rank */
    unsigned n_ranks;
    unsigned rank;
    tw_lpid *first_gids; /* LINEAR: first gid of each rank, then total */
    bool even;           /* LINEAR: true if all ranks hold count LPs */
};

/* Gathers the numbers of LPs of all ranks. Collective. */
void mapping_init(struct mapping *m, tw_lp_map kind, tw_lpid count, const struct comm *c);
void mapping_fini(struct mapping *m);

/* Returns the gid of a local LP (LINEAR and ROUND_ROBIN). */
tw_lpid mapping_gid(const struct mapping *m, tw_lpid local);
/* Returns the rank of a gid that is not on this rank. type: type of the sender, whose map CUSTOM
 * calls. */
unsigned mapping_rank(const struct mapping *m, tw_lpid gid, const tw_lptype *type);
/* Returns the LP if it is local, else NULL. For ROUND_ROBIN and CUSTOM. */
tw_lp *mapping_local_slow(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                          const tw_lptype *type);

/* Returns the LP that receives an event from another rank, or NULL if it is not on this rank. */
tw_lp *mapping_arrived(const struct mapping *m, const struct lp_table *lps, tw_lpid gid);

/* Returns the LP if it is local, else NULL. Requires gid < total. */
static inline tw_lp *mapping_local(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                                   const tw_lptype *type)
{
    assert(gid < m->total);
    if (m->kind == LINEAR) {
        tw_lpid local = gid - m->first;
        return local < m->count ? lp_table_at(lps, local) : NULL;
    }
    return mapping_local_slow(m, lps, gid, type);
}

#endif
