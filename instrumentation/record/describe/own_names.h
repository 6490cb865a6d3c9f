/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_names.h - the names of single LPs (st_lp_name()) of this rank. They go to all record files with
 * records about LPs, and travel with the LPs: in checkpoints, and to other ranks.
 *
 * Memory, from the first name on: 4 bytes for each local LP, and the bytes of the names with a zero
 * each.
 *
 * Invariants
 *  O1  at[i] is 0, or 1 + the offset in text of the name of local LP i, which ends with a zero.
 *  O2  No two LPs have the same at[i] > 0; n of them are not 0.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_OWN_NAMES_H
#define WARPSCOPE_RECORD_DESCRIBE_OWN_NAMES_H

#include <assert.h>

#include "format/format.h"
#include "ross.h"

/* A zero-initialised table has no names. */
struct own_names {
    uint32_t *at; /* owned; n_lps entries; NULL: no LP has a name */
    tw_lpid n_lps;
    tw_lpid n;         /* number of LPs with a name */
    char *text;        /* owned */
    size_t size, room; /* used and allocated bytes of text */
    bool is_closed;    /* true once the first event is about to be executed */
};

/* Gives a name to a local LP, of n_lps. Returns like st_lp_name(); does not look at is_closed. */
st_result own_names_give(struct own_names *names, tw_lpid lp, tw_lpid n_lps, const char *name);

/* Returns the name of a local LP; NULL if it has none. */
static inline const char *own_names_of(const struct own_names *names, tw_lpid lp)
{
    assert(names->at == NULL || lp < names->n_lps);
    return names->at == NULL || names->at[lp] == 0 ? NULL : names->text + names->at[lp] - 1;
}

/* A walk over the names of the local LPs, for fmt_writer_names(). Begins with lp 0. */
struct own_names_walk {
    const struct own_names *names;
    tw_lpid lp; /* local LP to look at next */
};
/* Returns the next name, and sets *lp to the number of its LP; NULL after the last. */
const char *own_names_next(void *walk, uint64_t *lp);

/* Frees the names, for other LPs. */
void own_names_forget(struct own_names *names);

/* Returns true if the invariants hold. */
bool own_names_check(const struct own_names *names);

#endif
