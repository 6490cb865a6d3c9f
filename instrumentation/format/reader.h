/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.h - reads blocks from a file (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_READER_H
#define WARPSCOPE_FORMAT_READER_H

#include "format/block.h"

struct fmt_reader {
    const struct fmt_io *io;
    struct fmt_superblock sb;
    void *sb_memory;  /* owned; memory of the superblock's strings and tables */
    uint64_t sb_size; /* size of the superblock in bytes */
    uint64_t file_size;
    uint32_t header_usual; /* size of the largest header of a data block in this file, in bytes */
};

/* Returns the offset of byte pos of an extent of a PE; FMT_NO_OFFSET if it is past the end of the
 * file. */
uint64_t fmt_reader_offset(const struct fmt_reader *reader, uint32_t pe, uint64_t extent,
                           uint64_t pos);

/* Reads the bytes of a block header at offset: *got bytes, up to FMT_HEADER_MAX and room. */
enum fmt_status fmt_header_read(const struct fmt_reader *reader, uint64_t offset, uint64_t room,
                                uint32_t pe, uint8_t *raw, size_t *got, struct fmt_error *error);

/*
 * Checks the header of a block at offset, except for its place in the sequence. raw has got bytes,
 * of which at most room belong to the extent. Fills *header and *block. Returns NULL, or the reason
 * why it is invalid.
 */
const char *fmt_block_parse(const struct fmt_reader *reader, const uint8_t *raw, size_t got,
                            uint64_t offset, uint64_t room, struct fmt_block_header *header,
                            struct fmt_block *block);

/* Reads exactly size bytes at offset. pe is for the message. */
enum fmt_status fmt_reader_read(const struct fmt_reader *reader, uint64_t offset, void *to,
                                size_t size, uint32_t pe, struct fmt_error *error);

#endif
