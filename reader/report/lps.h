/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lps.h - stores the PE and the type of each LP, as far as the records contain them. Used only in
 * reader/report.
 */
#ifndef WARPSCOPE_READER_REPORT_LPS_H
#define WARPSCOPE_READER_REPORT_LPS_H

#include "report/report.h"
#include "store/index.h"

#define REPORT_LPS_DIRECT (8u << 20) /* LPs with smaller numbers than this are in a plain array */
/* Number of LPs in a page. LPs with numbers from REPORT_LPS_DIRECT on are in pages. */
#define REPORT_LPS_PAGE 64u
/* Maximum number of pages; LPs beyond them are not stored. */
#define REPORT_PAGES_MAX ((8u << 20) / 64)

struct report_lp {
    uint32_t pe; /* number of the PE, plus 1; 0: unknown */
    /* Index of the LP type in report_events.type_names; REPORT_TYPES: unknown, or beyond the
     * maximum number of types. */
    uint32_t type;
};

struct report_lp_page {
    uint64_t number; /* number of the page: the number of its first LP divided by REPORT_LPS_PAGE */
    struct report_lp lps[REPORT_LPS_PAGE];
};

/* PE and type of all LPs. Memory: at most 140 MB. Must be zero-initialised. The caller must call
 * report_lps_free(), even after an error. */
struct report_lps {
    struct report_lp *list; /* owned; indexed by LP number */
    size_t room;
    struct report_lp_page *pages; /* owned */
    size_t n_pages, pages_room;
    struct index index; /* finds a page by its number */
    uint64_t unplaced;  /* number of records about LPs that are not stored */
    bool no_memory;
};

/* Reads the PE and the type of all LPs from the records of a run into *lps, and fills type_names of
 * run->events. Returns false if out of memory. */
bool report_lps_gather(struct report_lps *lps, struct report_run *run);
void report_lps_free(struct report_lps *lps);

/* Returns the entry of an LP with a number from REPORT_LPS_DIRECT on; NULL if there is none. */
struct report_lp *report_lps_find(const struct report_lps *lps, uint64_t lp);

static inline struct report_lp report_lp_of(const struct report_lps *lps, uint64_t lp)
{
    const struct report_lp *found = lp >= REPORT_LPS_DIRECT ? report_lps_find(lps, lp)
                                    : lp < lps->room        ? &lps->list[lp]
                                                            : NULL;
    return found != NULL && found->pe > 0 ? *found : (struct report_lp){0, REPORT_TYPES};
}

#endif
