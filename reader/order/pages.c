/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - an array in bounded memory; see pages.h.
 *
 * Pages leave memory by the clock algorithm: the hand skips a page once if the page was used since
 * the hand last passed it (Corbato, A Paging Experiment with the Multics System, 1968).
 */
#include "order/pages.h"

#include <stdlib.h>

#include "cli/messages.h"
#include "store/check.h"

bool ws_pages_init(struct ws_pages *p, size_t element, uint64_t n, size_t memory, bool *failed)
{
    assert(element > 0 && element <= WS_PAGE_BYTES);
    *p = (struct ws_pages){.file.fd = -1, .element = element, .failed = failed};
    while (((size_t)2 << p->bits) * element <= WS_PAGE_BYTES) {
        p->bits++;
    }
    p->page_size = ((size_t)1 << p->bits) * element;
    p->n_pages = (n >> p->bits) + 1;
    uint64_t kept = memory / p->page_size;
    kept = kept < p->n_pages ? kept : p->n_pages;
    p->kept_max = kept < 2 ? 2 : kept < UINT32_MAX ? (uint32_t)kept : UINT32_MAX;
    p->pages = calloc(p->n_pages, sizeof *p->pages);
    p->kept = calloc(p->kept_max, sizeof *p->kept);
    p->lost = malloc(element);
    return (p->pages != NULL && p->kept != NULL && p->lost != NULL &&
            ws_memory_take_sparse(&p->memory, p->kept_max * p->page_size)) ||
           ws_no_memory(failed);
}

void ws_pages_free(struct ws_pages *p)
{
    ws_memory_free(&p->memory);
    if (p->n_pages > 0) {
        ws_temp_close(&p->file);
    }
    free(p->pages);
    free(p->kept);
    free(p->lost);
    *p = (struct ws_pages){.file.fd = -1};
}

/* Prints the error of the temporary file. Returns false. */
static bool file_failed(struct ws_pages *p)
{
    ws_say(&ws_on_stderr, "%s", p->file.error);
    *p->failed = true;
    return false;
}

static bool page_write(struct ws_pages *p, struct ws_page *page)
{
    page->place = page->place == 0 ? ++p->in_file : page->place;
    page->changed = false;
    return ws_temp_write(&p->file, page->memory, p->page_size, (page->place - 1) * p->page_size) ||
           file_failed(p);
}

/* Chooses a page in memory by the clock algorithm and writes it to the file if it changed. Sets
 * *slot to the page's index in `kept`. Returns the page's memory, for use by another page; NULL
 * after an error. */
static char *page_give(struct ws_pages *p, uint32_t *slot)
{
    for (;; p->hand = (p->hand + 1) % p->kept_max) {
        struct ws_page *page = &p->pages[p->kept[p->hand]];
        if (page->used) {
            page->used = false;
            continue;
        }
        if (page->changed && !page_write(p, page)) {
            return NULL;
        }
        char *memory = page->memory;
        page->memory = NULL;
        *slot = p->hand;
        return memory;
    }
}

bool ws_page_load(struct ws_pages *p, uint64_t number)
{
    struct ws_page *page = &p->pages[number];
    uint32_t slot = p->n_kept;
    char *memory;
    assert(page->memory == NULL);
    if (*p->failed) {
        return false;
    }
    if (p->n_kept < p->kept_max) {
        memory = (char *)p->memory.at + p->n_kept++ * p->page_size;
    } else if ((memory = page_give(p, &slot)) == NULL) {
        return false;
    }
    p->kept[slot] = number;
    page->memory = memory;
    bool good = page->place == 0 ||
                ws_temp_read(&p->file, memory, p->page_size, (page->place - 1) * p->page_size);
    if (page->place == 0 || !good) {
        memset(memory, 0, p->page_size);
    }
    return good || file_failed(p);
}

bool ws_pages_check(const struct ws_pages *p)
{
    uint64_t in_memory = 0, in_file = 0;
    HOLDS(p->n_kept <= p->kept_max); /* G1 */
    for (uint64_t i = 0; i < p->n_pages; i++) {
        in_memory += p->pages[i].memory != NULL;
        in_file += p->pages[i].place != 0;
    }
    HOLDS(in_memory == p->n_kept && in_file == p->in_file); /* G1, G2 */
    for (uint32_t i = 0; i < p->n_kept; i++) {
        HOLDS(p->pages[p->kept[i]].memory != NULL); /* G1 */
    }
    return true;
}
