/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recover.h - recovers a record file whose run was killed.
 *
 * Part of the format, used only by "warpscope recover". A PE is recovered in two steps. The plan
 * reads everything and changes nothing. Applying the plan writes the rows of the journal after the
 * checkpoint, an END block, and zeros over the rest of interrupted writes. This step may itself be
 * killed at any moment: the journal is unchanged, and a new plan leads to the same file.
 */
#ifndef WARPSCOPE_FORMAT_RECOVER_H
#define WARPSCOPE_FORMAT_RECOVER_H

#include "format/journal.h"

/* Plan for the recovery of one PE. */
struct fmt_recovery {
    bool is_complete; /* true if the END block of the PE exists: nothing to do */
    bool has_journal; /* false if there is no journal: the contents of the buffers are lost */
    uint32_t pe;
    struct fmt_position from; /* position where writing continues */
    uint64_t records;         /* number of records in the journal after that position */
    /* Number of lost records, or FMT_DROPPED_UNKNOWN; from the END block if complete. */
    uint64_t dropped;
    double gvt;       /* latest known GVT */
    double real_time; /* wall-clock time of the last known record, in seconds */
    /* For a flight recorder: see the members of fmt_end_info. */
    uint64_t overwritten;
    double kept_gvt;
    double kept_real_time;
};

/*
 * Plans the recovery of a PE of the file. journal: the journal of that PE and file, with its header
 * checked; NULL: there is none, the PE ends with its last good block, and its loss is unknown. (A
 * caller that knows the loss may set dropped between the two steps.) Memory: four blocks.
 *
 * Returns FMT_OK; FMT_ERR_DAMAGED if a kill cannot have left file and journal in this state, in
 * which case the file should not be changed; or other errors. error must not be NULL.
 */
enum fmt_status fmt_recover_plan(const struct fmt_reader *reader, uint32_t pe,
                                 const struct fmt_journal *journal, struct fmt_recovery *plan,
                                 struct fmt_error *error);

/* Applies a plan. The reader's file must be open for writing, without other writers. Does not wait
 * for the disk: see fmt_file_sync(). */
enum fmt_status fmt_recover_apply(const struct fmt_reader *reader,
                                  const struct fmt_journal *journal,
                                  const struct fmt_recovery *plan, struct fmt_error *error);

#endif
