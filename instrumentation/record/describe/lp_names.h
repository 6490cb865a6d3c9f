/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.h - names that models give to LP types, and a list of them that is the same on all
 * ranks.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_LP_NAMES_H
#define WARPSCOPE_RECORD_DESCRIBE_LP_NAMES_H

#include <assert.h>

#include "base/status.h"
#include "engine/probe.h"
#include "ross.h"

#define LP_NAME_MAX 63 /* maximum length of a name in bytes */

/* A type and its name, from one call of st_lptype_name(). */
struct lp_named_type {
    const tw_lptype *type;
    /* Ordinal number of the call, from 0; of several calls for a type, the last takes effect. */
    size_t order;
    char *name; /* owned; name of the type */
    /* After lp_names_collect(): 1 + index of the name in lp_names.names if an LP of this rank has
     * the type, otherwise 0. */
    uint32_t used;
};

/* Table of the names of LP types. A zero-initialised table has no names. */
struct lp_names {
    struct lp_named_type *types;
    size_t n_types;
    /* Returns what stands for the type of an LP in `types`; NULL: it is the type itself. A model whose
     * LPs share a type but have names of their own needs another one, see type_names.h. */
    const tw_lptype *(*key)(const tw_lp *lp);
    /* lp_names_collect() sets the members below. */
    const char **names; /* names of the types that have LPs on any rank, ascending */
    size_t n_names;
    uint32_t *by_lp; /* [i]: 1 + index, in `names`, of the name of local LP i's type; 0: no name */
    char *text;      /* owned; memory of the names to which `names` points */
};

/* Returns NULL if the name is valid, otherwise a text that says why it is not. */
const char *lp_names_fault(const char *name);

/* Gives a type a name, which is copied. A second name for a type replaces the first. Returns TW_OK
 * or TW_ERR_MEMORY. */
enum tw_status lp_names_set(struct lp_names *names, const tw_lptype *type, const char *name);

/* Returns the name of a type; NULL if it has none. May be called before lp_names_collect(). */
const char *lp_names_of_type(const struct lp_names *names, const tw_lptype *type);

/*
 * Collects the names of the types that have LPs on any rank, and finds the name of the type of each
 * local LP. lps: n_lps local LPs. Collective over comm. If memory for the names, a few kilobytes,
 * is exhausted, the run ends (tw_error).
 */
void lp_names_collect(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps, MPI_Comm comm);

/* Returns what stands for the type of an LP in names->types. */
static inline const tw_lptype *lp_names_key(const struct lp_names *names, const tw_lp *lp)
{
    return names->key != NULL ? names->key(lp) : probe_lp_type(lp);
}

/* Frees the results of lp_names_collect(), so that it can be called again. */
void lp_names_forget(struct lp_names *names);

/* Returns the name of the type of a local LP; "" if it has none. */
static inline const char *lp_names_of(const struct lp_names *names, tw_lpid lp)
{
    assert(names->by_lp == NULL || names->by_lp[lp] <= names->n_names);
    return names->by_lp != NULL && names->by_lp[lp] != 0 ? names->names[names->by_lp[lp] - 1] : "";
}

void lp_names_fini(struct lp_names *names);

#endif
