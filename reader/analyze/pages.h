/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h - an array of 64-bit numbers, one per event of the trace, in bounded memory.
 *
 * The array has pages, which are zero at first. ANALYZE_PAGES_KEPT of them stay in memory. Beyond
 * that, the page that was used longest ago goes to a temporary file in $TMPDIR (otherwise /tmp),
 * which has no name and is removed with the process.
 */
#ifndef WARPSCOPE_READER_ANALYZE_PAGES_H
#define WARPSCOPE_READER_ANALYZE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANALYZE_PAGE_BITS  15u  /* log2 of the number of elements per page, which takes 256 KiB */
#define ANALYZE_PAGES_KEPT 512u /* pages kept in memory, 128 MiB */

struct analyze_page;

struct analyze_pages {
    struct analyze_page *pages; /* owned; by number of the page */
    uint64_t n_pages;
    uint32_t kept_max; /* most pages in memory */
    uint32_t n_kept;
    uint64_t *kept;   /* owned; numbers of the pages in memory */
    uint32_t hand;    /* index in `kept` of the next page to consider for removal from memory */
    int fd;           /* temporary file; -1: none yet */
    uint64_t in_file; /* number of pages with a place in the file */
    bool failed;      /* true after an error, which was printed */
};

/* Makes an array of n zeros. kept_max: most pages in memory, at least 2; 0: ANALYZE_PAGES_KEPT.
 * Returns false if out of memory. Must be freed in any case. */
bool analyze_pages_init(struct analyze_pages *pages, uint64_t n, uint32_t kept_max);
void analyze_pages_free(struct analyze_pages *pages);

/* Returns a pointer to element i, through which the caller may change it until the next call.
 * Returns NULL after an error. */
uint64_t *analyze_pages_at(struct analyze_pages *pages, uint64_t i);

#endif
