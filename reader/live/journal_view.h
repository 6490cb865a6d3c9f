/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_view.h - reads the buffers of a PE from its journal as they were at one moment, while the
 * run fills and empties them. Used only in reader/live.
 *
 * The run does not wait for readers. A view consists of the heads of all buffers, which are read
 * twice. If nothing but added rows has changed in between, the heads are those of one moment. Rows
 * are read afterwards. The run reuses a buffer only after the checkpoint of the journal includes
 * it. Rows are therefore valid if, after they were read, the checkpoint does not include their
 * buffer.
 */
#ifndef WARPSCOPE_READER_LIVE_JOURNAL_VIEW_H
#define WARPSCOPE_READER_LIVE_JOURNAL_VIEW_H

#include "format/journal.h"

enum journal_state {
    JOURNAL_NONE, /* there is no journal, or it belongs to another run */
    /* The run changed the buffers too quickly for a view. Blocks up to the checkpoint can be read.
     * The generation of the checkpoint is 0 if the checkpoint could not be read either. */
    JOURNAL_CHANGES,
    JOURNAL_SEEN /* the view and its segments are valid */
};

struct journal_view {
    enum journal_state state;
    struct fmt_file file; /* file of the journal; open unless the state is JOURNAL_NONE */
    struct fmt_journal journal;
    /* Owned; the n segments (buffers) whose rows are in no block, in the order of writing. */
    struct fmt_journal_segment *segments;
    size_t n;
    uint64_t last_order; /* number of the buffer that the run closed last */
};

/* Takes a view of the journal of a PE at path, and sets view->state. path must stay valid until
 * journal_view_close(). */
void journal_view_open(struct journal_view *view, const char *path, const struct fmt_superblock *sb,
                       uint32_t pe);
void journal_view_close(struct journal_view *view); /* closes the view; may be called twice */

/* Returns true if the PE now has a journal of this run at path. */
bool journal_is_there(const char *path, const struct fmt_superblock *sb, uint32_t pe);

/* Reads the rows of segment i into `to`, from byte `from` on. Returns false if the run has used the
 * buffer again, or if reading failed. */
bool journal_view_read(const struct journal_view *view, size_t i, uint64_t from, uint8_t *to);

#endif
