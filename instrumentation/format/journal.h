/*
 * journal.h - a PE's buffers of one file as they lie in memory, and in the journal file that keeps
 * them should the run be killed. Part of format.h, which says what it is all for.
 *
 * The memory is mapped from the journal file, so what a program has stored is in the file whatever
 * becomes of the program. Rows are put into segments; a segment that is full is closed, sealed into
 * blocks of the record file, and used again. docs/FORMAT.md has every byte.
 *
 * Invariants
 *  J1  used counts complete rows only: it is stored after the row (release).
 *  J2  a closed segment has a number, one more than the one closed before it; an open one has 0.
 *  J3  a closed segment is used again only after the checkpoint has its number, or a later one;
 *      and the checkpoint has it only after the blocks with its rows have been written.
 *  J4  of the two checkpoints, one is always whole.
 * So at any moment the record file up to the checkpoint, the closed segments with later numbers in
 * their order, and then the open ones hold every row of the PE once.
 *
 * Numbers are in the byte order of the machine: journals are made good where they were made.
 */
#ifndef WARPSCOPE_FORMAT_JOURNAL_H
#define WARPSCOPE_FORMAT_JOURNAL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* In front of the rows of a segment. */
struct fmt_segment_head {
    _Atomic uint64_t used;  /* bytes of complete rows */
    _Atomic uint64_t order; /* number of the closed segment, from 1; 0: open */
    uint32_t schema_id;     /* of the rows; 0: none yet */
    uint32_t reserved;
    uint64_t reserved_8[5];
};

#define FMT_SEGMENT_HEAD 64u /* bytes; rows follow */

_Static_assert(sizeof(struct fmt_segment_head) == FMT_SEGMENT_HEAD, "rows follow the head");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a count in shared memory needs plain stores");

#endif
