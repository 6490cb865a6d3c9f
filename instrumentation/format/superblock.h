/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * superblock.h - the first bytes of a file: its contents and how to read it (internal to format/).
 *
 *      0  8 bytes magic                   32  u64 extent_size
 *      8  u16 version major               40  u32 n_pes
 *     10  u16 version minor               44  u32 stream
 *     12  u32 size, multiple of 8         48  u32 offset of the sections: 64
 *     16  u64 file_id                     52  12 bytes zero
 *     24  u64 first_extent                64  sections
 *                                     size-8  u64 xxh3 of all before
 *
 * A section is u32 tag, u32 length, length bytes, zeros to a multiple of 8.
 *
 * Invariants
 *  B1  A reader skips sections with an unknown tag, unless bit 31 of the tag is set.
 *  B2  Entries that may grow contain their length.
 *  B3  Reading the superblock needs nothing else of the file.
 */
#ifndef WARPSCOPE_FORMAT_SUPERBLOCK_H
#define WARPSCOPE_FORMAT_SUPERBLOCK_H

#include "format/format.h"

/* First bytes of a record file. They reveal text conversions of the file: a byte with the high bit
 * set, CR LF, the end-of-file character, LF. */
#define FMT_MAGIC      "\x89WSC\r\n\x1a\n"
#define FMT_MAGIC_SIZE 8u

enum { FMT_SECTION_SCHEMA = 1, FMT_SECTION_RUN = 2 };
/* Bit of a tag: a reader that does not know the section must fail. */
#define FMT_SECTION_CRITICAL 0x80000000u
/* u32 number of encodings that columns may have. Files before version 1.2 have no such section. */
#define FMT_SECTION_ENCODINGS (FMT_SECTION_CRITICAL | 3u)

#define FMT_VERSION_MAJOR 1
#define FMT_VERSION_MINOR 2

#define FMT_SUPERBLOCK_FIXED 64u /* number of bytes before the first section in version 1.0 */
#define FMT_SUPERBLOCK_MAX   (1u << 20)  /* most bytes of a superblock */
#define FMT_FIRST_EXTENT_MAX (16u << 20) /* greatest offset of the first extent */
#define FMT_EXTENT_SIZE_MAX  (256u << 20)
#define FMT_PES_MAX          (1u << 20)
#define FMT_PAGE             4096u /* unit of the offsets and sizes of extents, in bytes */

/* Returns NULL if the layout is valid, otherwise the reason why it is not. */
const char *fmt_layout_check(const struct fmt_layout *layout);

/*
 * Reads and checks the superblock of *size bytes. *memory receives the heap memory of sb's strings
 * and tables, to be freed with free(); NULL after an error.
 */
enum fmt_status fmt_superblock_read(const struct fmt_io *io, struct fmt_superblock *sb,
                                    uint64_t *size, void **memory, struct fmt_error *error);

#endif
