/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * even_ranks.h - the mapping of models whose ranks have LPs in order, equally many on each.
 */
#ifndef WARPSCOPE_TESTS_EVEN_RANKS_H
#define WARPSCOPE_TESTS_EVEN_RANKS_H

#include "ross.h"

/* For tw_lptype.map. */
static inline tw_peid rank_of(tw_lpid gid)
{
    return (tw_peid)(gid / g_tw_nlp);
}

#endif
