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

/* Stores the next new records of the current PE in *rows; returns WS_LIVE_ROUND if it has no
 * more. */
enum ws_live_got live_pe_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error);
/* Ends the reading of the current PE in this round. */
void live_pe_leave(struct ws_live *live);

#endif
