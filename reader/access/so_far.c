/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * so_far.c - see so_far.h.
 *
 * Invariant: a page in memory has the contents of the file at the time of its first change, and all
 * changes since then. Bytes behind the size of the file at the time of opening are zero.
 */
#include "access/so_far.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "access/journals.h"
#include "format/recover.h"
#include "store/array.h"
#include "store/index.h"

/* Size of a page in bytes. Extents are multiples of it, so that a page has blocks of one PE only. */
#define PAGE  4096u
#define TRIES 8 /* attempts to copy a journal as it is at one moment */

struct page {
    uint64_t number; /* offset in the file, divided by PAGE */
    uint8_t *bytes;  /* owned */
};

struct ws_so_far {
    struct fmt_io io;
    const struct fmt_io *base;
    uint64_t base_size, size; /* size of the file, and of the contents */
    struct index index;       /* finds a page by its number */
    struct page *pages;       /* owned */
    size_t n_pages;
    bool is_open;
};

/* ---- Contents -------------------------------------------------------------------------------- */

static struct page *page_find(const struct ws_so_far *s, uint64_t number)
{
    uint32_t hash = index_hash(number);
    for (uint32_t at = hash, i; index_next(&s->index, hash, &at, &i);) {
        if (s->pages[i].number == number) {
            return &s->pages[i];
        }
    }
    return NULL;
}

/* Reads bytes of the file. Stores zeros for those behind its end. */
static int base_read(const struct ws_so_far *s, uint8_t *to, size_t size, uint64_t offset)
{
    size_t left = offset < s->base_size ? (size_t)(s->base_size - offset) : 0, got = 0;
    size_t want = size < left || offset + size <= s->base_size ? size : left;
    int err = want == 0 ? 0 : s->base->read_at(s->base->ctx, to, want, offset, &got);
    memset(to + got, 0, size - got);
    return err;
}

/* Returns the page with this number, which is made if necessary; NULL if memory is exhausted or the
 * file cannot be read. */
static struct page *page_make(struct ws_so_far *s, uint64_t number)
{
    struct page *page = page_find(s, number);
    if (page != NULL) {
        return page;
    }
    struct page new = {number, malloc(PAGE)};
    bool good = new.bytes != NULL &&base_read(s, new.bytes, PAGE, number * PAGE) == 0 &&
                array_append(&s->pages, s->n_pages, sizeof *s->pages) &&
                index_add(&s->index, index_hash(number), (uint32_t)s->n_pages);
    if (!good) {
        free(new.bytes);
        return NULL;
    }
    s->pages[s->n_pages] = new;
    return &s->pages[s->n_pages++];
}

/* Returns the number of bytes from offset to the end of its page, at most size. */
static size_t step_of(uint64_t offset, size_t size)
{
    size_t step = PAGE - (size_t)(offset % PAGE);
    return step < size ? step : size;
}

static int contents_read(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct ws_so_far *s = ctx;
    uint8_t *to = data;
    int err = 0;
    size = offset >= s->size ? 0 : s->size - offset < size ? (size_t)(s->size - offset) : size;
    *got = size;
    while (size > 0 && err == 0) {
        size_t step = step_of(offset, size);
        const struct page *page = page_find(s, offset / PAGE);
        if (page != NULL) {
            memcpy(to, page->bytes + offset % PAGE, step);
        } else {
            err = base_read(s, to, step, offset);
        }
        to += step;
        offset += step;
        size -= step;
    }
    return err;
}

static int contents_write(void *ctx, const void *data, size_t size, uint64_t offset)
{
    struct ws_so_far *s = ctx;
    const uint8_t *from = data;
    while (size > 0) {
        size_t step = step_of(offset, size);
        struct page *page = page_make(s, offset / PAGE);
        if (page == NULL) {
            return ENOMEM;
        }
        memcpy(page->bytes + offset % PAGE, from, step);
        from += step;
        offset += step;
        size -= step;
        s->size = offset > s->size ? offset : s->size;
    }
    return 0;
}

static int contents_size(void *ctx, uint64_t *size)
{
    *size = ((const struct ws_so_far *)ctx)->size;
    return 0;
}

/* ---- Journals -------------------------------------------------------------------------------- */

/* A copy of a journal in memory. */
struct copy {
    struct fmt_io io;
    uint8_t *bytes; /* owned */
    uint64_t size;
};

static int copy_read(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct copy *c = ctx;
    *got = offset >= c->size ? 0 : c->size - offset < size ? (size_t)(c->size - offset) : size;
    memcpy(data, c->bytes + (offset < c->size ? offset : 0), *got);
    return 0;
}

static int copy_size(void *ctx, uint64_t *size)
{
    *size = ((const struct copy *)ctx)->size;
    return 0;
}

/* Returns true if the journal has not reused a buffer since the copy was begun. Rows that were
 * added in the meantime, and buffers that were closed before the copy reached them, do no harm. */
