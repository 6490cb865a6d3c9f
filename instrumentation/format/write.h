/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write.h - writes record files. Part of format.h, which has an overview.
 */
#ifndef WARPSCOPE_FORMAT_WRITE_H
#define WARPSCOPE_FORMAT_WRITE_H

#include <stdatomic.h>

#include "format/common.h"

/* A limit for the bytes of blocks that several writers of a process write together. The writers may
 * run in different threads. All zero: no block may be written. */
struct fmt_quota {
    _Atomic uint64_t limit;
    _Atomic uint64_t used; /* never greater than the limit at the time of writing */
    _Atomic bool refused;  /* true if a block was not written because it exceeded the limit */
};

#define FMT_END_ROOM 4096u /* most bytes of an END block; every extent has this space */

/* Progress of a PE in a record file. */
struct fmt_position {
    uint64_t records; /* number of records written so far */
    uint64_t blocks;
    uint64_t bytes;      /* size of the blocks written so far, in bytes */
    uint64_t extent;     /* number of the current extent of the PE */
    uint64_t extent_pos; /* number of bytes used in the current extent */
};

/* Writer of one PE's part of a file. The caller provides the storage and may read only the member
 * `at`. */
struct fmt_writer {
    const struct fmt_io *io; /* borrowed; access to the file */
    struct fmt_layout layout;
    uint32_t pe;
    struct fmt_position at;
    uint64_t reserved; /* number of extents whose space is reserved */
    uint64_t torn;     /* offset of a block whose writing failed, of size torn_size; 0: none */
    uint64_t torn_size;
    struct fmt_position before_end; /* value of at before the END block */
    double gvt;
    bool ended;
    struct fmt_quota *quota;   /* borrowed; limit of the bytes; NULL: no limit */
    struct fmt_sealer *sealer; /* owned; seals the blocks */
};

/*
 * Prepares the writer of PE pe for a file with records of these kinds (borrowed, each as in the
 * superblock). row_bytes_max: largest fmt_row_bytes() to come, as given to fmt_layout_init().
 * Allocates all memory that the writer will need (about twice an extent). Returns FMT_OK,
 * FMT_ERR_MEMORY, or FMT_ERR_ARG if an argument is invalid or a record cannot fit into an
 * extent.
 */
enum fmt_status fmt_writer_init(struct fmt_writer *w, const struct fmt_io *io,
                                const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                const struct fmt_layout *layout, uint32_t pe, size_t row_bytes_max,
                                struct fmt_error *error);
/* Limits the blocks of the writer. Reserves space for the END block, which is always written. A
 * block that exceeds the limit is not written, and the status is FMT_ERR_LIMIT. */
void fmt_writer_limit(struct fmt_writer *w, struct fmt_quota *quota);
/* Continues at the position where another writer stopped. Call it before anything is written. */
void fmt_writer_resume(struct fmt_writer *w, const struct fmt_position *at);
/*
 * Reserves the space of the first extent. From then on, space for the END block is always reserved:
 * a block that would leave too little space in its extent is written only after the next extent has
 * been reserved. A full disk is thus detected before a block, and the END block can still report
 * the loss.
 */
enum fmt_status fmt_writer_reserve(struct fmt_writer *w, struct fmt_error *error);
/* Frees memory without ending the file. Allowed on a zeroed or failed writer. */
void fmt_writer_fini(struct fmt_writer *w);

/*
 * Seals rows (size bytes of complete rows, 8-aligned, in the layout of schema, one of those given
 * to fmt_writer_init()) into blocks and writes them. gvt: latest known GVT. *consumed (may be
 * NULL): number of bytes of rows that were written, also after an error; the caller may retry the
 * rest. Allocates no memory.
 */
enum fmt_status fmt_writer_append(struct fmt_writer *w, const struct fmt_schema *schema,
                                  const void *rows, size_t size, double gvt, size_t *consumed,
                                  struct fmt_error *error);

/* Writes payload descriptions, at any time before the end. Once per PE is enough: ids of one PE are
 * valid for the whole file. */
enum fmt_status fmt_writer_meta(struct fmt_writer *w, const struct fmt_payload_desc *descs,
                                size_t n, struct fmt_error *error);

/* Writes a CHANGE block, at any time before the end. */
enum fmt_status fmt_writer_change(struct fmt_writer *w, const struct fmt_change *change,
                                  struct fmt_error *error);

/* Writes the END block of the PE and releases reserved space after it. Without it, the file counts
 * as incomplete. */
enum fmt_status fmt_writer_end(struct fmt_writer *w, const struct fmt_end_info *end,
                               struct fmt_error *error);

/* Writes the END block again, in its place, after its contents have turned out to be wrong. The
 * writer must have ended. */
enum fmt_status fmt_writer_end_again(struct fmt_writer *w, const struct fmt_end_info *end,
                                     struct fmt_error *error);

#endif
