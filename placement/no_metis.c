/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_metis.c - replaces metis.c in builds without METIS.
 */
#include "placement/cut.h"

const char *partition_cut(const struct partition_graph *g, const uint32_t *lps, size_t n,
                          uint32_t n_parts, const struct partition_cut_options *options,
                          uint32_t *index, uint32_t *part_of)
{
    (void)g;
    (void)lps;
    (void)n;
    (void)n_parts;
    (void)options;
    (void)index;
    (void)part_of;
    return partition_cut_missing();
}

const char *partition_cut_missing(void)
{
    return "this program was built without METIS, which finds placements; install its development "
           "package (libmetis-dev) and build again";
}
