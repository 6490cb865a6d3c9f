/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.h - an open record file, and the reading of blocks from it (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_READER_H
#define WARPSCOPE_FORMAT_READER_H

#include "format/block.h"

struct fmt_reader {
    const struct fmt_io *io;
    struct fmt_superblock sb;
    void *sb_memory;  /* owned; memory to which the superblock's strings and tables belong */
    uint64_t sb_size; /* size of the superblock in bytes */
    uint64_t file_size;
    /* Size in bytes of the largest header that a data block of this file can have. */
    uint32_t header_usual;
};

/* Returns the file offset of byte pos in an extent of a PE; extent is the index among the PE's
 * extents. FMT_NO_OFFSET: past the end of the file. */
uint64_t fmt_reader_offset(const struct fmt_reader *reader, uint32_t pe, uint64_t extent,
                           uint64_t pos);

/* Reads the bytes of the block header at offset into `raw`: at most FMT_HEADER_MAX bytes, and at
 * most `room`, the number of bytes from offset to the end of the extent. light: true to read only the
 * fixed part of the header of a DATA block. *got receives the number of bytes read. pe: for the error
 * message. */
enum fmt_status fmt_header_read(const struct fmt_reader *reader, uint64_t offset, uint64_t room,
                                uint32_t pe, bool light, uint8_t *raw, size_t *got,
                                struct fmt_error *error);

/*
 * Checks the header of the block at offset, except for its place in the sequence, and fills *header
 * and *block. raw: the first got bytes of the block. light: true if they may be those that
 * fmt_header_read() reads for this. room: number of bytes from offset to the end
 * of the extent. Returns NULL, or the reason why the header is invalid.
 */
const char *fmt_block_parse(const struct fmt_reader *reader, const uint8_t *raw, size_t got,
                            bool light, uint64_t offset, uint64_t room,
                            struct fmt_block_header *header, struct fmt_block *block);

/* Reads exactly size bytes at offset into `to`. pe: for the error message. */
enum fmt_status fmt_reader_read(const struct fmt_reader *reader, uint64_t offset, void *to,
                                size_t size, uint32_t pe, struct fmt_error *error);

#endif
