/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.h - names of LP types as set by models, and a common list on all ranks.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_LP_NAMES_H
#define WARPSCOPE_RECORD_DESCRIBE_LP_NAMES_H

#include <assert.h>

#include "base/status.h"
#include "ross.h"

#define LP_NAME_MAX 63 /* most bytes of a name */

/* Data of one call of st_lptype_name(): a type and its name. */
struct lp_named_type {
    const tw_lptype *type;
    size_t order;  /* ordinal number of the call: the last call for a type takes effect */
    char *name;    /* owned; name of the type */
    uint32_t used; /* not 0 if an LP of this rank has the type; set by lp_names_collect() */
};

/* Names of LP types. In a zero-initialised table no LP has a name. */
struct lp_names {
    struct lp_named_type *types;
    size_t n_types;
    /* The members below are set by lp_names_collect(). */
    const char **names; /* names of the types of LPs of all ranks, ascending */
    size_t n_names;
    uint32_t *by_lp; /* for each local LP: 1 + index in names, 0: no name */
    char *text;      /* owned; memory of the names */
};

/* Returns NULL if the name is valid, otherwise the reason why it is not. */
const char *lp_names_fault(const char *name);

/* Names a type; the name is copied. A second name for a type replaces the first. Returns TW_OK or
 * TW_ERR_MEMORY. */
enum tw_status lp_names_set(struct lp_names *names, const tw_lptype *type, const char *name);

/* Returns the name of a type; NULL if it has none. May be called before lp_names_collect(). */
const char *lp_names_of_type(const struct lp_names *names, const tw_lptype *type);

/*
 * Collects the names of n_lps local LPs and those of other ranks. Collective over comm. Lack of
 * memory for these few kilobytes is fatal (tw_error).
 */
void lp_names_collect(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps, MPI_Comm comm);

/* Frees what lp_names_collect() has computed, so that it can be called again. */
void lp_names_forget(struct lp_names *names);

/* Returns the name of the type of a local LP; "" if it has none. */
static inline const char *lp_names_of(const struct lp_names *names, tw_lpid lp)
{
    assert(names->by_lp == NULL || names->by_lp[lp] <= names->n_names);
    return names->by_lp != NULL && names->by_lp[lp] != 0 ? names->names[names->by_lp[lp] - 1] : "";
}

void lp_names_fini(struct lp_names *names);

#endif
