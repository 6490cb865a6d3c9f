/*
 * journal.h - a PE's buffers of one file as they lie in memory, and in the journal file that keeps
 * them should the run be killed. Part of the format: docs/FORMAT.md has every byte.
 *
 * The memory is mapped from the journal file, so what a program has stored is in the file whatever
 * becomes of the program. Rows are put into segments; a segment that is full is closed, sealed into
 * blocks of the record file, and used again.
 *
 * Invariants
 *  J1  used counts complete rows only: it is stored after the row (release).
 *  J2  a closed segment has a number, one more than the one closed before it; an open one has 0.
 *  J3  a closed segment is used again only after the checkpoint has its number, or a later one;
 *      and the checkpoint has it only after the blocks with its rows have been written.
 *  J4  of the two checkpoints, one is always whole.
 *  J5  of the segments of one kind of records at most one is open and has rows.
 * So at any moment the blocks of the record file up to the checkpoint, the closed segments with
 * later numbers in their order, and then the open ones hold every row of the PE once.
 *
 * Numbers are in the byte order of the machine: a journal is made good where it was made.
 */
#ifndef WARPSCOPE_FORMAT_JOURNAL_H
#define WARPSCOPE_FORMAT_JOURNAL_H

#include <stdatomic.h>

#include "format/format.h"

/* ---- The layout ------------------------------------------------------------------------------ */

#define FMT_JOURNAL_MAGIC        "\x89WSJ\r\n\x1a\n"
#define FMT_JOURNAL_VERSION      1u
#define FMT_JOURNAL_BYTE_ORDER   0x01020304u
#define FMT_JOURNAL_CHECKPOINT   512u  /* offset of the first checkpoint */
#define FMT_JOURNAL_CHECKPOINT_2 1024u /* offset of the second one */
#define FMT_JOURNAL_HEAD_MIN     4096u /* bytes in front of the segments */
#define FMT_JOURNAL_SEGMENTS_MAX 4096u
#define FMT_JOURNAL_LIVE         256u /* offset of what changes all the time */
#define FMT_SEGMENT_HEAD         64u  /* bytes in front of the rows of a segment */

/* At offset 0. */
struct fmt_journal_head {
    uint8_t magic[8];
    uint32_t byte_order; /* FMT_JOURNAL_BYTE_ORDER */
    uint32_t version;
    uint64_t file_id; /* of the record file */
    uint32_t pe;
    uint32_t stream;
    uint64_t head_size;     /* where segments begin */
    uint64_t segment_size;  /* from one segment to the next */
    uint64_t row_bytes_max; /* of one record, as given to fmt_writer_init() */
    uint64_t hash;          /* xxh3 of all before */
};

/* At offset FMT_JOURNAL_LIVE. */
struct fmt_journal_live {
    _Atomic uint64_t dropped;  /* records that were dropped on purpose */
    _Atomic double gvt;        /* latest known */
    _Atomic uint64_t unwanted; /* not 0: another rank needs the space of the journal */
};

/* Which rows are in the record file, and how far it is good. Two copies, written in turn. */
struct fmt_checkpoint {
    uint64_t generation; /* from 1; the greater one counts */
    uint64_t order;      /* the segments up to this number are in the record file */
    struct fmt_position at;
    uint64_t hash; /* xxh3 of all before */
};

/* In front of the rows of a segment. */
struct fmt_segment_head {
    _Atomic uint64_t used;  /* bytes of complete rows */
    _Atomic uint64_t order; /* number of the closed segment, from 1; 0: open */
    uint32_t schema_id;     /* of the rows */
    uint32_t reserved;
    uint64_t reserved_8[5];
};

_Static_assert(sizeof(struct fmt_journal_head) == 64, "as documented");
_Static_assert(sizeof(struct fmt_journal_live) == 24, "as documented");
_Static_assert(sizeof(struct fmt_checkpoint) == 64, "as documented");
_Static_assert(sizeof(struct fmt_segment_head) == FMT_SEGMENT_HEAD, "as documented");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "counts in shared memory need plain stores");

/* ---- Writing: memory is the mapped journal, all zero at first -------------------------------- */

/* Fills the constant parts in and writes the head, the magic number last. */
void fmt_journal_begin(void *memory, struct fmt_journal_head head);
/* The segments up to order are in the record file, which is good up to at. */
void fmt_journal_checkpoint(void *memory, uint64_t order, const struct fmt_position *at);
struct fmt_journal_live *fmt_journal_live(void *memory);

/* ---- Reading: nothing in the file is trusted ------------------------------------------------- */

struct fmt_journal {
    const struct fmt_io *io; /* borrowed */
    struct fmt_journal_head head;
    struct fmt_checkpoint checkpoint;
    uint64_t n_segments; /* whose heads are in the file */
    uint64_t dropped;
    double gvt;
};

/*
 * Reads and checks head and checkpoint. FMT_END: the journal was never put to use, its run was
 * killed while it was set up. FMT_ERR_MAGIC, FMT_ERR_VERSION (or of another byte order),
 * FMT_ERR_DAMAGED, FMT_ERR_IO.
 */
enum fmt_status fmt_journal_open(struct fmt_journal *journal, const struct fmt_io *io,
                                 struct fmt_error *error);

/* A segment with rows that are not in the record file. */
struct fmt_journal_segment {
    uint64_t offset; /* of the rows, in the journal */
    uint64_t used;
    uint64_t order; /* 0: open */
    uint32_t schema_id;
};

/*
 * The segments with rows that are not in the record file, in the order in which they have to be
 * written; *segments is for free(). Memory: at most 128 KiB. FMT_ERR_DAMAGED if one is missing or
 * cannot be; FMT_ERR_MEMORY, FMT_ERR_IO.
 */
enum fmt_status fmt_journal_pending(const struct fmt_journal *journal,
                                    struct fmt_journal_segment **segments, size_t *n,
                                    struct fmt_error *error);

#endif
