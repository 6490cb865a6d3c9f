/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_view.c - reads the buffers of a PE from its journal as they were at one moment, while the
 * run fills and empties them.
 *
 * The run does not wait for readers. A view consists of the heads of all buffers, which are read
 * twice. If nothing but added rows has changed in between, the heads are those of one moment. Rows
 * are read afterwards. The run reuses a buffer only after the checkpoint of the journal includes
 * it. Rows are therefore valid if, after they were read, the checkpoint does not include their
 * buffer.
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "access/journals.h"
#include "live/live.h"

#define TRIES 8

/* Returns true if two readings of the heads of the buffers show the same state, apart from added
 * rows. */
static bool is_one_moment(const struct fmt_journal_segment *a, size_t n_a,
                          const struct fmt_journal_segment *b, size_t n_b)
{
    bool same = n_a == n_b;
    for (size_t i = 0; same && i < n_a; i++) {
        bool grew = a[i].order == 0 ? b[i].used >= a[i].used : b[i].used == a[i].used;
        same = grew && a[i].offset == b[i].offset && a[i].order == b[i].order &&
               a[i].schema_id == b[i].schema_id;
    }
    return same;
}

/* Reads the heads of all buffers twice. If only rows were added in between, stores the segments in
 * the view. Returns the state of the view. */
static enum journal_state look(struct journal_view *view, const struct fmt_superblock *sb,
                               uint32_t pe)
{
    struct fmt_journal later;
    struct fmt_journal_segment *again = NULL;
    size_t n_again = 0;
    enum fmt_status status = fmt_journal_open(&view->journal, &view->file.io, NULL);
    /* The run has possibly written both checkpoints in the meantime. */
    if (status == FMT_ERR_DAMAGED) {
        view->journal.checkpoint = (struct fmt_checkpoint){0};
        return JOURNAL_CHANGES;
    }
    if (status != FMT_OK || !ws_journal_belongs(&view->journal, sb, pe)) {
        return JOURNAL_NONE;
    }
    status = fmt_journal_pending(&view->journal, &view->segments, &view->n, NULL);
    if (status == FMT_OK) {
        status = fmt_journal_pending(&view->journal, &again, &n_again, NULL);
    }
    if (status == FMT_OK) {
        status = fmt_journal_open(&later, &view->file.io, NULL);
    }
    bool good = status == FMT_OK && later.n_segments == view->journal.n_segments &&
                later.checkpoint.order == view->journal.checkpoint.order &&
                is_one_moment(view->segments, view->n, again, n_again);
    free(again);
    if (!good) {
        free(view->segments);
        view->segments = NULL;
        view->n = 0;
    }
    return good ? JOURNAL_SEEN : JOURNAL_CHANGES;
}

void journal_view_open(struct journal_view *view, const char *path, const struct fmt_superblock *sb,
                       uint32_t pe)
{
    *view = (struct journal_view){.state = JOURNAL_NONE, .file.fd = -1};
    if (fmt_file_open_journal(&view->file, path, NULL) != FMT_OK) {
        view->file.fd = -1;
        return;
    }
    view->state = JOURNAL_CHANGES;
    for (int i = 0; i < TRIES && view->state == JOURNAL_CHANGES; i++) {
        view->state = look(view, sb, pe);
    }
    if (view->state == JOURNAL_NONE) {
        journal_view_close(view);
        return;
    }
    view->last_order = view->journal.checkpoint.order;
    for (size_t i = 0; i < view->n; i++) {
        view->last_order =
            view->segments[i].order != 0 ? view->segments[i].order : view->last_order;
    }
}

void journal_view_close(struct journal_view *view)
{
    if (view->file.fd >= 0) {
        fmt_file_close(&view->file, NULL);
    }
    free(view->segments);
    *view = (struct journal_view){.state = JOURNAL_NONE, .file.fd = -1};
}

bool journal_is_there(const char *path, const struct fmt_superblock *sb, uint32_t pe)
{
    struct journal_view view;
    bool there = access(path, F_OK) == 0;
    if (there) {
        journal_view_open(&view, path, sb, pe);
        there = view.state != JOURNAL_NONE;
        journal_view_close(&view);
    }
    return there;
}

bool journal_view_read(const struct journal_view *view, size_t i, uint64_t from, uint8_t *to)
{
    assert(view->state == JOURNAL_SEEN && i < view->n && from <= view->segments[i].used);
    const struct fmt_journal_segment *s = &view->segments[i];
    const struct fmt_io *io = &view->file.io;
    struct fmt_journal now, again;
    size_t size = (size_t)(s->used - from), got = 0;
    if (io->read_at(io->ctx, to, size, s->offset + from, &got) != 0 || got != size ||
        fmt_journal_open(&now, io, NULL) != FMT_OK ||
        fmt_journal_open(&again, io, NULL) != FMT_OK) {
        return false;
    }
    /* The checkpoint was read twice, since a reader finds the previous one while the run writes a
     * new one. */
    return again.checkpoint.generation == now.checkpoint.generation &&
           now.checkpoint.order < (s->order != 0 ? s->order : view->last_order + 1);
}
