/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_filter.h - selection of the LPs whose events are traced (--trace-lps).
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_TRACE_FILTER_H
#define WARPSCOPE_RECORD_DESCRIBE_TRACE_FILTER_H

#include "base/status.h"
#include "record/describe/lp_names.h"
#include "record/describe/own_names.h"

/*
 * Sets traced[i] to true for each local LP i on the list; other entries are unchanged. lps and
 * traced have n_lps entries. list has gids ("7"), ranges of gids ("0-15"), names of LP types and
 * names of LPs (shell patterns: "router*"), separated by commas; or one name with commas. Returns TW_OK, or TW_ERR_USAGE with
 * one line in error (error_size bytes) for an LP or name that does not exist. The status is the same
 * on all ranks, because lps_end, the largest gid of all ranks plus 1, and the names of types are the
 * same. If gids have holes, a valid list may select no LP.
 *
 * own: names of the local LPs; NULL: no LP has one. If later is not NULL, more of them will be given: a
 * name that is that of no type sets *later to true. Otherwise, unless own is NULL, the ranks agree
 * whether it is the name of an LP; then the function is collective.
 */
enum tw_status trace_filter_read(const char *list, const struct lp_names *names,
                                 const struct own_names *own, bool *later, tw_lp *const *lps,
                                 tw_lpid n_lps, tw_lpid lps_end, bool *traced, char *error,
                                 size_t error_size);

#endif
