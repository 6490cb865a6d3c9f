/*
 * trace_filter.h - which LPs' events are traced (--trace-lps).
 */
#ifndef WARPSCOPE_RECORD_TRACE_FILTER_H
#define WARPSCOPE_RECORD_TRACE_FILTER_H

#include "base/status.h"
#include "record/lp_names.h"

/*
 * list: gids ("7"), ranges of gids ("0-15") and names of LP types (shell patterns: "router*"),
 * separated by commas. Sets traced[i] (n_lps entries) for each local LP that is on it, and leaves
 * the others. TW_ERR_USAGE with one line in error (error_size bytes) for what the run does not
 * have: the same on all ranks, since n_total_lps and the names are. Not collective.
 */
enum tw_status trace_filter_read(const char *list, const struct lp_names *names, tw_lp *const *lps,
                                 tw_lpid n_lps, tw_lpid n_total_lps, bool *traced, char *error,
                                 size_t error_size);

#endif
