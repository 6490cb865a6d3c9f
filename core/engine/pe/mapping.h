/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapping.h - mapping of LPs to ranks.
 *
 * LINEAR: rank r holds a contiguous range of gids. If the sizes of these ranges differ, each rank
 * gathers them all. ROUND_ROBIN: rank g % ranks holds gid g. CUSTOM: functions of the model decide.
 * MAPPING_PLACED: a table has the rank of each LP (--lp-map, --map=auto). On each rank it takes
 * 4 bytes per LP of the model.
 */
#ifndef WARPSCOPE_ENGINE_PE_MAPPING_H
#define WARPSCOPE_ENGINE_PE_MAPPING_H

#include <assert.h>

#include "comm/comm.h"
#include "engine/pe/lp.h"

/* Kind of the mapping in runs with --lp-map or --map=auto, where g_tw_mapping has no effect. */
#define MAPPING_PLACED ((tw_lp_map)(CUSTOM + 1))
/* Bit of an element of the table: the LP is on this rank; the other bits are its local number. */
#define MAPPING_LOCAL (UINT32_C(1) << 31)

struct mapping {
    tw_lp_map kind;
    tw_lpid total; /* LPs on all ranks */
    tw_lpid first; /* LINEAR: first gid of this rank */
    tw_lpid count; /* LPs of this rank */
    unsigned n_ranks;
    unsigned rank;
    tw_lpid *first_gids; /* LINEAR and not even: first gid of each rank, then total; else NULL */
    bool even;           /* true if all ranks hold count LPs, and kind is not MAPPING_PLACED */
    /* MAPPING_PLACED: for each gid its rank, or MAPPING_LOCAL | its local number. Else NULL. */
    uint32_t *placed;
};

/* Gathers the numbers of LPs of all ranks. Collective. */
void mapping_init(struct mapping *m, tw_lp_map kind, tw_lpid count, const struct comm *c);
void mapping_fini(struct mapping *m);

/* Replaces the mapping by a table. placed: allocated by malloc(), m->total elements, owned by m
 * from now on. count: LPs of this rank. */
void mapping_place(struct mapping *m, uint32_t *placed, tw_lpid count);

/* Returns the gid of a local LP (LINEAR and ROUND_ROBIN). */
tw_lpid mapping_gid(const struct mapping *m, tw_lpid local);
/* Returns the rank of a gid. type: type of the sender, whose map CUSTOM calls. */
unsigned mapping_rank(const struct mapping *m, tw_lpid gid, const tw_lptype *type);
/* Returns the LP if it is local, else NULL. For all kinds but LINEAR. */
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
