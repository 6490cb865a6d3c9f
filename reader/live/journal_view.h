/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_view.h - the buffers of one PE at one moment, while its run fills and empties them (inside
 * live only).
 *
 * The run does not wait for readers. A view is taken by reading the heads of all buffers twice: if
 * neither a buffer nor the checkpoint has changed in between, but for rows that were added, then the
 * heads are those of one moment. Rows are read afterwards. A buffer is used again only after the
 * checkpoint has its number, so rows are good if the checkpoint has not got there once they are
 * read.
 */
#ifndef WARPSCOPE_READER_LIVE_JOURNAL_VIEW_H
#define WARPSCOPE_READER_LIVE_JOURNAL_VIEW_H

#include "format/journal.h"

enum journal_state {
    JOURNAL_NONE,    /* there is none, or it belongs to another run */
    JOURNAL_CHANGES, /* the run was too busy for a view. Blocks up to the checkpoint can be read; its
                      * generation is 0 if not even that could be seen */
    JOURNAL_SEEN     /* segments are valid */
};

struct journal_view {
    enum journal_state state;
    struct fmt_file file; /* open unless JOURNAL_NONE */
    struct fmt_journal journal;
    struct fmt_journal_segment *segments; /* with rows that no block has, in the order of writing */
    size_t n;
    uint64_t last_order; /* number of the buffer that was closed last */
};

/* Takes a view of a PE's journal. path must stay valid while it is open. */
void journal_view_open(struct journal_view *view, const char *path, const struct fmt_superblock *sb,
                       uint32_t pe);
void journal_view_close(struct journal_view *view); /* may be called twice */

/* Returns true if the PE has a journal now. */
bool journal_is_there(const char *path, const struct fmt_superblock *sb, uint32_t pe);

/* Reads bytes [from, used) of the rows of segment i. Returns false if they are not there any
 * more. */
bool journal_view_read(const struct journal_view *view, size_t i, uint64_t from, uint8_t *to);

#endif
