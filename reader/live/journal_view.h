/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_view.h - reads the buffers of a PE as they were at one moment, while its run fills and
 * empties them (inside live only).
 *
 * The run does not wait for readers. A view consists of the heads of all buffers, which are read
 * twice. If nothing but added rows has changed in between, the heads are those of one moment. Rows
 * are read afterwards. The run reuses a buffer only after a checkpoint of the journal has counted
 * it. Rows are therefore valid if, after they were read, the checkpoint has not counted their
 * buffer.
 */
#ifndef WARPSCOPE_READER_LIVE_JOURNAL_VIEW_H
#define WARPSCOPE_READER_LIVE_JOURNAL_VIEW_H

#include "format/journal.h"

enum journal_state {
    JOURNAL_NONE, /* there is no journal, or it belongs to another run */
    /* The run changed the buffers too quickly for a view. Blocks up to the checkpoint can be read;
     * its generation is 0 if it could not be read either. */
    JOURNAL_CHANGES,
    JOURNAL_SEEN /* the view is valid, with its segments */
};

struct journal_view {
    enum journal_state state;
    struct fmt_file file; /* file of the journal; open unless the state is JOURNAL_NONE */
    struct fmt_journal journal;
    /* Segments with rows that no block has, in the order of writing. */
    struct fmt_journal_segment *segments;
    size_t n;
    uint64_t last_order; /* number of the buffer that was closed last */
};

/* Takes a view of a PE's journal. path must stay valid while it is open. */
void journal_view_open(struct journal_view *view, const char *path, const struct fmt_superblock *sb,
                       uint32_t pe);
void journal_view_close(struct journal_view *view); /* closes the view; may be called twice */

/* Returns true if the PE has a journal now. */
bool journal_is_there(const char *path, const struct fmt_superblock *sb, uint32_t pe);

/* Reads the rows of segment i from byte `from` on. Returns false if the run has used the buffer
 * again. */
bool journal_view_read(const struct journal_view *view, size_t i, uint64_t from, uint8_t *to);

#endif
