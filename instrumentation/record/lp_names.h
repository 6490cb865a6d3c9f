/*
 * lp_names.h - names for the types of LPs: what models say, and the same list on all ranks.
 */
#ifndef WARPSCOPE_RECORD_LP_NAMES_H
#define WARPSCOPE_RECORD_LP_NAMES_H

#include "base/status.h"
#include "ross.h"

#define LP_NAME_MAX 63 /* bytes */

/* What st_lptype_name() was told. */
struct lp_named_type {
    const tw_lptype *type;
    size_t order;  /* of the call: the last one for a type counts */
    char *name;    /* owned */
    uint32_t used; /* lp_names_collect(): some LP of this rank has the type */
};

/* Zero-initialised no LP has a name. */
struct lp_names {
    struct lp_named_type *types;
    size_t n_types;
    /* from lp_names_collect() on */
    const char **names; /* of types that LPs of any rank have, in ascending order */
    size_t n_names;
    uint32_t *by_lp; /* by local LP: place in names + 1, 0 for none */
    char *text;      /* what names points to */
};

/* NULL if the name can be used, otherwise what is wrong with it. */
const char *lp_names_fault(const char *name);

/* Names a type (copied); another name for the same type replaces the first. TW_ERR_MEMORY. */
enum tw_status lp_names_set(struct lp_names *names, const tw_lptype *type, const char *name);

/* The name of a type; NULL: it has none. Also before lp_names_collect(). */
const char *lp_names_of_type(const struct lp_names *names, const tw_lptype *type);

/*
 * Finds the names of n_lps local LPs, and those on other ranks. Collective over comm; out of memory
 * for these few kilobytes is fatal (tw_error).
 */
void lp_names_collect(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps, MPI_Comm comm);

/* The name of a local LP's type, "" if it has none. */
static inline const char *lp_names_of(const struct lp_names *names, tw_lpid lp)
{
    return names->by_lp != NULL && names->by_lp[lp] != 0 ? names->names[names->by_lp[lp] - 1] : "";
}

void lp_names_fini(struct lp_names *names);

#endif
