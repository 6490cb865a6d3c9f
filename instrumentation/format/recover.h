/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recover.h - recovers a record file after its run was killed.
 *
 * Part of the format, but used only by "warpscope recover". A PE is recovered in two steps. The
 * first step makes a plan: it reads everything and changes nothing. The second step applies the
 * plan: it writes the journal's rows after the checkpoint and an END block, and overwrites the
 * remains of interrupted writes with zeros. The second step may itself be killed at any moment: the
 * journal is unchanged, and a new plan leads to the same file.
 */
#ifndef WARPSCOPE_FORMAT_RECOVER_H
#define WARPSCOPE_FORMAT_RECOVER_H

#include "format/journal.h"

/* Plan for the recovery of one PE in a record file. */
struct fmt_recovery {
    /* True if the file already has the PE's END block: there is nothing to do. */
    bool is_complete;
    /* True if there is a journal; without it, the contents of the buffers are lost. */
    bool has_journal;
    uint32_t pe;
    struct fmt_position from; /* position in the record file where writing continues */
    uint64_t records;         /* number of records in the journal that are not in the record file */
    /* Number of lost records, or FMT_DROPPED_UNKNOWN. If is_complete is true, this is the number in
     * the END block. */
    uint64_t dropped;
    double gvt; /* latest known GVT */
    /* Latest known wall-clock time of a record, in seconds since the run began. */
    double real_time;
    /* For a flight recorder, these three members mean the same as in fmt_end_info; otherwise they
     * are 0. */
    uint64_t overwritten;
    double kept_gvt;
    double kept_real_time;
};

/*
 * Makes a plan for a PE of the record file. journal: the opened journal of that PE and file. NULL:
 * there is no journal; the data of the PE then end with its last valid block, and the number of
 * lost records is unknown. (A caller that knows the number may set plan->dropped before
 * fmt_recover_apply().) Memory: four blocks.
 *
 * Returns FMT_OK, FMT_ERR_DAMAGED, or another error. After FMT_ERR_DAMAGED the file should not be
 * changed: a kill cannot have left the file and the journal in this state. error must not be NULL.
 */
enum fmt_status fmt_recover_plan(const struct fmt_reader *reader, uint32_t pe,
                                 const struct fmt_journal *journal, struct fmt_recovery *plan,
                                 struct fmt_error *error);

/* Applies a plan to the record file of the reader, which must be open for writing and have no other
 * writer. Does not wait until the bytes are on the disk: see fmt_file_sync(). */
enum fmt_status fmt_recover_apply(const struct fmt_reader *reader,
                                  const struct fmt_journal *journal,
                                  const struct fmt_recovery *plan, struct fmt_error *error);

#endif
