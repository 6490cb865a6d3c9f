/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type_names.h - names for LP types to which the model has given none by st_lptype_name().
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_TYPE_NAMES_H
#define WARPSCOPE_RECORD_DESCRIBE_TYPE_NAMES_H

#include "record/describe/lp_names.h"

/*
 * Gives names to the types of the local LPs that have none, as far as they can be found:
 *
 * 1. If the mapping of the library CODES is in use, the name under which the type is registered
 *    there (lp_type_register()).
 * 2. The name of the variable in the program, such as "router"; of an element of an array, the name
 *    and the index: "types:1".
 *
 * The names are equal on all ranks that run the same program. Call it before lp_names_collect(). If
 * memory is exhausted, the run ends (tw_error). Not collective.
 */
void type_names_find(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps);

#endif
