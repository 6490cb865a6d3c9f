/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapping.h - mapping of LPs to ranks.
 *
 * LINEAR: rank r holds a contiguous range of gids. If the sizes of these ranges differ, each rank
 * gathers all of the sizes. ROUND_ROBIN: rank g % ranks holds gid g. CUSTOM: functions of the model
 * decide. MAPPING_PLACED: a table has the rank of each LP (--lp-map, --map=auto). The table takes 4
 * bytes per LP of the model on each rank; if the numbers of LPs have holes, it takes 23 to 33 bytes.
 */
#ifndef WARPSCOPE_ENGINE_PE_MAPPING_H
#define WARPSCOPE_ENGINE_PE_MAPPING_H

#include <assert.h>

#include "comm/comm.h"
#include "engine/pe/lp.h"
#include "store/id_set.h"

/* Value of mapping.kind in runs with --lp-map or --map=auto, where g_tw_mapping has no effect. */
#define MAPPING_PLACED ((tw_lp_map)(CUSTOM + 1))
/* Bit in an element of mapping.placed, set if the LP is on this rank; the other bits then hold its
 * local number. */
#define MAPPING_LOCAL (UINT32_C(1) << 31)

struct mapping {
    tw_lp_map kind;
    tw_lpid total; /* number of LPs on all ranks */
    /* Largest gid plus 1. Equals total unless numbers have holes, as CUSTOM mapping permits. */
    tw_lpid end;
    tw_lpid first; /* LINEAR: first gid of this rank */
    tw_lpid count; /* number of LPs on this rank */
    unsigned n_ranks;
    unsigned rank;
    /* LINEAR and not even: first gid of each rank, then total as last element; else NULL */
    tw_lpid *first_gids;
    bool even; /* true if all ranks hold `count` LPs and kind is not MAPPING_PLACED */
    /* MAPPING_PLACED: [place of gid in gids] rank of that LP, or MAPPING_LOCAL | local number if it
     * is on this rank. Else NULL. */
    uint32_t *placed;
    /* The gids of all LPs. Dense unless lp_numbers_gather() has found holes in them. */
    struct id_set gids;
    struct index own; /* CUSTOM: the LPs of this rank by gid; made by mapping_find() */
};

/* Initialises *m for a rank with `count` LPs, and gathers the counts of all ranks. Collective. */
void mapping_init(struct mapping *m, tw_lp_map kind, tw_lpid count, const struct comm *c);
void mapping_fini(struct mapping *m);

/* Replaces the mapping by a table. placed: m->total elements, allocated by malloc() and owned by m
 * from now on. count: number of LPs on this rank. */
void mapping_place(struct mapping *m, uint32_t *placed, tw_lpid count);

/* Returns the place of LP gid among the LPs of all ranks, in the order of their gids; ID_SET_NONE if
 * there is no such LP. If gids have holes, lp_numbers_gather() must have been called. */
static inline size_t mapping_place_of(const struct mapping *m, tw_lpid gid)
{
    return id_set_place(&m->gids, gid);
}

/* Returns the gid of a local LP. For kinds LINEAR and ROUND_ROBIN. */
tw_lpid mapping_gid(const struct mapping *m, tw_lpid local);
/* Returns the rank that holds LP gid. type: type of the sending LP; its function `map` is called if
 * the kind is CUSTOM. */
unsigned mapping_rank(const struct mapping *m, tw_lpid gid, const tw_lptype *type);
/* Slow path of mapping_local(), for all kinds except LINEAR. */
tw_lp *mapping_local_slow(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                          const tw_lptype *type);

/* Returns LP gid, which the map function of the sender of an event puts on this rank; NULL if the LP
 * is not on this rank. */
tw_lp *mapping_arrived(const struct mapping *m, const struct lp_table *lps, tw_lpid gid);

/* Returns LP gid if it is on this rank, else NULL. Asks no function of the model, which may know only
 * LPs of its own rank. In CUSTOM mapping, the first call makes an index of the local LPs, of 11 to 21
 * bytes each. */
tw_lp *mapping_find(struct mapping *m, const struct lp_table *lps, tw_lpid gid);

/* Returns LP gid if it is on this rank, else NULL. Requires gid < end. type: as in
 * mapping_rank(). */
static inline tw_lp *mapping_local(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                                   const tw_lptype *type)
{
    assert(gid < m->end);
    if (m->kind == LINEAR) {
        tw_lpid local = gid - m->first;
        return local < m->count ? lp_table_at(lps, local) : NULL;
    }
    return mapping_local_slow(m, lps, gid, type);
}

#endif
