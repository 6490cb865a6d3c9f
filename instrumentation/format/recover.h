/*
 * recover.h - making a record file good again whose run was killed.
 *
 * Part of the format, used by "warpscope recover" alone. A PE is done in two steps: the plan looks
 * at everything and changes nothing; applying it writes the rows of the journal behind the
 * checkpoint, an END block, and zeros over what is left of writes that the kill cut short. Applying
 * may itself be killed at any moment: the journal is as good as before and a new plan leads to the
 * same file.
 */
#ifndef WARPSCOPE_FORMAT_RECOVER_H
#define WARPSCOPE_FORMAT_RECOVER_H

#include "format/journal.h"

/* What is to be done about one PE. */
struct fmt_recovery {
    bool is_complete; /* its END block is there: nothing to do */
    bool has_journal; /* whether the buffers are known; otherwise what was in them is lost */
    uint32_t pe;
    struct fmt_position from; /* where writing goes on */
    uint64_t records;         /* in the journal behind that */
    uint64_t dropped; /* lost, or FMT_DROPPED_UNKNOWN; if complete, what the END block says */
    double gvt;       /* latest known */
    double real_time; /* of the last record known */
};

/*
 * Finds out what is to be done about a PE of the file. journal: of that PE and file; its head has
 * been checked for that. NULL: there is none, the PE ends with its last good block, and what it
 * lost is not known. (The caller that knows better may set dropped between the two steps.)
 * FMT_ERR_DAMAGED: the file or the journal is not what a kill can have left; nothing should be done
 * then. Other errors as usual; error must not be NULL. Memory: four blocks.
 */
enum fmt_status fmt_recover_plan(const struct fmt_reader *reader, uint32_t pe,
                                 const struct fmt_journal *journal, struct fmt_recovery *plan,
                                 struct fmt_error *error);

/* Does it. The reader's file must be open for writing, and nobody else may write. Returns without
 * waiting for the disk: see fmt_file_sync(). */
enum fmt_status fmt_recover_apply(const struct fmt_reader *reader,
                                  const struct fmt_journal *journal,
                                  const struct fmt_recovery *plan, struct fmt_error *error);

#endif
