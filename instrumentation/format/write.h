/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write.h - writes record files. Part of format.h, which has an overview.
 */
#ifndef WARPSCOPE_FORMAT_WRITE_H
#define WARPSCOPE_FORMAT_WRITE_H

#include <stdatomic.h>

#include "format/common.h"

/* A limit for the total size in bytes of the blocks that several writers of a process write. The
 * writers may run in different threads. If all members are zero, no block may be written. */
struct fmt_quota {
    _Atomic uint64_t limit;
    /* Number of bytes taken by blocks; a block is written only if the number stays within limit. */
    _Atomic uint64_t used;
    _Atomic bool refused; /* true once a block was not written because of the limit */
};

#define FMT_END_ROOM 4096u /* maximum size in bytes of an END block, for which space is reserved */

/* Position of a PE in a record file, and totals of its blocks up to there. */
struct fmt_position {
    uint64_t records; /* number of records written so far */
    uint64_t blocks;
    uint64_t bytes;      /* size in bytes of the blocks written so far, without the END block */
    uint64_t extent;     /* index of the current extent among those of the PE */
    uint64_t extent_pos; /* number of bytes used in the current extent */
};

/* Writer of the blocks of one PE in a file. The caller provides the storage, and may read only the
 * member `at`. */
struct fmt_writer {
    const struct fmt_io *io; /* borrowed; access to the file */
    struct fmt_layout layout;
    uint32_t pe;
    struct fmt_position at;
    uint64_t reserved; /* number of extents of the PE whose disk space is reserved */
    /* Offset of a block of torn_size bytes whose writing failed; 0: none. */
    uint64_t torn;
    uint64_t torn_size;
    struct fmt_position before_end; /* value of `at` before the END block was written */
    double gvt;
    bool ended;
    struct fmt_quota *quota;   /* borrowed; limit for the size of all blocks; NULL: no limit */
    struct fmt_sealer *sealer; /* owned; seals the blocks */
};

/*
 * Prepares the writer of a PE for a file with records of the given schemas, which are borrowed and
 * must be those of the superblock. row_bytes_max: the value that was given to fmt_layout_init(), at
 * least fmt_row_bytes() of each record to come. Allocates all memory that the writer will need
 * (about twice the size of an extent).
 *
 * Returns FMT_OK, FMT_ERR_MEMORY, or FMT_ERR_ARG if an argument is invalid or a record of
 * row_bytes_max bytes does not fit into an extent.
 */
enum fmt_status fmt_writer_init(struct fmt_writer *w, const struct fmt_io *io,
                                const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                const struct fmt_layout *layout, uint32_t pe, size_t row_bytes_max,
                                struct fmt_error *error);
/* Makes the blocks of the writer count against a limit. A block that would exceed the limit is not
 * written, and the status is FMT_ERR_LIMIT. FMT_END_ROOM bytes are taken from quota at once, so
 * that the END block is always written. */
void fmt_writer_limit(struct fmt_writer *w, struct fmt_quota *quota);
/* Makes the writer continue at the position at which another writer of the PE stopped. Call it
 * before any block is written. */
void fmt_writer_resume(struct fmt_writer *w, const struct fmt_position *at);
/*
 * Reserves disk space for the current extent, initially the first one. From then on, space for
 * the END block is always reserved: a block that would leave too little space in its extent is
 * written only after the next extent has been reserved. A full disk is thus detected before a block
 * is written, and the END block can still report the loss.
 */
enum fmt_status fmt_writer_reserve(struct fmt_writer *w, struct fmt_error *error);
/* Frees the memory of the writer without ending the file. Allowed if the writer is zeroed, or if
 * fmt_writer_init() failed. */
void fmt_writer_fini(struct fmt_writer *w);

/*
 * Seals records into blocks and writes the blocks. rows: size bytes of complete records in the
 * layout of schema, 8-aligned. schema: one of the schemas given to fmt_writer_init(). gvt: the
 * latest known GVT. *consumed receives the number of bytes of rows whose blocks were written, even
 * after an error; the caller may retry with the rest. consumed may be NULL. Allocates no memory.
 */
enum fmt_status fmt_writer_append(struct fmt_writer *w, const struct fmt_schema *schema,
                                  const void *rows, size_t size, double gvt, size_t *consumed,
                                  struct fmt_error *error);
/* Likewise, but writes one block. size must not be 0, and consumed not NULL. */
enum fmt_status fmt_writer_append_block(struct fmt_writer *w, const struct fmt_schema *schema,
                                        const void *rows, size_t size, double gvt, size_t *consumed,
                                        struct fmt_error *error);

/* Writes n payload descriptions as META blocks, at any time before the end. It is enough that one
 * PE writes a description: its id is then valid for the whole file. */
enum fmt_status fmt_writer_meta(struct fmt_writer *w, const struct fmt_payload_desc *descs,
                                size_t n, struct fmt_error *error);

/* Returns the next name of an LP, and sets *lp to its number; NULL after the last. */
typedef const char *(*fmt_next_name)(void *ctx, uint64_t *lp);
/* Writes the names that `next` returns (at most FMT_LP_NAME_MAX bytes each) as NAMES blocks, at any
 * time before the end. */
enum fmt_status fmt_writer_names(struct fmt_writer *w, fmt_next_name next, void *ctx,
                                 struct fmt_error *error);

/* Writes a change as a CHANGE block, at any time before the end. */
enum fmt_status fmt_writer_change(struct fmt_writer *w, const struct fmt_change *change,
                                  struct fmt_error *error);

/* Writes the END block of the PE, and releases reserved space behind it. A file without this block
 * counts as incomplete. */
enum fmt_status fmt_writer_end(struct fmt_writer *w, const struct fmt_end_info *end,
                               struct fmt_error *error);

/* Replaces the END block of the PE, after its contents have turned out to be wrong.
 * fmt_writer_end() must have succeeded. */
enum fmt_status fmt_writer_end_again(struct fmt_writer *w, const struct fmt_end_info *end,
                                     struct fmt_error *error);

#endif
