/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h - an array of elements of one size in bounded memory.
 *
 * The array has pages, which are zero at first. A limited number of them stays in memory. Beyond
 * that, the page that was used longest ago goes to a temporary file (temp_file.h). A page is not
 * written again if it has not changed since it was last written.
 *
 * Cost: an access to a page in memory takes a few instructions. Otherwise a page of at most
 * WS_PAGE_BYTES is read, and another one may be written. Memory beside the pages: 24 bytes per page
 * of the array.
 *
 * After an error, elements that are not in memory are zero, and changes of them are lost. Callers
 * need not check each access, but must end their loops once *failed is true.
 *
 * Invariants
 * G1 At most kept_max pages are in memory; kept[0] to kept[n_kept - 1] are their numbers.
 * G2 A page that is neither in memory nor has a place in the file is zero.
 */
#ifndef WARPSCOPE_READER_ORDER_PAGES_H
#define WARPSCOPE_READER_ORDER_PAGES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "data/memory.h"
#include "order/temp_file.h"

#define WS_PAGE_BYTES ((size_t)64 << 10)

struct ws_page {
    char *memory;   /* elements of the page; NULL: not in memory */
    uint64_t place; /* index of the page's place in the file, plus 1; 0: none */
    bool used;      /* true if the page was used since the hand last passed it */
    bool changed;   /* true if the page may differ from its place in the file */
};

struct ws_pages {
    struct ws_page *pages; /* owned; indexed by page number */
    uint64_t n_pages;
    size_t element, page_size; /* size of an element, and of a page, in bytes */
    unsigned bits;             /* log2 of the number of elements per page */
    uint32_t kept_max;         /* maximum number of pages in memory */
    uint32_t n_kept;
    struct ws_memory
        memory;     /* memory of kept_max pages, which the system gives when they are used */
    uint64_t *kept; /* owned; numbers of the pages in memory */
    uint32_t hand;  /* index in `kept` of the next page to consider for removal from memory */
    struct ws_temp file;
    uint64_t in_file; /* number of pages with a place in the file */
    void *lost;       /* owned; the element that callers get after an error */
    bool *failed;     /* borrowed; set to true after an error, which was printed */
};

/* Makes an array of n elements, whose bytes are zero. element: size of an element in bytes, at most
 * WS_PAGE_BYTES. memory: memory for pages in bytes; at least two pages stay in memory. failed: set to
 * true if an error is printed. Returns false after an error message if out of memory. pages must be
 * freed even after an error. */
bool ws_pages_init(struct ws_pages *pages, size_t element, uint64_t n, size_t memory, bool *failed);
/* Frees the array. The members of pages may all be zero. */
void ws_pages_free(struct ws_pages *pages);

/* Loads page number `number` into memory. Returns false if that fails. Called by the functions
 * below. */
bool ws_page_load(struct ws_pages *pages, uint64_t number);

/* Returns element i like ws_pages_at() if changes is true, otherwise like ws_pages_get(). */
static inline char *ws_pages_find(struct ws_pages *p, uint64_t i, bool changes)
{
    assert(i >> p->bits < p->n_pages);
    struct ws_page *page = &p->pages[i >> p->bits];
    if (__builtin_expect(page->memory == NULL, 0) && !ws_page_load(p, i >> p->bits)) {
        return (char *)memset(p->lost, 0, p->element);
    }
    page->used = true;
    page->changed |= changes;
    return page->memory + (i & (((uint64_t)1 << p->bits) - 1)) * p->element;
}

/* Returns element i, which the caller may change. It is valid until the next call for this array. */
static inline void *ws_pages_at(struct ws_pages *p, uint64_t i)
{
    return ws_pages_find(p, i, true);
}
/* Like ws_pages_at(), for reading only: changes of the element are lost. */
static inline const void *ws_pages_get(struct ws_pages *p, uint64_t i)
{
    return ws_pages_find(p, i, false);
}

/* Returns true if the invariants G1 and G2 hold. */
bool ws_pages_check(const struct ws_pages *pages);

#endif
