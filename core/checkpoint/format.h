/*
 * format.h - checkpoint files: blocks of records, compressed and checked.
 *
 * A file is a head, then blocks, then a last block of kind CKPT_END; nothing follows. A block has a
 * head of 64 bytes and holds whole records of one kind, compressed by LZ4 unless that makes them
 * longer. Native byte order: a mark in the head tells files of other machines. Every byte of a file
 * is under a checksum (XXH3): the head's, that of a block's head, that of what the block stores.
 * Blocks are numbered, and the last one counts blocks and records, so none can be missing.
 *
 * Records are multiples of 8 bytes and begin with their length in bytes (uint64_t); see record.h
 * for what they hold.
 *
 * Cost: adding a record is a copy; compression and checksums are left to ckpt_image_write(), which
 * another thread may call: 1.3 s for 208 MB with the disk, on a busy machine.
 */
#ifndef WARPSCOPE_CHECKPOINT_FORMAT_H
#define WARPSCOPE_CHECKPOINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CKPT_VERSION 3u
/* Records are gathered into blocks of this size; a longer record has a block of its own. */
#define CKPT_BLOCK_BYTES ((size_t)256 << 10)

enum ckpt_kind {
    CKPT_RUN = 1, /* one record: the run, see struct ckpt_run; first in the file */
    CKPT_LPS,
    CKPT_EVENTS,
    CKPT_END,
    CKPT_OPTIONS /* one record, in the file of rank 0: those of the model, see model_options.h */
};

/* ---- In memory, to be written ---------------------------------------------------------------- */

struct ckpt_block {
    struct ckpt_block *next;
    enum ckpt_kind kind;
    uint64_t n_records;
    uint64_t least; /* LP numbers of the records */
    uint64_t greatest;
    size_t size;
    size_t capacity;
    _Alignas(16) unsigned char bytes[];
};

/* All zero is an empty one. */
struct ckpt_image {
    struct ckpt_block *first;
    struct ckpt_block *last;
    uint64_t bytes; /* of all records */
};

/* Room for a record about LP gid, to be filled before the next call, its length (a multiple of 8)
 * written into it by this one; the rest is not zeroed. NULL when there is no memory. */
void *ckpt_image_add(struct ckpt_image *image, enum ckpt_kind kind, uint64_t gid, size_t size);
void ckpt_image_fini(struct ckpt_image *image);
/* Writes a whole file and frees the blocks on the way; adds what it wrote to *written. 0, or an
 * errno; then the image is not empty. */
int ckpt_image_write(struct ckpt_image *image, int fd, uint64_t *written);

/* ---- Reading --------------------------------------------------------------------------------- */

/* A file that is being read. */
struct ckpt_file {
    FILE *file;
    const char *path; /* the caller's */
    uint64_t left;    /* bytes not yet read or skipped */
    uint32_t n_blocks;
    uint64_t n_lps; /* records so far */
    uint64_t n_events;
    unsigned char *stored;
    unsigned char *raw;
};

/* What a block holds; valid until the next call. */
struct ckpt_view {
    enum ckpt_kind kind; /* CKPT_END: the file was read to its end and is whole */
    uint64_t n_records;
    const unsigned char *bytes;
    size_t size;
    bool skipped; /* nothing of it was asked for: bytes is NULL */
};

/* The functions below return false with one line of error, which names the file. */
bool ckpt_file_open(struct ckpt_file *f, const char *path, char *error, size_t error_size);
/* The next block. Blocks of LPs none of which is in first .. last are skipped. */
bool ckpt_file_next(struct ckpt_file *f, uint64_t first, uint64_t last, struct ckpt_view *view,
                    char *error, size_t error_size);
void ckpt_file_close(struct ckpt_file *f);

/* The record at *at of a block, its length in *size; moves *at on. NULL at the end of the block and
 * where there is no whole record; *at is the block's size only in the first case. */
const void *ckpt_view_record(const struct ckpt_view *view, size_t *at, size_t *size);

#endif
