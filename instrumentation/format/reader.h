/*
 * reader.h - reading blocks from a file (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_READER_H
#define WARPSCOPE_FORMAT_READER_H

#include "format/block.h"

struct fmt_reader {
    const struct fmt_io *io;
    struct fmt_superblock sb;
    void *sb_memory;  /* owned */
    uint64_t sb_size; /* bytes of the superblock */
    uint64_t file_size;
    uint32_t header_usual; /* bytes of the largest header of a data block of this file */
};

/* Offset of byte pos of an extent of a PE; FMT_NO_OFFSET if that is past the file's end. */
uint64_t fmt_reader_offset(const struct fmt_reader *reader, uint32_t pe, uint64_t extent,
                           uint64_t pos);

/*
 * Reads the header of a block at offset, or what is there instead: *got bytes, up to FMT_HEADER_MAX
 * and room.
 */
enum fmt_status fmt_header_read(const struct fmt_reader *reader, uint64_t offset, uint64_t room,
                                uint32_t pe, uint8_t *raw, size_t *got, struct fmt_error *error);

/*
 * Checks the header at raw (got bytes, at most room of which belong to the extent) for a block at
 * offset: everything but its place in the sequence. Fills *header and *block. NULL, or what is
 * wrong.
 */
const char *fmt_block_parse(const struct fmt_reader *reader, const uint8_t *raw, size_t got,
                            uint64_t offset, uint64_t room, struct fmt_block_header *header,
                            struct fmt_block *block);

/* Reads exactly size bytes at offset. pe: for the message. */
enum fmt_status fmt_reader_read(const struct fmt_reader *reader, uint64_t offset, void *to,
                                size_t size, uint32_t pe, struct fmt_error *error);

#endif
