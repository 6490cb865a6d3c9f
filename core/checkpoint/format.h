/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - checkpoint files: blocks of records, compressed and with checksums.
 *
 * A file consists of a header, blocks, and a last block of kind CKPT_END. A block has a header of
 * 64 bytes and holds complete records of one kind, compressed by LZ4 unless that makes them longer.
 * The byte order is native; a mark in the file's header reveals files from machines with another
 * byte order. Checksums (XXH3) cover every byte of a file: its header, each block header, and the
 * stored bytes of each block. Blocks are numbered, and the last block states the numbers of records
 * of LPs and of events. Missing blocks are thus detected.
 *
 * The length of a record is a multiple of 8 bytes; the record begins with this length in bytes
 * (uint64_t). record.h describes the contents of records.
 *
 * Cost: adding a record takes one copy of it. ckpt_image_write(), which another thread may call,
 * compresses blocks and computes checksums: 1.3 s for 208 MB including the disk, on a busy machine.
 */
#ifndef WARPSCOPE_CHECKPOINT_FORMAT_H
#define WARPSCOPE_CHECKPOINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Version of the files that are written; files from CKPT_VERSION_READ on are read. Version 4 adds
 * blocks of kind CKPT_COURSE, and the part CKPT_OBSERVERS of records of LPs. */
#define CKPT_VERSION      4u
#define CKPT_VERSION_READ 3u
/* Maximum size in bytes of the records of a block. A longer record has a block of its own. */
#define CKPT_BLOCK_BYTES ((size_t)256 << 10)

enum ckpt_kind {
    CKPT_RUN = 1, /* first block of a file: one record, a struct ckpt_run */
    CKPT_LPS,
    CKPT_EVENTS,
    CKPT_END,     /* last block of a file: no records */
    CKPT_OPTIONS, /* only in the file of rank 0: one record, the options of the model */
    CKPT_COURSE   /* one record, a struct ckpt_course */
};

/* ---- Writing: images in memory --------------------------------------------------------------- */

struct ckpt_block {
    struct ckpt_block *next;
    enum ckpt_kind kind;
    uint64_t n_records;
    uint64_t least;    /* smallest gid of the LPs to which the records belong */
    uint64_t greatest; /* largest gid of these LPs */
    size_t size;       /* size of all records in bytes */
    size_t capacity;   /* size in bytes of the array `bytes` */
    _Alignas(16) unsigned char bytes[];
};

/* A checkpoint file in memory, before it is written. An image is empty if all members are zero. */
struct ckpt_image {
    struct ckpt_block *first;
    struct ckpt_block *last;
    uint64_t bytes; /* total size of all records in bytes */
};

/* Adds to the image a record of size bytes (a multiple of 8) that belongs to LP gid, and returns
 * its address; NULL: memory is short. Stores size in the first 8 bytes. The caller must fill the
 * other bytes before the next call. */
void *ckpt_image_add(struct ckpt_image *image, enum ckpt_kind kind, uint64_t gid, size_t size);
void ckpt_image_fini(struct ckpt_image *image);
/* Writes the whole file to fd, and frees each block after writing it. Adds the number of bytes
 * written to *written. Returns 0, or an errno value; blocks that were not written then remain in
 * the image. */
int ckpt_image_write(struct ckpt_image *image, int fd, uint64_t *written);

/* ---- Reading --------------------------------------------------------------------------------- */

/* A checkpoint file that is open for reading. */
struct ckpt_file {
    FILE *file;
    const char *path; /* name of the file, owned by the caller */
    char *error;      /* buffer for an error message, owned by the caller */
    size_t error_size;
    uint64_t left;         /* number of bytes of the file that were neither read nor skipped */
    uint32_t n_blocks;     /* number of blocks read or skipped so far, without CKPT_END */
    uint64_t n_lps;        /* number of records of LPs in these blocks */
    uint64_t n_events;     /* number of records of events in these blocks */
    unsigned char *stored; /* owned; last block read, as stored in the file */
    unsigned char *raw;    /* owned; last block read, decompressed; NULL: it was not compressed */
};

/* Contents of a block; valid until the next call of ckpt_file_next(). */
struct ckpt_view {
    enum ckpt_kind kind; /* kind of the records; CKPT_END: the file is complete */
    uint64_t n_records;
    const unsigned char *bytes; /* the records; NULL: they were skipped */
    size_t size;                /* size of the records in bytes */
    bool skipped;               /* true if the records were skipped */
};

/* Opens a checkpoint file. On failure, this function and the next return false and write one line
 * with the file name to error, which must stay valid until ckpt_file_close(). */
bool ckpt_file_open(struct ckpt_file *f, const char *path, char *error, size_t error_size);
/* Reads the next block into *view. Skips the records of a block of kind CKPT_LPS that has no LP
 * with a gid from first to last. */
bool ckpt_file_next(struct ckpt_file *f, uint64_t first, uint64_t last, struct ckpt_view *view);
void ckpt_file_close(struct ckpt_file *f);

/* Returns the record at offset *at of a block, sets *size to its length in bytes, and moves *at to
 * the next record. Returns NULL at the end of the block (*at is view->size) or if the record is
 * incomplete (*at is less). Also returns NULL for a skipped block. */
const void *ckpt_view_record(const struct ckpt_view *view, size_t *at, size_t *size);

#endif
