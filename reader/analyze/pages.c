/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - an array in bounded memory; see pages.h.
 *
 * Pages leave memory by the clock algorithm: the hand passes pages that were used since it came
 * there last (Corbato, A Paging Experiment with the Multics System, 1968).
 */
#define _GNU_SOURCE /* required for mkostemp() */
#include "analyze/pages.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/messages.h"

#define PAGE_NUMBERS ((size_t)1 << ANALYZE_PAGE_BITS)
#define PAGE_BYTES   (PAGE_NUMBERS * sizeof(uint64_t))

struct analyze_page {
    uint64_t *numbers; /* owned; elements of the page; NULL: not in memory */
    uint64_t place;    /* index of the page's place in the file, plus 1; 0: none */
    bool used;         /* true if the page was used since the hand last passed it */
};

bool analyze_pages_init(struct analyze_pages *p, uint64_t n, uint32_t kept_max)
{
    *p = (struct analyze_pages){.fd = -1,
                                .kept_max = kept_max == 0 ? ANALYZE_PAGES_KEPT : kept_max,
                                .n_pages = (n >> ANALYZE_PAGE_BITS) + 1};
    p->pages = calloc(p->n_pages, sizeof *p->pages);
    p->kept = calloc(p->kept_max, sizeof *p->kept);
    return p->pages != NULL && p->kept != NULL;
}

void analyze_pages_free(struct analyze_pages *p)
{
    for (uint32_t i = 0; p->pages != NULL && i < p->n_kept; i++) {
        free(p->pages[p->kept[i]].numbers);
    }
    if (p->n_pages > 0 && p->fd >= 0) {
        close(p->fd);
    }
    free(p->pages);
    free(p->kept);
    *p = (struct analyze_pages){.fd = -1};
}

static uint64_t *failed(struct analyze_pages *p, const char *what, int why)
{
    if (!p->failed) {
        ws_say(&ws_on_stderr, "cannot %s a temporary file: %s (TMPDIR may name another directory)",
               what, strerror(why));
    }
    p->failed = true;
    return NULL;
}

static bool file_open(struct analyze_pages *p)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/warpscope-XXXXXX",
             folder == NULL || folder[0] == '\0' ? "/tmp" : folder);
    p->fd = mkostemp(path, O_CLOEXEC);
    if (p->fd < 0) {
        return failed(p, "create", errno) != NULL;
    }
    unlink(path);
    return true;
}

/* Reads or writes a page. */
static bool page_move(struct analyze_pages *p, const struct analyze_page *page, bool write)
{
    char *at = (char *)page->numbers;
    off_t from = (off_t)((page->place - 1) * PAGE_BYTES);
    for (size_t done = 0; done < PAGE_BYTES;) {
        ssize_t n = write ? pwrite(p->fd, at + done, PAGE_BYTES - done, from + (off_t)done)
                          : pread(p->fd, at + done, PAGE_BYTES - done, from + (off_t)done);
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            return failed(p, write ? "write to" : "read", n < 0 ? errno : ENOSPC) != NULL;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Chooses a page in memory by the clock algorithm and writes it to the file. Sets *slot to its
 * index in `kept`. Returns its memory for use by another page; NULL after an error. */
static uint64_t *page_give(struct analyze_pages *p, uint32_t *slot)
{
    if (p->fd < 0 && !file_open(p)) {
        return NULL;
    }
    for (;; p->hand = (p->hand + 1) % p->kept_max) {
        struct analyze_page *page = &p->pages[p->kept[p->hand]];
        if (page->used) {
            page->used = false;
            continue;
        }
        page->place = page->place == 0 ? ++p->in_file : page->place;
        if (!page_move(p, page, true)) {
            return NULL;
        }
        uint64_t *memory = page->numbers;
        page->numbers = NULL;
        *slot = p->hand;
        return memory;
    }
}

static uint64_t *page_load(struct analyze_pages *p, uint64_t number)
{
    struct analyze_page *page = &p->pages[number];
    uint32_t slot = p->n_kept;
    uint64_t *memory;
    if (p->n_kept < p->kept_max) {
        memory = malloc(PAGE_BYTES);
        if (memory == NULL) {
            ws_say(&ws_on_stderr, "out of memory");
            p->failed = true;
            return NULL;
        }
        p->n_kept++;
    } else if ((memory = page_give(p, &slot)) == NULL) {
        return NULL;
    }
    p->kept[slot] = number;
    page->numbers = memory;
    if (page->place == 0) {
        memset(memory, 0, PAGE_BYTES);
    } else if (!page_move(p, page, false)) {
        return NULL;
    }
    return memory;
}

uint64_t *analyze_pages_at(struct analyze_pages *p, uint64_t i)
{
    assert(i >> ANALYZE_PAGE_BITS < p->n_pages);
    struct analyze_page *page = &p->pages[i >> ANALYZE_PAGE_BITS];
    if (page->numbers == NULL && page_load(p, i >> ANALYZE_PAGE_BITS) == NULL) {
        return NULL;
    }
    page->used = true;
    return &page->numbers[i & (PAGE_NUMBERS - 1)];
}
