/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.h - the buffers of a PE for one record file, in memory and in the journal file that
 * preserves them if the run is killed. Part of the format: docs/FORMAT.md defines every byte.
 *
 * The memory is mapped from the journal file, so every store to it is in the file even after a
 * crash of the program. Rows are stored in sub-buffers. A full sub-buffer is closed, its rows are
 * sealed into blocks of the record file, and then the sub-buffer is reused.
 *
 * Invariants
 *  J1  `used` counts only complete rows: it is stored after the row (release).
 *  J2  A closed sub-buffer has a number, one more than that of the sub-buffer closed before it. An
 *      open sub-buffer has the number 0.
 *  J3  A closed sub-buffer is reused only after the checkpoint has its number or a later one.
 *  J4  The checkpoint gets the number of a sub-buffer only after the blocks with the rows of the
 *      sub-buffer have been written.
 *  J5  One of the two checkpoints is always valid.
 *  J6  Of the sub-buffers for one kind of records, at most one is open and has rows.
 *  J7  In a ring, the oldest closed sub-buffer may be reused although its rows were not written. In
 *      this case its `used` becomes 0 first, then the members of fmt_journal_live count its
 *      records.
 *
 * Every row of the PE is at any moment in exactly one place: in a block of the record file up to
 * the checkpoint, in a closed sub-buffer with a later number, or in an open sub-buffer.
 *
 * All numbers have the byte order of the machine that wrote the journal, so it can be recovered
 * only on a machine with the same byte order.
 */
#ifndef WARPSCOPE_FORMAT_JOURNAL_H
#define WARPSCOPE_FORMAT_JOURNAL_H

#include <stdatomic.h>

#include "format/format.h"

/* ---- Layout ---------------------------------------------------------------------------------- */

#define FMT_JOURNAL_MAGIC   "\x89WSJ\r\n\x1a\n"
#define FMT_JOURNAL_VERSION 1u
/* Version of the journal of a flight recorder. The sub-buffers form a ring, in which new
 * sub-buffers overwrite the oldest closed ones (J7 above). */
#define FMT_JOURNAL_VERSION_RING 2u
#define FMT_JOURNAL_BYTE_ORDER   0x01020304u
#define FMT_JOURNAL_CHECKPOINT   512u  /* offset of the first checkpoint in the file */
#define FMT_JOURNAL_CHECKPOINT_2 1024u /* offset of the second checkpoint in the file */
/* Minimum number of bytes before the first sub-buffer. */
#define FMT_JOURNAL_HEAD_MIN     4096u
#define FMT_JOURNAL_SEGMENTS_MAX 4096u
#define FMT_JOURNAL_LIVE         256u /* offset of struct fmt_journal_live in the file */
#define FMT_SEGMENT_HEAD         64u  /* number of bytes before the rows of a sub-buffer */

/* Header of a journal, at offset 0. */
struct fmt_journal_head {
    uint8_t magic[8];
    /* FMT_JOURNAL_BYTE_ORDER. A reader with another byte order reads another value. */
    uint32_t byte_order;
    uint32_t version;
    uint64_t file_id; /* file_id of the record file */
    uint32_t pe;
    uint32_t stream;
    uint64_t head_size; /* offset of the first sub-buffer */
    /* Distance in bytes between the starts of two consecutive sub-buffers. */
    uint64_t segment_size;
    uint64_t row_bytes_max; /* size in bytes of the largest record, as given to fmt_writer_init() */
    uint64_t hash;          /* xxh3 of all preceding members */
};

/* State of the PE during the run, at offset FMT_JOURNAL_LIVE. */
struct fmt_journal_live {
    _Atomic uint64_t dropped; /* number of records dropped because of --buffer-full=drop */
    _Atomic double gvt;       /* latest known GVT */
    /* Not 0 if another rank requests that this journal give up its disk space. */
    _Atomic uint64_t unwanted;
    /* In a ring, these three members mean the same as in fmt_end_info; otherwise they are 0. */
    _Atomic uint64_t overwritten;
    _Atomic double kept_gvt;
    _Atomic double kept_real_time;
};

