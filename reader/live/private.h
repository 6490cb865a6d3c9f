/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - declarations that the files of reader/live share.
 */
#ifndef WARPSCOPE_READER_LIVE_PRIVATE_H
#define WARPSCOPE_READER_LIVE_PRIVATE_H

#include "live/live.h"

/* ---- journal_view.c -------------------------------------------------------------------------- */

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

/* ---- new_rows.c ------------------------------------------------------------------------------ */

enum segment_got { SEGMENT_ROWS, SEGMENT_NOTHING, SEGMENT_GONE, SEGMENT_NO_MEMORY };

/* Reads the new blocks of the current PE, up to live->limit, until a block has new records of a
 * selected kind. Returns true and stores them in *rows if there is such a block. */
bool live_blocks_next(struct ws_live *live, struct ws_live_rows *rows);
/* Reads the next block of the current PE if it is the END block. For a PE with a journal, it is the
 * only block beyond the journal's checkpoint that is read. */
void live_end_look(struct ws_live *live);

/* Reads the new rows of segment i of the view into *rows. Returns SEGMENT_NOTHING if there are
 * none, and SEGMENT_GONE if they are in blocks by now or damaged. */
enum segment_got live_segment_read(struct ws_live *live, size_t i, struct ws_live_rows *rows);

static inline double live_later(double a, double b)
{
    return b > a ? b : a;
}

#endif
