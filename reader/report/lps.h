/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lps.h - the PE and the type of each LP, as far as records name them (inside report only).
 */
#ifndef WARPSCOPE_READER_REPORT_LPS_H
#define WARPSCOPE_READER_REPORT_LPS_H

#include "report/report.h"

#define REPORT_LPS_MAX (8u << 20) /* LPs with greater numbers count as unknown */

struct report_lp {
    uint32_t pe; /* plus 1; 0: unknown */
    /* Index in type_names of struct report_events; REPORT_TYPES: unknown, or one type too many. */
    uint32_t type;
};

/* Zero-initialise. Must be freed in any case. */
struct report_lps {
    struct report_lp *list; /* owned; by number */
    size_t room;
    bool no_memory;
};

/* Reads the LPs of the records of a run; names types. Returns false if out of memory. */
bool report_lps_gather(struct report_lps *lps, struct report_run *run);
void report_lps_free(struct report_lps *lps);

static inline struct report_lp report_lp_of(const struct report_lps *lps, uint64_t lp)
{
    return lp < lps->room && lps->list[lp].pe > 0 ? lps->list[lp]
                                                  : (struct report_lp){0, REPORT_TYPES};
}

#endif