/* Progress of the record file. The journal has two copies of this struct, which are written
 * alternately. */
struct fmt_checkpoint {
    /* Number of checkpoints written so far, including this one. If both copies are valid, the one
     * with the larger number is the latest. */
    uint64_t generation;
    uint64_t order; /* number of the last sub-buffer whose rows are all in the record file */
    struct fmt_position at;
    uint64_t hash; /* xxh3 of all preceding members */
};

/* Header of a sub-buffer. The rows follow it. */
struct fmt_segment_head {
    _Atomic uint64_t used;  /* size in bytes of the complete rows */
    _Atomic uint64_t order; /* number of the sub-buffer, from 1, if it is closed; 0: open */
    uint32_t schema_id;     /* id of the schema of the rows */
    uint32_t reserved;
    uint64_t reserved_8[5];
};

_Static_assert(sizeof(struct fmt_journal_head) == 64, "as documented");
_Static_assert(sizeof(struct fmt_journal_live) == 48, "as documented");
_Static_assert(sizeof(struct fmt_checkpoint) == 64, "as documented");
_Static_assert(sizeof(struct fmt_segment_head) == FMT_SEGMENT_HEAD, "as documented");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "counts in shared memory need plain stores");

/* ---- Writing of journals: memory is the mapped file, initially zero -------------------------- */

/* Starts a journal in memory: sets those members of head that are equal for all journals, and
 * writes head and a first checkpoint. A version of 0 becomes FMT_JOURNAL_VERSION. The magic number
 * is written last. */
void fmt_journal_begin(void *memory, struct fmt_journal_head head);
/* Writes a checkpoint into the journal in memory. order: all rows of sub-buffers up to this number
 * are in the record file. at: position in the record file after these rows. */
void fmt_journal_checkpoint(void *memory, uint64_t order, const struct fmt_position *at);
struct fmt_journal_live *fmt_journal_live(void *memory);

/* ---- Reading of journals: the file is not trusted -------------------------------------------- */

struct fmt_journal {
    const struct fmt_io *io; /* borrowed; access to the file */
    struct fmt_journal_head head;
    struct fmt_checkpoint checkpoint;
    /* Number of sub-buffers in the file whose header is complete. */
    uint64_t n_segments;
    uint64_t dropped;
    double gvt;
    /* For a ring, these three members mean the same as in fmt_end_info; otherwise they are 0. */
    uint64_t overwritten;
    double kept_gvt;
    double kept_real_time;
};

/*
 * Opens a journal: reads and checks its header and its checkpoints, and fills *journal. Returns
 * FMT_OK; FMT_END: the journal was never used, because its run was killed during set-up;
 * FMT_ERR_MAGIC; FMT_ERR_VERSION if this program does not support the version, or the byte order is
 * not that of this machine; FMT_ERR_DAMAGED; FMT_ERR_IO.
 */
enum fmt_status fmt_journal_open(struct fmt_journal *journal, const struct fmt_io *io,
                                 struct fmt_error *error);

/* A sub-buffer with rows that are not in the record file. */
struct fmt_journal_segment {
    uint64_t offset; /* offset in bytes of the rows in the journal */
    uint64_t used;
    uint64_t order; /* number of the sub-buffer, if it is closed; 0: open */
    uint32_t schema_id;
};

/*
 * Finds the sub-buffers with rows that are not in the record file. *segments receives an array of
 * *n sub-buffers in the order in which they were filled; the caller frees it with free(). Memory:
 * at most 128 KiB. Returns FMT_OK; FMT_ERR_DAMAGED if a sub-buffer is missing or invalid;
 * FMT_ERR_MEMORY; FMT_ERR_IO.
 */
enum fmt_status fmt_journal_pending(const struct fmt_journal *journal,
                                    struct fmt_journal_segment **segments, size_t *n,
                                    struct fmt_error *error);

#endif
