/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - checkpoint files: blocks of records, compressed and with checksums.
 *
 * A file is a header, then blocks, then a last block of kind CKPT_END. A block has a header of 64
 * bytes and holds complete records of one kind, compressed by LZ4 unless that makes them longer.
 * The byte order is native; a mark in the header reveals files of machines with another order.
 * Checksums (XXH3) cover every byte of a file: the header, each block header, and the stored bytes
 * of each block. Blocks are numbered, and the last one counts blocks and records, which reveals
 * missing ones.
 *
 * Records are multiples of 8 bytes and begin with their length in bytes (uint64_t); see record.h
 * for their contents.
 *
 * Cost: adding a record is a copy. ckpt_image_write(), callable from another thread, compresses and
 * computes checksums: 1.3 s for 208 MB including the disk, on a busy machine.
 */
#ifndef WARPSCOPE_CHECKPOINT_FORMAT_H
#define WARPSCOPE_CHECKPOINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CKPT_VERSION 3u
/* Size in bytes at which a block is full. A longer record has its own block. */
#define CKPT_BLOCK_BYTES ((size_t)256 << 10)

enum ckpt_kind {
    CKPT_RUN = 1, /* the run: one record of struct ckpt_run, first in the file */
    CKPT_LPS,
    CKPT_EVENTS,
    CKPT_END,
    CKPT_OPTIONS /* options of the model, see model_options.h: one record in the file of rank 0 */
};

/* ---- Writing: images in memory --------------------------------------------------------------- */

struct ckpt_block {
    struct ckpt_block *next;
    enum ckpt_kind kind;
    uint64_t n_records;
    uint64_t least; /* least gid among the records */
    uint64_t greatest;
    size_t size;
    size_t capacity;
    _Alignas(16) unsigned char bytes[];
};

/* A checkpoint file in memory, before it is written. All zeros: an empty image. */
struct ckpt_image {
    struct ckpt_block *first;
    struct ckpt_block *last;
    uint64_t bytes; /* length of all records together, in bytes */
};

/* Returns space for a record of LP gid, or NULL if memory is short. Stores the length of the record
 * (a multiple of 8) in it. Its other bytes are undefined; the caller must fill them before the next
 * call. */
void *ckpt_image_add(struct ckpt_image *image, enum ckpt_kind kind, uint64_t gid, size_t size);
void ckpt_image_fini(struct ckpt_image *image);
/* Writes the whole file, and frees each block after writing it. Adds the bytes written to *written.
 * Returns 0, or an errno value; some blocks may then remain in memory. */
int ckpt_image_write(struct ckpt_image *image, int fd, uint64_t *written);

/* ---- Reading --------------------------------------------------------------------------------- */

/* A checkpoint file open for reading. */
struct ckpt_file {
    FILE *file;
    const char *path; /* name of the file, owned by the caller */
    uint64_t left;    /* bytes of the file not yet read or skipped */
    uint32_t n_blocks;
    uint64_t n_lps; /* number of records read so far */
    uint64_t n_events;
    unsigned char *stored;
    unsigned char *raw;
};

/* Contents of a block; valid until the next call of ckpt_file_next(). */
struct ckpt_view {
    enum ckpt_kind kind; /* kind of the records; CKPT_END: the file is complete */
    uint64_t n_records;
    const unsigned char *bytes;
    size_t size;
    bool skipped; /* true if the contents were skipped: bytes is NULL */
};

/* Opens a file. On failure, this function and the next return false and write one line with the
 * file name to error. */
bool ckpt_file_open(struct ckpt_file *f, const char *path, char *error, size_t error_size);
/* Reads the next block. Skips the contents of blocks that have no LP with a gid from first to
 * last. */
bool ckpt_file_next(struct ckpt_file *f, uint64_t first, uint64_t last, struct ckpt_view *view,
                    char *error, size_t error_size);
void ckpt_file_close(struct ckpt_file *f);

/* Returns the record at *at of a block and sets *size to its length, and advances *at. Returns NULL
 * at the end of the block (*at equals its size) or if the record is incomplete (*at is smaller). */
const void *ckpt_view_record(const struct ckpt_view *view, size_t *at, size_t *size);

#endif