static bool is_one_moment(const struct fmt_journal *copied, const struct fmt_io *io)
{
    struct fmt_journal now;
    struct fmt_journal_segment *a = NULL, *b = NULL;
    size_t n_a = 0, n_b = 0;
    bool same = fmt_journal_open(&now, io, NULL) == FMT_OK &&
                now.checkpoint.generation == copied->checkpoint.generation &&
                now.overwritten == copied->overwritten &&
                fmt_journal_pending(copied, &a, &n_a, NULL) == FMT_OK &&
                fmt_journal_pending(&now, &b, &n_b, NULL) == FMT_OK && n_a == n_b;
    for (size_t i = 0; same && i < n_a; i++) {
        same = a[i].offset == b[i].offset && a[i].order == b[i].order;
    }
    free(a);
    free(b);
    return same;
}

/* Copies the journal at path as it is at one moment, and opens the copy. Returns false if there is
 * no such journal, or it changes too quickly. The caller frees copy->bytes. */
static bool journal_copy(struct copy *copy, struct fmt_journal *journal, const char *path)
{
    struct fmt_file file;
    bool good = false;
    *copy = (struct copy){.io = {copy, path, NULL, copy_read, copy_size, NULL, NULL, NULL}};
    if (fmt_file_open_journal(&file, path, NULL) != FMT_OK) {
        return false;
    }
    const struct fmt_io *io = &file.io;
    for (int i = 0; i < TRIES && !good; i++) {
        size_t got = 0;
        free(copy->bytes);
        copy->bytes = NULL;
        if (io->get_size(io->ctx, &copy->size) != 0 ||
            (copy->bytes = malloc((size_t)copy->size + 1)) == NULL ||
            io->read_at(io->ctx, copy->bytes, (size_t)copy->size, 0, &got) != 0) {
            break;
        }
        copy->size = got;
        good = fmt_journal_open(journal, &copy->io, NULL) == FMT_OK && is_one_moment(journal, io);
    }
    fmt_file_close(&file, NULL);
    return good;
}

/* Takes the present size of the file. Returns false if it is unknown. */
static bool size_update(struct ws_so_far *s)
{
    bool good = s->base->get_size(s->base->ctx, &s->base_size) == 0;
    s->size = s->base_size > s->size ? s->base_size : s->size;
    return good;
}

/* Adds the records in the journal of a PE, and an END block. Without a usable journal, adds only an
 * END block after the last valid block. Sets *damage, unless it is set, if the records are damaged. */
static void pe_add(struct ws_so_far *s, struct fmt_reader *reader, uint32_t pe,
                   const char *record_file, struct fmt_error *damage)
{
    const struct fmt_superblock *sb = fmt_reader_superblock(reader);
    struct copy copy = {.bytes = NULL};
    struct fmt_journal journal;
    struct fmt_recovery plan;
    struct fmt_error error = {0};
    char *path = ws_journal_path(record_file, pe);
    bool has =
        path != NULL && journal_copy(&copy, &journal, path) && ws_journal_belongs(&journal, sb, pe);
    /* The blocks that the journal counts may lie behind the former end of the file. */
    if (!size_update(s) || fmt_reader_refresh(reader, NULL) != FMT_OK) {
        free(copy.bytes);
        free(path);
        return;
    }
    if (fmt_recover_plan(reader, pe, has ? &journal : NULL, &plan, &error) == FMT_OK &&
        !plan.is_complete) {
        s->is_open = true;
        plan.dropped = plan.dropped == FMT_DROPPED_UNKNOWN ? 0 : plan.dropped;
        (void)fmt_recover_apply(reader, has ? &journal : NULL, &plan, &error);
    }
    *damage = damage->status == FMT_OK ? error : *damage;
    free(copy.bytes);
    free(path);
}

/* ---- Opening --------------------------------------------------------------------------------- */

struct ws_so_far *ws_so_far_open(const struct ws_file *file, uint32_t source,
                                 struct fmt_error *damage)
{
    const struct fmt_io *base = &file->sources[source].file.io;
    struct fmt_reader *reader = NULL;
    struct ws_so_far *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->io = (struct fmt_io){s,    base->path, contents_write, contents_read, contents_size, NULL,
                            NULL, NULL};
    s->base = base;
    if (!size_update(s) || fmt_reader_open(&s->io, &reader, NULL) != FMT_OK) {
        ws_so_far_close(s);
        return NULL;
    }
    for (uint32_t pe = 0; pe < fmt_reader_superblock(reader)->layout.n_pes; pe++) {
        if (!file->pes[pe].is_absent && file->pes[pe].source == source) {
            pe_add(s, reader, pe, base->path, damage);
        }
    }
    fmt_reader_close(reader);
    return s;
}

void ws_so_far_close(struct ws_so_far *s)
{
    if (s != NULL) {
        for (size_t i = 0; i < s->n_pages; i++) {
            free(s->pages[i].bytes);
        }
        free(s->pages);
        index_fini(&s->index);
        free(s);
    }
}

const struct fmt_io *ws_so_far_io(const struct ws_so_far *s)
{
    return &s->io;
}

bool ws_so_far_is_open(const struct ws_so_far *s)
{
    return s->is_open;
}
